// While answers are missing, the page asks for them and takes the parts anew that they change; rows get buttons that move
// them. The rest of the page stays: somebody may be writing an edit of their own meanwhile.
import { sendOnce, submitByKeys } from "./keys.js";
import { addRowButtons } from "./rows.js";

const PARTS = ["answers-part", "why-part", "history-part", "command-part"];

async function renew(address) {
  const answer = await fetch(address, { headers: { accept: "text/html" } });
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const name of PARTS) {
    const [old, made] = [document.getElementById(name), page.getElementById(name)];
    if (!old || !made) continue;
    // Whoever has come to a button by keys stays at it.
    const label = old.contains(document.activeElement) && document.activeElement.getAttribute("aria-label");
    old.replaceWith(document.adoptNode(made));
    if (label) made.querySelector(`[aria-label="${CSS.escape(label)}"]`)?.focus();
  }
}

function say(where, words) {
  const line = document.createElement("p");
  line.className = "wrong";
  line.textContent = words;
  where.replaceChildren(line);
}

async function watch() {
  for (;;) {
    const place = document.getElementById("state");
    const { waiting, state, page } = place.dataset;
    if (waiting !== "yes") return;
    try {
      const answer = await fetch(state, { headers: { accept: "application/json" } });
      const told = await answer.json();
      if (answer.status === 403 || answer.status === 404) {
        // The trial or the sign-in is gone. To load the page again would take what is being written along.
        say(place, told.error);
        return;
      }
      if (answer.ok && !told.waiting) {
        await renew(page);
        // A part that was exchanged is not read out.
        document.getElementById("heard").textContent = "What was asked is answered.";
      }
    } catch {
      // The server is away for a moment: ask again.
    }
    await new Promise((done) => setTimeout(done, 1000));
  }
}

// What the edit changed is in sight in a premise that is longer than its place.
function showChange() {
  const tall = document.querySelector(".tall");
  const change = tall?.querySelector("tr.removed, tr.added, tr.changed, ins, del");
  if (change) tall.scrollTop = change.getBoundingClientRect().top - tall.getBoundingClientRect().top - tall.clientHeight / 3;
}

showChange();
watch();
sendOnce();
for (const form of document.querySelectorAll("form[data-keys]")) submitByKeys(form);
for (const list of document.querySelectorAll("ol[data-rows]")) addRowButtons(list);
