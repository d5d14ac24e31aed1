// Keys do what the page shows: each is the press of something that can be clicked, too.
const byId = (id) => document.getElementById(id);
const isText = (element) => element.matches?.("textarea, select, input:not([type=checkbox]):not([type=radio])");

function open(details, field) {
  details.open = true;
  field.focus();
}

// Enter in the field of the reason then does what the key said.
function pass(flag) {
  const details = byId("pass");
  if (!details) return;
  details.dataset.flag = flag;
  open(details, byId("reason"));
}

function move(by) {
  const stops = [...document.querySelectorAll("[data-stop]:not(:disabled)")];
  const here = stops.indexOf(document.activeElement);
  const next = here < 0 ? (by > 0 ? 0 : stops.length - 1) : (here + by + stops.length) % stops.length;
  stops[next]?.focus();
}

function press(key) {
  const target = document.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
  if (!target) return false;
  if (isText(target)) target.focus();
  else target.click();
  return true;
}

const WORK = {
  ArrowDown: () => move(1), ArrowRight: () => move(1), ArrowUp: () => move(-1), ArrowLeft: () => move(-1),
  s: () => pass(""),
  f: () => pass("yes"),
  c: () => open(document.querySelector("details.remark"), byId("remark")),
  i: () => { const it = document.querySelector("details.instructions"); it.open = !it.open; it.querySelector("summary").focus(); },
  z: () => (byId("undo") || byId("queue"))?.click(),
  "?": () => byId("keys").showModal(),
};

export function listen() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || byId("keys").open) return;
    if (isText(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    // A key that is held down would judge one item after the other.
    if (event.repeat && !event.key.startsWith("Arrow")) return;
    // With the focus on it, a table that is wider than the page is moved sideways.
    if (event.target.matches(".wide") && ["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    if (press(event.key)) event.preventDefault();
    else if (WORK[event.key]) {
      event.preventDefault();
      WORK[event.key]();
    } else if (event.key === "Enter" && event.target.matches("body, main, [type=checkbox]")) {
      const save = document.querySelector("#answer button.main:not(:disabled)");
      if (save) { event.preventDefault(); save.click(); }
    }
  });
}
