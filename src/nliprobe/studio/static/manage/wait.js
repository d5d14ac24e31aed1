// Waits until a job is over, then loads the page that says what came of it.
const state = document.getElementById("waiting").dataset.state;

async function look() {
  const answer = await fetch(state, { headers: { accept: "application/json" } }).catch(() => null);
  if (answer && (!answer.ok || (await answer.json()).over)) location.reload();
  else setTimeout(look, 700);
}

setTimeout(look, 700);
