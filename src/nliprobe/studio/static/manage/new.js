// Shows the question about a run only where a run is chosen; without scripts it is always there.
const source = document.getElementById("source");
const run = document.querySelector("[data-for=run]");

function fit() {
  run.hidden = source.selectedOptions[0]?.dataset.kind !== "run";
}

source.addEventListener("change", fit);
// Whoever comes back finds what they chose, which the browser puts there later than scripts run.
addEventListener("pageshow", fit);
fit();
