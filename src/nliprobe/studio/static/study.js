// Keys for a question: numbers choose or place points, Enter answers; the page works without them.
import { makeBids } from "./bids.js";

const form = document.getElementById("answer");
const onward = document.getElementById("on");
const bids = form?.dataset.points ? makeBids(form, Number(form.dataset.points)) : null;

function isWriting(target) {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && ["text", "number"].includes(target.type));
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isWriting(event.target)) return;
  // With Shift the key gives another sign, so the place of the key counts.
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1];
  if (digit && form) {
    if (bids) {
      bids.add(Number(digit) - 1, event.shiftKey ? -1 : 1);
      event.preventDefault();
    } else {
      const choice = form.querySelector(`input[data-key="${digit}"]`);
      if (choice) {
        choice.checked = true;
        choice.focus();
        event.preventDefault();
      }
    }
    return;
  }
  if (!form && onward && event.key === "Enter" && event.target === document.body) {
    onward.click();
    return;
  }
  if (!form || event.target !== document.body) return;
  if (bids) {
    if (event.key === "Enter" && bids.isPlaced()) form.requestSubmit(document.getElementById("send"));
    return;
  }
  const choices = [...form.querySelectorAll("input[data-key]")];
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    // Without a choice yet, an arrow goes to the first or the last one; from there on the browser moves.
    const choice = event.key === "ArrowDown" ? choices[0] : choices.at(-1);
    if (!choices.some((each) => each.checked)) choice.checked = true;
    (choices.find((each) => each.checked) ?? choice).focus();
    event.preventDefault();
  } else if (event.key === "Enter" && choices.some((each) => each.checked)) {
    form.requestSubmit(document.getElementById("send"));
  }
});

// A second press while the first is on its way would only be the same request again.
form?.addEventListener("submit", (event) => {
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => {
  if (form) delete form.dataset.sent;
});
