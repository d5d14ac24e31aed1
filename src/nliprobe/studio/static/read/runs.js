// Fills in what runs show as it becomes known, and how far those are that are being written.
import { poll } from "./polling.js";

poll("/runs.json", (answer, ok) => {
  if (!ok) return true;
  for (const run of answer.runs) {
    const item = document.querySelector(`[data-key="${run.key}"]`);
    if (!item) continue;
    item.querySelector(".about").textContent = run.about;
    const verdict = item.querySelector(".verdict");
    if (run.pending || !run.verdicts.length) continue;
    verdict.replaceChildren(...run.verdicts.map((text) => {
      const line = document.createElement("p");
      line.className = "say text";
      line.textContent = text;
      return line;
    }));
  }
  return answer.pending;
});
