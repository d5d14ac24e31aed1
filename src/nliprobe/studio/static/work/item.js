// The page of one item: keys, sending that does not give up, and drafts. Without this the forms work as they are.
import { Drafts } from "./drafts.js";
import { listen } from "./keys.js";
import { Sending } from "./sending.js";
import { keepInSight } from "./sight.js";
import "./twice.js";

const byId = (id) => document.getElementById(id);
const say = (text) => { byId("status").textContent = text; };
function refuse(sentence) {
  const wrong = byId("wrong");
  wrong.textContent = sentence;
  wrong.hidden = false;
  wrong.scrollIntoView({ block: "nearest" });
}

for (const element of document.querySelectorAll("[data-script]")) element.hidden = false;
byId("show-keys").addEventListener("click", () => byId("keys").showModal());
const form = byId("answer");
const sending = new Sending(form, say, refuse);
const drafts = new Drafts(form, sending, say);
for (const one of [form, byId("skip")].filter(Boolean)) {
  one.addEventListener("submit", (event) => {
    // A button of its own address asks for something else than to keep the answer.
    if (event.submitter?.hasAttribute("formaction")) return;
    event.preventDefault();
    byId("wrong").hidden = true;
    drafts.stop();
    sending.submit(one, event.submitter);
  });
}
byId("reason")?.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  const flags = byId("pass").dataset.flag;
  byId("skip").requestSubmit(byId("skip").querySelector(flags ? "[name=flag]" : "button"));
});
listen();
keepInSight();
sending.resume();
