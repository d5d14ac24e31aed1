// The difference from the original while somebody edits. It is made by the server, by the same rules as everywhere.
import { bodyOf, post } from "./forms.js";

const QUIET = 350, AGAIN = 3000;
const form = document.getElementById("answer");
const rows = document.getElementById("rows");
const byId = (id) => document.getElementById(id);
let timer = 0, asked = 0;

function cell(pieces, name, side) {
  const box = document.createElement("td");
  box.className = "text";
  box.dataset.side = side;
  pieces.forEach((piece, place) => {
    if (place) box.append(", ");
    if (!piece.changed) return box.append(piece.text);
    const mark = document.createElement(name);
    mark.textContent = piece.text;
    box.append(mark);
  });
  return box;
}

function draw(answer) {
  const lines = (answer.lines || []).map((line) => {
    const row = document.createElement("tr");
    row.className = "diff-" + line.change;
    const name = document.createElement("th");
    name.scope = "row";
    name.className = "text";
    name.textContent = line.name;
    const change = document.createElement("td");
    change.className = "soft";
    change.textContent = line.change;
    row.append(name, cell(line.before, "del", "original"), cell(line.after, "ins", "edited"), change);
    return row;
  });
  const changed = (answer.lines || []).some((line) => line.change !== "same");
  byId("diff").tBodies[0].replaceChildren(...lines);
  byId("diff").hidden = !changed;
  byId("nothing-yet").hidden = changed;
  byId("checked").textContent = changed ? answer.error || "This can be saved." : "";
  byId("checked").classList.remove("old");
}

async function check() {
  const number = ++asked;
  try {
    const response = await post(form.dataset.base + "/check", bodyOf(form));
    // What the server refuses is said when it is saved.
    if (!response.ok) return;
    const answer = await response.json();
    // A slower answer to an earlier question must not take the place of a newer one.
    if (number === asked) draw(answer);
  } catch {
    // The network is away for a moment; saving checks in any case.
    if (number === asked) {
      clearTimeout(timer);
      timer = setTimeout(check, AGAIN);
    }
  }
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(check, QUIET);
}

// What was said about the table before this edit is not said about it now.
function edited() {
  byId("checked").classList.add("old");
  later();
}

function mark(row) {
  row.classList.toggle("gone", Boolean(row.querySelector("[name^=gone-]")?.checked));
}

// Cells are named by the number of their row.
function number() {
  [...rows.rows].forEach((row, place) => {
    for (const one of row.querySelectorAll("[aria-label]")) one.ariaLabel = one.ariaLabel.replace(/(?<= row )\d+$/, place + 1);
  });
}

function add() {
  const last = [...rows.querySelectorAll("tr[data-row^=n]")].at(-1);
  const name = "n" + (Number(last.dataset.row.slice(1)) + 1);
  const row = last.cloneNode(true);
  const old = last.dataset.row;
  row.dataset.row = name;
  for (const one of row.querySelectorAll("[name], [id]")) {
    if (one.name) one.name = one.name.replace("-" + old, "-" + name);
    if (one.id) one.id = one.id.replace("-" + old, "-" + name);
    delete one.dataset.key;
    one.value = "";
  }
  last.after(row);
  number();
  const listed = document.createElement("input");
  Object.assign(listed, { type: "hidden", name: "row", value: name });
  form.querySelector("fieldset.editing").append(listed);
  row.querySelector("input[type=text]").focus();
}

form.addEventListener("input", (event) => {
  if (event.target.name === "remark") return;
  const row = event.target.closest("tr");
  if (row) mark(row);
  edited();
});
// In a table, Enter goes on to the next cell; it would save the answer before it is finished.
rows.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing || !event.target.matches("input[type=text]")) return;
  event.preventDefault();
  const fields = [...rows.querySelectorAll("input[type=text], textarea")];
  const next = fields[fields.indexOf(event.target) + 1];
  next?.focus();
  next?.select();
});
rows.addEventListener("click", (event) => {
  if (!event.target.matches("[data-drop]")) return;
  const row = event.target.closest("tr");
  for (const one of row.querySelectorAll("input[type=text], textarea")) one.value = "";
  // One empty row stays, to be filled.
  if (rows.querySelectorAll("tr[data-row^=n]").length > 1) {
    const near = [row.nextElementSibling, row.previousElementSibling].find((one) => one?.matches("[data-row^=n]"));
    near.querySelector("[data-drop]").focus();
    form.querySelector(`[name=row][value="${CSS.escape(row.dataset.row)}"]`).remove();
    row.remove();
    number();
  }
  form.dispatchEvent(new Event("change"));
  edited();
});
byId("add")?.addEventListener("click", add);
byId("check").hidden = true;
// Whoever typed before this script was there, came back by the browser's own way, or goes on with a draft, sees the
// difference and whether it can be saved, too.
const isOther = (one) => one.value !== one.defaultValue || one.checked !== one.defaultChecked;
if (!byId("diff").hidden || [...form.querySelectorAll("input:not([type=hidden]), textarea")].some(isOther)) later();
