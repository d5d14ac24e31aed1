// Points are placed by buttons and keys; there are never more than there are.
const box = document.querySelector(".bids");
const most = Number(box.dataset.points);
const field = (number) => document.getElementById("points-" + number);
const fields = [...box.querySelectorAll("input[type=number]")];
const order = [];
const left = () => most - fields.reduce((sum, one) => sum + (Number(one.value) || 0), 0);
function tell() {
  const rest = left();
  document.getElementById("left").textContent = rest > 0 ? `${rest} of ${most} points left` : rest < 0 ? `${-rest} too many` : "All points are placed.";
}
function place(number, by) {
  const one = field(number);
  const value = (Number(one.value) || 0) + by;
  if (value < 0 || by > left()) return;
  one.value = value;
  if (by > 0) order.push(number);
  one.dispatchEvent(new Event("input", { bubbles: true }));
}
box.addEventListener("input", tell);
box.addEventListener("click", (event) => {
  const { more, less, rest } = event.target.dataset;
  if (more) place(more, 1);
  if (less) place(less, -1);
  if (rest && left() > 0) place(rest, left());
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Backspace" && !event.target.matches("textarea, input") && order.length) place(order.pop(), -1);
});
tell();
