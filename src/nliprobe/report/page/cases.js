// The list of failing cases: filters, search, order, links and keys.
(function (own) {
  const $ = (id) => document.getElementById(id);
  const packed = $("cases-data");
  if (!packed) return;
  if (!own.readable()) {
    $("cases-note").textContent = "This browser cannot unpack all cases (it has no DecompressionStream), so the first ones are shown.";
    return;
  }
  const STEP = 20;
  const PAUSE = 60;
  const SOME = 2000;
  const CHOICES = ["system", "beside", "probe", "corpus", "kind", "before", "answer", "gold", "facet", "sort", "group"];
  let store, failures, list, search;
  let matching = [];
  let visible = STEP;
  let turn = 0;
  const field = (name) => $("filter-" + name);

  // What a failure is chosen by, as short texts; a link holds them, so that it fits another copy of the page.
  function values() {
    const { systems, probes, corpora, failures: all, cases, pairs, facets, rules } = store.head;
    const kinds = { wrong: "wrong label", change: "change that is not allowed", expected: "expectation broken" };
    const facetNames = facets.values.map(([name, value]) => name + ": " + value);
    const sets = facets.sets.map((numbers) => new Set(numbers.map((number) => facetNames[number])));
    const answer = (place) => cases.answers[all.system[place]][all.case[place]];
    const before = (place) => {
      const number = all.case[place];
      const shown = all.marks[place] & 2 || cases.probe[number] !== store.head.identity;
      return shown ? own.before(cases.before[all.system[place]][number]) || "none" : "not compared";
    };
    const kind = (place) => all.marks[place] & 2 ? (rules[cases.rule[all.case[place]]] ? kinds.expected : kinds.change) : kinds.wrong;
    const of = {
      system: (place) => systems[all.system[place]], probe: (place) => probes[cases.probe[all.case[place]]],
      corpus: (place) => corpora[cases.corpus[all.case[place]]], kind, before,
      answer: (place) => own.letters(answer(place)), gold: (place) => own.letters(pairs.gold[cases.pair[all.case[place]]]) || "none",
    };
    const hasFacet = (place, name) => {
      const number = all.case[place];
      return sets[cases.facets[number]].has(name) || sets[pairs.facets[cases.pair[number]]].has(name);
    };
    return { of, hasFacet, facetNames };
  }
  function fill(name, options) {
    const select = field(name);
    for (const value of options) {
      const option = own.element("option", "", value);
      option.value = value;
      select.append(option);
    }
    // Nothing to choose from is nothing to show.
    select.closest("label").hidden = options.length < 2;
  }
  function fillFacets(names) {
    const select = field("facet");
    const groups = new Map();
    for (const [place, [name, value]] of store.head.facets.values.entries()) {
      if (!groups.has(name)) {
        const group = own.element("optgroup");
        group.label = name;
        groups.set(name, group);
        select.append(group);
      }
      const option = own.element("option", "", value);
      option.value = names[place];
      groups.get(name).append(option);
    }
    select.closest("label").hidden = !names.length;
  }
  // Which cases have all words in their texts; nothing without words.
  async function found(words, mine) {
    if (!words.length) return null;
    if (!search.ready()) $("status").textContent = "Unpacking the texts …";
    return search.find(words, () => mine === turn);
  }
  async function passes(hits, mine) {
    const wanted = Object.entries(list.of).map(([name, of]) => [of, field(name).value]).filter(([, value]) => value);
    const facet = field("facet").value;
    const { system, case: numbers } = store.head.failures;
    const beside = field("beside").value;
    const two = beside ? new Set([field("system").value, beside]) : null;
    const fits = two ? wanted.filter(([of]) => of !== list.of.system) : wanted;
    const seen = new Uint8Array(store.head.cases.pair.length);
    const chosen = [];
    const pause = own.turns();
    for (let place = 0; place < numbers.length; place++) {
      if (place % SOME === 0) await pause();
      if (mine !== turn) break;
      const number = numbers[place];
      if (hits && !hits[number]) continue;
      if (two && (seen[number] || !two.has(store.head.systems[system[place]]))) continue;
      if (!fits.every(([of, value]) => of(place) === value)) continue;
      if (facet && !list.hasFacet(place, facet)) continue;
      if (two && field("differ").checked && !differs(number)) continue;
      seen[number] = 1;
      chosen.push(place);
    }
    return chosen;
  }
  const compared = () => [field("system").value, field("beside").value].map((name) => store.head.systems.indexOf(name));
  function differs(number) {
    const [one, two] = compared().map((system) => store.head.cases.answers[system][number]);
    return one !== two;
  }
  function ordered(chosen) {
    const { confidence, case: numbers } = store.head.failures;
    const { cases, pairs } = store.head;
    const sort = field("sort").value;
    if (sort === "least") chosen.sort((one, two) => (confidence[one] < 0) - (confidence[two] < 0) || confidence[one] - confidence[two] || one - two);
    if (sort === "pair") chosen.sort((one, two) => cases.pair[numbers[one]] - cases.pair[numbers[two]] || one - two);
    const key = keyOf(field("group").value, cases, pairs, numbers);
    if (!key) return chosen;
    const groups = new Map();
    for (const place of chosen) {
      const name = key(place);
      if (groups.has(name)) groups.get(name).push(place); else groups.set(name, [place]);
    }
    groupSizes = new Map([...groups].map(([name, places]) => [name, places.length]));
    // The largest group first; among equals, the one that comes first.
    return [...groups.values()].sort((one, two) => two.length - one.length).flat();
  }
  let groupSizes = new Map();
  function keyOf(name, cases, pairs, numbers) {
    if (name === "group") return (place) => pairs.group[cases.pair[numbers[place]]];
    if (name === "pair") return (place) => cases.pair[numbers[place]];
    if (name === "probe") return (place) => cases.probe[numbers[place]];
    return null;
  }

  function systemsOf(place) {
    return field("beside").value ? compared() : [store.head.failures.system[place]];
  }
  async function cardOf(place) {
    const detail = await own.detail(store, store.head.failures.case[place]);
    return { detail, card: cardFor(detail, systemsOf(place)) };
  }
  function cardFor(detail, systems) {
    const json = () => JSON.stringify(own.json(store, failures, detail, systems), null, 1);
    return own.card(store, failures, detail, systems, [
      ["Open", () => open(detail.id)],
      ["Copy link", () => copy(linkTo(detail.id), "The link is copied.")],
      ["Copy JSON", () => copy(json(), "The case is copied as JSON.")],
    ]);
  }
  function heading(place, detail) {
    const { cases, pairs, failures: all } = store.head;
    const name = field("group").value;
    const key = keyOf(name, cases, pairs, all.case);
    if (!key) return null;
    const size = groupSizes.get(key(place));
    const title = name === "pair" ? detail.pair : name === "probe" ? detail.probe
      : typeof detail.premise === "string" ? detail.group : detail.premise[0] + " (" + detail.group + ")";
    return { key: key(place), node: own.element("h3", "group text", title + ": " + counted(size, "failing case")) };
  }
  const counted = (count, noun) => count.toLocaleString("en") + " " + noun + (count === 1 ? "" : "s");

  async function show(from, mine) {
    const cards = await Promise.all(matching.slice(from, visible).map(cardOf));
    if (mine !== turn) return;
    let last = from ? heading(matching[from - 1], cards[0].detail) : null;
    const lines = cards.map(({ detail, card }, at) => {
      const line = own.element("li");
      const head = heading(matching[from + at], detail);
      if (head && (!last || last.key !== head.key)) line.append(head.node);
      last = head;
      line.append(card);
      return line;
    });
    if (from) $("cases").append(...lines); else $("cases").replaceChildren(...lines);
    const size = store.head.failures.case.length;
    const kept = size < store.head.total ? " in the sample" : "";
    const what = field("beside").value ? counted(matching.length, "case") + " in which one of the two fails"
      : matching.length.toLocaleString("en") + " of " + counted(size, "failing case") + kept;
    $("status").textContent = what + (matching.length > visible ? ", the first " + visible.toLocaleString("en") + " shown" : "");
    $("more").hidden = matching.length <= visible;
  }
  async function draw() {
    const mine = ++turn;
    visible = STEP;
    field("differ").closest("label").hidden = !field("beside").value;
    const hits = await found($("search").value.toLowerCase().split(/\s+/).filter(Boolean), mine);
    if (mine !== turn) return;
    const chosen = await passes(hits, mine);
    if (mine !== turn) return;
    matching = ordered(chosen);
    await show(0, mine);
  }
  async function more() {
    const from = visible;
    visible += STEP;
    await show(from, turn);
  }

  // The fragment: which case is open, or what is chosen.
  const linkTo = (id) => location.href.split("#")[0] + "#case-" + id;
  function remember() {
    const chosen = new URLSearchParams();
    for (const name of CHOICES) if (field(name).value) chosen.set(name, field(name).value);
    if (field("differ").checked) chosen.set("differ", "1");
    if ($("search").value) chosen.set("q", $("search").value);
    const text = chosen.toString();
    history.replaceState(null, "", "#cases" + (text ? "?" + text : ""));
  }
  function recall(text) {
    const chosen = new URLSearchParams(text);
    for (const name of CHOICES) {
      field(name).value = chosen.get(name) || "";
      // A value that this page does not have leaves the list unfiltered.
      if (field(name).selectedIndex < 0) field(name).value = "";
    }
    field("differ").checked = chosen.has("differ");
    $("search").value = chosen.get("q") || "";
    settle();
  }
  // Side by side needs two systems that differ.
  function settle() {
    const beside = field("beside").value;
    if (beside && (!field("system").value || field("system").value === beside)) {
      field("system").value = store.head.systems.find((name) => name !== beside);
    }
  }
  async function follow() {
    const hash = location.hash;
    if (hash.startsWith("#case-")) {
      await open(decodeURIComponent(hash.slice(6)));
    } else if (hash.startsWith("#cases")) {
      recall(hash.split("?")[1] || "");
      await draw();
      $("cases-tools").scrollIntoView();
    }
  }
  let back = null;
  async function open(id) {
    const ids = await store.all("ids");
    const number = ids.indexOf(id);
    const box = $("case-open");
    const close = own.element("button", "", "Close");
    close.type = "button";
    close.addEventListener("click", shut);
    const inside = document.activeElement && document.activeElement.closest("#cases article.case");
    if (inside) back = inside;
    if (number < 0) {
      const sample = store.head.failures.case.length < store.head.total ? " It holds a sample of the failing cases." : "";
      box.replaceChildren(own.element("p", "text", "This page has no failing case " + id + "." + sample), close);
    } else {
      const detail = await own.detail(store, number);
      const failing = store.head.systems.map((_, system) => system).filter((system) => own.answer(store, failures, number, system).asked);
      box.replaceChildren(close, cardFor(detail, failing));
      history.replaceState(null, "", "#case-" + id);
    }
    box.hidden = false;
    box.scrollIntoView();
    (box.querySelector("article") || close).focus({ preventScroll: true });
  }
  function shut() {
    $("case-open").hidden = true;
    remember();
    (back && back.isConnected ? back : $("search")).focus();
  }
  async function copy(text, words) {
    try {
      await navigator.clipboard.writeText(text);
      $("said").textContent = words;
    } catch {
      // Without leave to copy, the text is shown, ready to be copied by hand.
      $("copy-text").value = text;
      $("copy").showModal();
      $("copy-text").select();
    }
  }

  async function step(by) {
    const cards = [...document.querySelectorAll("#cases article.case")];
    const at = cards.indexOf(document.activeElement && document.activeElement.closest("article.case"));
    const next = at < 0 ? (by > 0 ? 0 : -1) : at + by;
    if (next >= cards.length && !$("more").hidden) {
      await more();
      return step(by);
    }
    const card = cards[next];
    if (card) card.focus();
  }
  function keys(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = event.target;
    if (event.key === "Escape" && !$("case-open").hidden) { shut(); return; }
    if (target.matches("input, select, textarea")) {
      if (event.key === "Escape") target.blur();
      return;
    }
    const onCard = target.matches("#cases article.case");
    const work = {
      ArrowDown: onCard && (() => step(1)), ArrowUp: onCard && (() => step(-1)),
      Enter: onCard && (() => target.querySelector(".tools button").click()),
      ...($("keys-on").checked ? { j: () => step(1), k: () => step(-1), "/": () => $("search").focus(), "?": () => $("help").showModal() } : {}),
    }[event.key];
    if (!work) return;
    event.preventDefault();
    work();
  }

  async function start() {
    store = await own.open(packed.textContent);
    failures = own.failures(store.head);
    list = values();
    search = own.search(store);
    const { head } = store;
    const pause = own.turns();
    for (const [name, of] of Object.entries(list.of)) {
      const known = new Set();
      for (let place = 0; place < head.failures.case.length; place++) known.add(of(place));
      fill(name, [...known].sort());
      await pause();
    }
    fill("beside", head.systems.length > 1 ? [...head.systems] : []);
    fillFacets(list.facetNames);
    if (!head.failures.confidence.some((value) => value >= 0)) {
      field("sort").options[0].textContent = "in random order";
      field("sort").options[1].remove();
    }
    for (const name of [...CHOICES, "differ"]) {
      field(name).addEventListener("change", () => { settle(); remember(); draw(); });
    }
    let waiting;
    $("search").addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => { remember(); draw(); }, PAUSE);
    });
    $("more").addEventListener("click", more);
    $("keys").addEventListener("click", () => $("help").showModal());
    for (const name of ["help", "copy"]) $(name + "-close").addEventListener("click", () => $(name).close());
    document.addEventListener("keydown", keys);
    addEventListener("hashchange", follow);
    await draw();
    $("cases-sample").remove();
    $("cases-tools").hidden = false;
    await follow();
    search.prepare();
  }
  start();
})(nliprobeCases);
