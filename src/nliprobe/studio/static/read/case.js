// Keys for the cases around this one, and a look whether an explanation is ready.
import { poll } from "./polling.js";

const waiting = document.querySelector("[data-waiting]");
if (waiting) {
  poll(`/runs/${waiting.dataset.waiting}/state.json`, (state, ok) => {
    if (ok && !state.pending) location.reload();
    return !ok || state.pending;
  });
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const way = { j: "next", k: "prev", ArrowRight: "next", ArrowLeft: "prev" }[event.key];
  const link = way && document.querySelector(`a[rel="${way}"]`);
  if (link) link.click();
});
