// Keeps the page of a run up to date while the run is written or its cases are indexed.
import { poll } from "./polling.js";

const live = document.getElementById("live");
const line = document.getElementById("line");
const making = document.getElementById("making");

function tell(element, words) {
  if (!element || element.textContent === words) return;
  element.textContent = words;
  element.hidden = !words;
}

poll(`/runs/${live.dataset.key}/state.json`, (state, ok) => {
  if (!ok) {
    tell(making, state.error);
    return false;
  }
  tell(line, state.line);
  if (state.problem) tell(making, state.problem);
  else if (state.making) tell(making, state.making);
  if (!live.dataset.ready && state.ready) {
    location.reload();
    return false;
  }
  // What the list was made from is compared: a small run is indexed anew before anybody could see that it must be.
  if (live.dataset.ready && state.current && state.content !== live.dataset.content) {
    tell(making, "There are new cases or answers: load the page again to see them.");
  }
  return state.state === "unfinished" || !state.current;
});
