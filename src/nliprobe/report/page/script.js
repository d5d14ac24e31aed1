"use strict";
// Failing cases are data, never markup: everything is put on the page as text.
(function () {
  const data = JSON.parse(document.getElementById("failures").textContent);
  const list = document.getElementById("cases");
  if (!list) return;
  const status = document.getElementById("status");
  const more = document.getElementById("more");
  const fields = ["system", "corpus", "probe", "change"];
  const STEP = 20;
  let visible = STEP;

  function element(name, className, text) {
    const node = document.createElement(name);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  }
  function label(letters) {
    return element("span", "label label-" + letters, letters || "none");
  }
  function either(letters) {
    return [...letters].flatMap((letter, place) => (place ? [" or ", label(letter)] : [label(letter)]));
  }
  // What people need and the system uses: a colour, a sign and words, so that none of them is needed alone.
  const MARKS = { both: "● needed and used", needed: "○ needed, not used", used: "× used, not needed" };
  function markClass(unit) {
    return (unit.removed ? "removed " : "") + "marked" + (unit.mark ? " mark-" + unit.mark : "");
  }
  function tableOf(item) {
    const table = element("table");
    for (const row of item.rows) {
      const line = element("tr", markClass(row));
      const key = element("th", "text", row.key);
      key.scope = "row";
      line.append(key, element("td", "text", row.value));
      if (item.marked) line.append(element("td", "mark", MARKS[row.mark] || ""));
      table.append(line);
    }
    return table;
  }
  // Both versions of a table: what is gone is struck out on the left, what is new is marked on the right.
  const CHANGES = { same: "", changed: "changed", added: "added", removed: "removed" };
  function piecesOf(pieces, name) {
    const cell = element("td", "text");
    for (const [place, piece] of pieces.entries()) {
      if (place) cell.append(", ");
      cell.append(piece.changed ? element(name, "", piece.text) : piece.text);
    }
    return cell;
  }
  function diffOf(item) {
    const table = element("table", "diff");
    const head = element("tr");
    for (const name of ["", "original", "as asked", ""]) {
      const cell = element("th", "", name);
      cell.scope = "col";
      head.append(cell);
    }
    table.append(head);
    for (const line of item.diff.lines) {
      const row = element("tr", "diff-" + line.change);
      const key = element("th", "text", line.name);
      key.scope = "row";
      row.append(key, piecesOf(line.before, "del"), piecesOf(line.after, "ins"), element("td", "soft", CHANGES[line.change]));
      table.append(row);
    }
    const box = element("div", "wide");
    box.append(table);
    if (item.diff.reordered) box.append(element("p", "small", "Rows are in another order, shown as asked."));
    return box;
  }
  function passageOf(item) {
    const table = element("table", "passage");
    for (const [place, sentence] of item.sentences.entries()) {
      const line = element("tr", markClass(sentence));
      const number = element("th", "", String(place + 1));
      number.scope = "row";
      line.append(number, element("td", "text", sentence.text));
      if (item.marked) line.append(element("td", "mark", MARKS[sentence.mark] || ""));
      table.append(line);
    }
    return table;
  }
  function card(item) {
    const box = element("article", "case");
    const head = element("p", "small soft");
    head.append(item.system + " · " + item.probe + " · " + item.pair);
    const said = element("p");
    if (item.before) {
      said.append("before ", label(item.before), ", after ", label(item.answer));
      if (item.allowed) said.append("; allowed: ", ...either(item.allowed));
    } else {
      said.append("answered ", label(item.answer));
      if (item.allowed) said.append(", right is ", ...either(item.allowed));
    }
    if (item.expected) said.append("; expected: " + item.expected);
    const hypothesis = element("p");
    hypothesis.append("Hypothesis: ", element("span", "text hypothesis", item.hypothesis));
    box.append(head, hypothesis, said);
    if (item.moved) box.append(element("p", "small", item.moved));
    if (item.edit) box.append(element("p", "small", item.edit));
    if (item.original) box.append(element("p", "small", item.original));
    if (item.diff) {
      box.append(diffOf(item));
    } else if (item.rows) {
      box.append(element("p", "text", item.title), tableOf(item));
    } else if (item.sentences) {
      box.append(passageOf(item));
    } else {
      const premise = element("p");
      premise.append("Premise: ", element("span", "text", item.premise));
      box.append(premise);
    }
    return box;
  }
  function chosen() {
    const wanted = Object.fromEntries(fields.map((name) => [name, document.getElementById("filter-" + name).value]));
    const words = document.getElementById("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    return data.filter((item) =>
      fields.every((name) => !wanted[name] || item[name] === wanted[name]) &&
      words.every((word) => item.search.includes(word)));
  }
  function draw() {
    const matching = chosen();
    list.replaceChildren(...matching.slice(0, visible).map(card));
    status.textContent = matching.length + " of " + data.length + " failing cases" +
      (matching.length > visible ? ", the first " + visible + " shown" : "");
    more.hidden = matching.length <= visible;
  }
  for (const item of data) {
    item.change = item.before ? item.before + " → " + item.answer : (item.allowed || "other") + " taken for " + item.answer;
    item.search = [item.hypothesis, item.premise, item.title, item.pair, item.edit,
      ...(item.rows || []).map((row) => row.key + " " + row.value),
      ...(item.sentences || []).map((sentence) => sentence.text)].join(" ").toLowerCase();
  }
  for (const name of fields) {
    const select = document.getElementById("filter-" + name);
    for (const value of [...new Set(data.map((item) => item[name]))].sort()) {
      const option = element("option", "", value);
      option.value = value;
      select.append(option);
    }
    select.addEventListener("change", () => { visible = STEP; draw(); });
  }
  document.getElementById("search").addEventListener("input", () => { visible = STEP; draw(); });
  more.addEventListener("click", () => { visible += STEP; draw(); });
  draw();
})();
