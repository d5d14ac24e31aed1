// While answers are missing, the page asks for them and takes the parts anew that they change; rows get buttons that move
// them. The rest of the page stays: somebody may be writing an edit of their own meanwhile.
import { submitByKeys } from "./keys.js";
import { addRowButtons } from "./rows.js";

const PARTS = ["answers-part", "why-part", "history-part"];

async function renew() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
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

async function watch() {
  for (;;) {
    const { waiting, state } = document.getElementById("state").dataset;
    if (waiting !== "yes") return;
    try {
      const answer = await fetch(state, { headers: { accept: "application/json" } });
      if (!answer.ok) {
        location.reload();
        return;
      }
      if (!(await answer.json()).waiting) await renew();
    } catch {
      // The server is away for a moment: ask again.
    }
    await new Promise((done) => setTimeout(done, 1000));
  }
}

watch();
for (const form of document.querySelectorAll("form[data-keys]")) submitByKeys(form);
for (const list of document.querySelectorAll("ol[data-rows]")) addRowButtons(list);
