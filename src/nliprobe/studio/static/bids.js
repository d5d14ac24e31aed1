// Points on ranges: buttons that add and take away, never more than there are.
export function makeBids(form, most) {
  const inputs = [...form.querySelectorAll('input[name="points"]')];
  const left = document.getElementById("left");
  const send = document.getElementById("send");

  const value = (input) => Math.max(0, Math.trunc(Number(input.value)) || 0);
  const total = () => inputs.reduce((sum, input) => sum + value(input), 0);

  const isPlaced = () => total() > 0 && total() <= most;

  // A button that is disabled loses the focus, and the next Enter would answer: so it is only called so as long.
  function allow(button, is) {
    const held = button === document.activeElement;
    button.disabled = !is && !held;
    button.setAttribute("aria-disabled", String(!is && held));
  }

  function show() {
    const rest = most - total();
    left.textContent = rest < 0 ? `${-rest} too many` : rest === 1 ? "1 point left" : `${rest} points left`;
    send.disabled = !isPlaced();
    form.querySelectorAll(".more").forEach((button) => allow(button, rest > 0));
    form.querySelectorAll(".less").forEach((button, place) => allow(button, value(inputs[place]) > 0));
  }

  function add(place, by) {
    const input = inputs[place];
    if (!input || (by > 0 && total() >= most)) return;
    input.value = String(Math.max(0, value(input) + by));
    show();
  }

  form.querySelectorAll(".bid").forEach((row, place) => {
    for (const [name, by] of [["less", -1], ["more", 1]]) {
      const button = row.querySelector(`.${name}`);
      button.hidden = false;
      button.addEventListener("click", () => add(place, by));
      button.addEventListener("blur", () => setTimeout(show));
    }
  });
  inputs.forEach((input) => input.addEventListener("input", show));
  left.hidden = false;
  show();
  return { add, isPlaced };
}
