// Shows how Markdown looks while it is written; the server makes the HTML, in which all raw HTML is text.
const area = document.getElementById("instructions");
const shown = document.getElementById(area.dataset.preview);
const token = document.querySelector("meta[name=form-token]").content;
const PAUSE = 400;
let timer = 0, asked = 0;

async function show() {
  const number = ++asked;
  const answer = await fetch("/projects/preview", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", "x-form-token": token },
    body: JSON.stringify({ instructions: area.value }),
  }).catch(() => null);
  if (!answer || !answer.ok || number !== asked) return;
  const made = new DOMParser().parseFromString((await answer.json()).html, "text/html");
  shown.replaceChildren(...made.body.childNodes);
  shown.hidden = !area.value.trim();
}

document.getElementById("preview-button").addEventListener("click", (event) => {
  event.preventDefault();
  show();
});
area.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(show, PAUSE);
});
