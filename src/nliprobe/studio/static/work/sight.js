// What the focus goes to is not hidden under what stays above and below it; browsers look only at the window's edges.
const ROOM = 8;
const by = (top) => scrollBy({ top, behavior: "instant" });

function free() {
  const above = document.querySelector(".stays"), below = document.querySelector(".ask:not(.long)");
  const sticks = (bar) => bar && getComputedStyle(bar).position === "sticky";
  return {
    top: sticks(above) ? Math.max(0, above.getBoundingClientRect().bottom) : 0,
    bottom: sticks(below) ? Math.min(innerHeight, below.getBoundingClientRect().top) : innerHeight,
  };
}

export function keepInSight() {
  document.addEventListener("focusin", ({ target }) => {
    // A press of the mouse must not move what it presses; fields to write in are always meant.
    if (!target.matches(":focus-visible") || target.closest(".stays, .ask")) return;
    const { top, bottom } = free();
    const box = (target.closest("tr, li") ?? target).getBoundingClientRect();
    if (box.top < top + ROOM || box.height > bottom - top) by(box.top - top - ROOM);
    else if (box.bottom > bottom - ROOM) by(box.bottom - bottom + ROOM);
  });
}
