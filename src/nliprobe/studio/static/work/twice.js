// The second half of a double click comes when the next page is there already: what lies under it was not meant.
const DOUBLE = 500, NEAR = 10, PLACE = "nliprobe pressed";
addEventListener("click", (event) => {
  // Keys press, too, and have no place; those that are held down are in keys.js.
  if (!event.detail) return;
  const [at, x, y] = JSON.parse(sessionStorage.getItem(PLACE) || "[0, 0, 0]");
  sessionStorage.setItem(PLACE, JSON.stringify([Date.now(), event.clientX, event.clientY]));
  const again = Date.now() - at < DOUBLE && Math.hypot(event.clientX - x, event.clientY - y) < NEAR;
  if (!again || at > performance.timeOrigin) return;
  event.preventDefault();
  event.stopPropagation();
}, { capture: true });
