// Keeps the parts of a project's page up to date: asks how far it is, and takes the parts anew when something happened.
const EVERY = 4000, LONGEST = 60000;
const parts = ["progress", "batches", "raters", "flags"];
// Parts that have come and could not be put in their place yet.
const coming = new Map();
const lost = document.getElementById("lost");
let wait = EVERY, pulse = document.getElementById("progress").dataset.pulse;

async function renew() {
  const answer = await fetch(location.pathname, { headers: { accept: "text/html" } });
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const name of parts) {
    const made = page.getElementById(name);
    if (made) coming.set(name, document.importNode(made, true));
  }
  // Of a large project the numbers may be older than what happened last: then they are asked for again.
  pulse = coming.get("progress").dataset.pulse;
}

// Whoever is in a table, by the keyboard or because they pressed on it, must not lose their place: they are put on the
// same link, or into the same table. Where there is no such place any more, the part waits until they have left it.
function place(old, made) {
  const active = document.activeElement;
  let same = null;
  if (old.contains(active)) {
    const like = (part) => [...part.querySelectorAll("a, [tabindex]")].filter((one) => one.href === active.href);
    same = like(made)[like(old).indexOf(active)];
    if (!same) return false;
  }
  const scrolled = [...old.querySelectorAll(".wide")].map((table) => table.scrollLeft);
  old.replaceWith(made);
  made.querySelectorAll(".wide").forEach((table, number) => (table.scrollLeft = scrolled[number] ?? 0));
  same?.focus({ preventScroll: true });
  return true;
}

async function look() {
  const shown = document.getElementById("progress");
  try {
    if (!document.hidden) {
      const answer = await fetch(shown.dataset.live, { headers: { accept: "application/json" } });
      // Whoever has signed out elsewhere is told so by the page itself.
      if (answer.status === 403) return location.reload();
      if (!answer.ok) throw new Error(String(answer.status));
      const state = await answer.json();
      if (String(state.pulse) !== pulse) await renew();
      for (const [name, made] of coming) if (place(document.getElementById(name), made)) coming.delete(name);
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
