// Keeps the parts of a project's page up to date: asks how far it is, and takes the parts anew when something happened.
const EVERY = 4000, LONGEST = 60000;
const parts = ["progress", "batches", "raters", "flags"];
const lost = document.getElementById("lost");
let wait = EVERY;

async function renew() {
  const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const name of parts) {
    const [old, made] = [document.getElementById(name), page.getElementById(name)];
    // Whoever is reading a table with the keyboard must not lose their place.
    if (old && made && !old.contains(document.activeElement)) old.replaceWith(document.importNode(made, true));
  }
}

async function look() {
  const shown = document.getElementById("progress");
  try {
    if (!document.hidden) {
      const answer = await fetch(shown.dataset.live, { headers: { accept: "application/json" } });
      if (!answer.ok) throw new Error(String(answer.status));
      const state = await answer.json();
      if (String(state.pulse) !== shown.dataset.pulse) await renew();
      lost.hidden = true;
    }
    wait = EVERY;
  } catch {
    lost.hidden = false;
    wait = Math.min(2 * wait, LONGEST);
  }
  setTimeout(look, wait);
}

setTimeout(look, EVERY);
