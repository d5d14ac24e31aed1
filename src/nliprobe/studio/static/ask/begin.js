// A table that is copied from a page comes as HTML beside its text: the HTML knows its rows, so that is what is pasted.
import { sendOnce, submitByKeys } from "./keys.js";

const premise = document.getElementById("premise");
const form = document.getElementById("form");

premise.addEventListener("paste", (event) => {
  const html = event.clipboardData?.getData("text/html") ?? "";
  const table = html.match(/<table[\s\S]*<\/table>/i);
  if (!table || premise.value.trim()) return;
  event.preventDefault();
  premise.setRangeText(table[0], premise.selectionStart, premise.selectionEnd, "end");
  form.value = "html";
});

submitByKeys(document.getElementById("begin"));
sendOnce();
