// Failing cases are data, never markup: everything is put on the page as text.
(function (own) {
  function element(name, className, text) {
    const node = document.createElement(name);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  }
  own.element = element;
  function label(letters) {
    return element("span", "label label-" + letters.replace(/[^ENC]/g, ""), letters || "none");
  }
  function either(letters) {
    return [...letters].flatMap((letter, place) => (place ? [" or ", label(letter)] : [label(letter)]));
  }
  // What people need and the system uses: a colour, a sign and words, so that none of them is needed alone.
  const MARKS = { b: ["both", "● needed and used"], n: ["needed", "○ needed, not used"], u: ["used", "× used, not needed"],
    k: ["unjudged", "• used"] };
  function unitLine(removed, mark, marked) {
    const known = MARKS[mark];
    const line = element("tr", [removed && "removed", marked && "marked", known && "mark-" + known[0]].filter(Boolean).join(" "));
    return { line, end: marked ? [element("td", "mark", known ? known[1] : "")] : [] };
  }
  // A column of marks is worth its room only where there is one.
  function anyMark(uses) {
    return Boolean(uses) && [...uses].some((mark) => MARKS[mark]);
  }
  function header(name, className, scope) {
    const cell = element("th", className, name);
    cell.scope = scope;
    return cell;
  }
  function tableOf(detail, uses) {
    const [title, rows] = detail.premise;
    const table = element("table");
    const caption = element("caption", "text", title);
    const removed = new Set(detail.edit.removed);
    const told = anyMark(uses);
    table.append(caption);
    for (const place of detail.edit.order || rows.keys()) {
      const { line, end } = unitLine(removed.has(place), uses && uses[place], told);
      line.append(header(rows[place][0], "text", "row"), element("td", "text", rows[place][1]), ...end);
      table.append(line);
    }
    return table;
  }
  // Of a long passage the first sentences and those with something to tell.
  const MOST = 60;
  function passageOf(detail, uses) {
    const removed = new Set();
    for (const [what, unit] of detail.edit.units || []) {
      if (what === "delete") removed.add(unit);
      else detail.sentences.forEach((_, place) => { if (place !== unit) removed.add(place); });
    }
    const table = element("table", "passage");
    let shown = 0;
    for (const [place, text] of detail.sentences.entries()) {
      const told = (removed.has(place) && removed.size < MOST) || (uses[place] && uses[place] !== ".");
      if (place >= MOST / 2 && detail.sentences.length > MOST && (!told || shown >= MOST)) continue;
      shown++;
      const { line, end } = unitLine(removed.has(place), uses[place], anyMark(uses));
      line.append(header(String(place + 1), "", "row"), element("td", "text", text), ...end);
      table.append(line);
    }
    return table;
  }
  function marked(pieces, className) {
    const box = element("span", className);
    for (const [kind, text] of pieces) {
      box.append(kind === "same" ? text : element(kind === "gone" ? "del" : "ins", "", text));
    }
    return box;
  }
  // Both versions of a table: what is gone is struck out on the left, what is new is marked on the right.
  const CHANGES = { same: "same", changed: "changed", added: "added", removed: "removed" };
  function sideOf(pieces, name, title) {
    const cell = element("td", "text");
    cell.dataset.side = title;
    pieces.forEach((piece, place) => {
      if (place) cell.append(", ");
      cell.append(typeof piece === "string" ? piece : element(name, "", piece[0]));
    });
    return cell;
  }
  function diffOf(detail) {
    const diff = detail.edit.diff;
    const from = detail.original || detail;
    const texts = [["title", from.premise[0]], ["hypothesis", from.hypothesis]].map(([name, same]) =>
      diff[name] ? [name, "changed", [[diff[name][0]]], [[diff[name][1]]]] : [name, "same", [same], [same]]);
    const rows = diff.lines.map((line) => {
      if (typeof line !== "number") return line;
      const [key, value] = from.premise[1][line];
      return [key, "same", [value], [value]];
    });
    const table = element("table", "diff");
    const head = element("tr");
    for (const name of ["what", "original", "as asked", "change"]) head.append(header(name, "", "col"));
    table.append(head);
    for (const [name, change, before, after] of [...texts, ...rows]) {
      const line = element("tr", "diff-" + change);
      line.append(header(name, "text", "row"), sideOf(before, "del", "original"), sideOf(after, "ins", "as asked"),
        element("td", "soft", CHANGES[change]));
      table.append(line);
    }
    const box = element("div", "both");
    box.append(table);
    if (diff.reordered) box.append(element("p", "small", "Rows are in another order, shown as asked."));
    return box;
  }
  function said(item, detail) {
    const line = element("p", "said");
    if (!item.asked) { line.append("was not asked"); return line; }
    if (item.before) {
      line.append("before ", label(item.before), " → after ", label(item.answer));
      if (item.allowed) line.append("; allowed: ", ...either(item.allowed));
    } else {
      line.append("answered ", label(item.answer));
      if (item.allowed) line.append(", right is ", ...either(item.allowed));
    }
    if (item.unmet && detail.expected) line.append("; expected: " + detail.expected);
    return line;
  }
  function probabilities(shares) {
    if (!shares) return [];
    const written = [..."ENC"].map((letter, place) => {
      const after = (shares[shares.length - 3 + place] / 1000).toFixed(3);
      return letter + " " + (shares.length === 6 ? (shares[place] / 1000).toFixed(3) + " → " : "") + after;
    });
    return [element("p", "small shares", "Probabilities: " + written.join(", "))];
  }
  // A word and a sign, so that nobody depends on the colour.
  function verdict(item) {
    if (!item.asked) return [];
    const [sign, words] = item.failure < 0 ? ["✓ ", "does not fail"] : item.unmet ? ["✗ ", "breaks what is expected"] : ["✗ ", "wrong"];
    return [element("p", item.failure < 0 ? "small passes" : "small bad", sign + words)];
  }
  function blocks(items, detail) {
    const box = element("div", "answers");
    for (const [system, item] of items) {
      const block = element("div", "answer");
      block.append(element("p", "name text", item.system), said(item, detail), ...verdict(item), ...probabilities(detail.shares[system]));
      box.append(block);
    }
    return box;
  }
  function premiseOf(detail, uses) {
    if (detail.edit.diff) return [diffOf(detail)];
    if (typeof detail.premise !== "string") return [tableOf(detail, uses)];
    if (uses && detail.sentences && (detail.edit.units || !detail.edit.words)) return [passageOf(detail, uses)];
    const line = element("p");
    line.append("Premise: ", marked(detail.edit.swap ? own.pieces(detail.hypothesis, detail.edit.hypothesis)
      : own.pieces(detail.premise, detail.edit.premise), "text"));
    return [line];
  }
  // One case with the answers of one or several systems.
  own.card = function (store, failures, detail, systems, tools) {
    const items = systems.map((system) => [system, own.answer(store, failures, detail.number, system)]);
    const [first, answer] = items[0];
    const box = element("article", "case");
    box.tabIndex = -1;
    const names = systems.length > 1 ? detail.corpus : answer.system;
    box.setAttribute("aria-label", names + ", " + detail.probe + ", " + detail.pair);
    box.append(element("p", "small soft text", names + " · " + detail.probe + " · " + detail.pair));
    const hypothesis = element("p");
    const swapped = detail.edit.swap && typeof detail.premise === "string";
    hypothesis.append("Hypothesis: ", marked(swapped ? own.pieces(detail.premise, detail.edit.premise)
      : own.pieces(detail.hypothesis, detail.edit.hypothesis), "text hypothesis"));
    box.append(hypothesis);
    if (systems.length > 1) box.append(blocks(items, detail));
    else box.append(said(answer, detail), ...probabilities(detail.shares[first]));
    if (detail.gold && (answer.before || systems.length > 1)) {
      const gold = element("p", "small");
      gold.append("Gold label of the pair: ", ...either(detail.gold));
      box.append(gold);
    }
    const words = [detail.edit.words, detail.doubt ? store.head.doubt : ""].filter(Boolean).join(" ");
    if (words) box.append(element("p", "small text", words));
    if (detail.original && detail.edit.diff) {
      box.append(element("p", "small text", "Made from " + detail.original.pair + ", which was answered " + (answer.base || "nothing") + "."));
    }
    box.append(...premiseOf(detail, systems.length === 1 && detail.uses ? detail.uses[first] || undefined : undefined));
    if (systems.length === 1) box.append(...others(store, failures, detail, first));
    const row = element("p", "tools small");
    for (const [name, work] of tools) {
      const button = element("button", "", name);
      button.type = "button";
      button.addEventListener("click", work);
      row.append(button);
    }
    box.append(row);
    return box;
  };
  function others(store, failures, detail, system) {
    const rest = store.head.systems.map((_, place) => place).filter((place) => place !== system)
      .map((place) => own.answer(store, failures, detail.number, place)).filter((item) => item.asked);
    if (!rest.length) return [];
    const line = element("p", "small soft text others");
    line.append("Other systems: ");
    rest.forEach((item, place) => {
      line.append((place ? "; " : "") + item.system + " ", ...(item.before ? [label(item.before), " → "] : []), label(item.answer),
        item.failure < 0 ? " ✓" : " ✗");
    });
    return [line];
  }
})(nliprobeCases);
