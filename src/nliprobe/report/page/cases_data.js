"use strict";
// Failing cases are packed: the first line of the text is read at once, blocks of texts when they are needed.
const nliprobeCases = {};
(function (own) {
  async function unpacked(line) {
    const letters = atob(line);
    const bytes = new Uint8Array(letters.length);
    for (let place = 0; place < letters.length; place++) bytes[place] = letters.charCodeAt(place);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }
  own.readable = () => typeof DecompressionStream === "function";

  own.open = async function (text) {
    const lines = text.trim().split("\n");
    const head = await unpacked(lines[0]);
    const blocks = new Map();
    function block(number) {
      if (!blocks.has(number)) blocks.set(number, unpacked(lines[number]));
      return blocks.get(number);
    }
    async function item(name, number) {
      const { first, starts } = head.lists[name];
      let low = 0;
      let high = starts.length - 1;
      while (low + 1 < high) {
        const middle = (low + high) >> 1;
        if (starts[middle] <= number) low = middle; else high = middle;
      }
      return (await block(first + low))[number - starts[low]];
    }
    async function all(name) {
      const { first, starts } = head.lists[name];
      const parts = [];
      for (let number = 0; number < starts.length - 1; number++) parts.push(await block(first + number));
      return parts.flat(1);
    }
    return {
      head, item, all, size: (name) => head.lists[name].starts.at(-1), blocks: (name) => head.lists[name].starts.length - 1,
      block: (name, number) => block(head.lists[name].first + number),
    };
  };

  const SETS = ["", "E", "N", "EN", "C", "EC", "NC", "ENC"];
  own.letters = (mask) => SETS[mask];
  // The answers to the bases of a case: one mask, or two in a number above all masks.
  own.before = (code) => (code < 8 ? own.letters(code) : own.letters((code - 8) >> 3) + ", " + own.letters((code - 8) & 7));

  // Everything that a card shows of a case.
  own.detail = async function (store, number) {
    const { cases, pairs } = store.head;
    const pair = cases.pair[number];
    const base = cases.base[number];
    const wanted = [
      store.item("ids", number), store.item("pairs", pair), store.item("premises", pairs.premise[pair]),
      store.item("edits", cases.edit[number]), store.item("shares", number),
    ];
    if (base >= 0) wanted.push(store.item("pairs", base), store.item("premises", pairs.premise[base]));
    const [id, about, premise, edit, shares, original, originalPremise] = await Promise.all(wanted);
    return {
      number, id, premise, shares, edit: edit || {}, pair: about[0], hypothesis: about[1], uses: about[2], sentences: about[3],
      gold: own.letters(pairs.gold[pair]), corpus: store.head.corpora[cases.corpus[number]],
      probe: store.head.probes[cases.probe[number]], group: pairs.groups[pairs.group[pair]],
      expected: cases.rule[number] < 0 ? "" : store.head.rules[cases.rule[number]], doubt: Boolean(cases.doubt[number]),
      original: original && { pair: original[0], hypothesis: original[1], premise: originalPremise },
      compared: cases.probe[number] !== store.head.identity,
    };
  };

  // What one system made of a case: its answers, and the failure if it is one.
  own.answer = function (store, failures, number, system) {
    const { cases } = store.head;
    const failure = failures.of(system, number);
    const mask = cases.answers[system][number];
    const marks = failure < 0 ? 0 : store.head.failures.marks[failure];
    const shown = (marks & 2) !== 0 || cases.probe[number] !== store.head.identity;
    return {
      system: store.head.systems[system], failure, wrong: (marks & 1) !== 0, unmet: (marks & 2) !== 0,
      asked: mask < 8, answer: mask < 8 ? own.letters(mask) : "", before: shown ? own.before(cases.before[system][number]) : "",
      base: own.before(cases.before[system][number]),
      allowed: failure < 0 ? "" : own.letters(store.head.failures.allowed[failure]),
    };
  };

  // Where the failure of a system on a case is, or -1.
  own.failures = function (head) {
    const size = head.cases.pair.length;
    const places = new Int32Array(size * head.systems.length).fill(-1);
    head.failures.case.forEach((number, place) => { places[head.failures.system[place] * size + number] = place; });
    return { of: (system, number) => places[system * size + number] };
  };

  // A text with its marks, as pieces: what stays, what is gone and what is new. Without marks it stays as it is.
  own.pieces = function (text, marks) {
    if (marks === undefined) return [["same", text]];
    if (typeof marks === "string") return [["same", marks]];
    let at = 0;
    return marks.map((mark) => {
      if (typeof mark === "string") return ["new", mark];
      const size = Math.abs(mark);
      at += size;
      return [mark < 0 ? "gone" : "same", text.slice(at - size, at)];
    });
  };
  own.asked = (text, marks) => own.pieces(text, marks).filter(([kind]) => kind !== "gone").map(([, part]) => part).join("");

  // A case as JSON, for other programs: what stands on the card.
  own.json = function (store, failures, detail, systems) {
    const marks = detail.edit;
    const premise = typeof detail.premise === "string" ? own.asked(detail.premise, marks.premise)
      : { title: detail.premise[0], rows: detail.premise[1] };
    const said = own.asked(detail.hypothesis, marks.hypothesis);
    return {
      schema: "nliprobe/failing-case/1", case_id: detail.id, pair_id: detail.pair, corpus: detail.corpus, probe: detail.probe,
      premise: marks.swap ? said : premise, hypothesis: marks.swap ? premise : said, edit: marks.words || null,
      removed: marks.removed || null, order: marks.order || null, diff: marks.diff || null,
      original: detail.original || null, gold: detail.gold || null, group: detail.group,
      certain: !detail.doubt, expected: detail.expected || null,
      answers: systems.map((system) => {
        const item = own.answer(store, failures, detail.number, system);
        const shares = detail.shares[system];
        return {
          system: item.system, failing: item.failure >= 0, before: item.before || null, answer: item.answer || null,
          allowed: item.allowed || null,
          probabilities_before: shares && shares.length === 6 ? shares.slice(0, 3).map((share) => share / 1000) : null,
          probabilities: shares ? shares.slice(-3).map((share) => share / 1000) : null,
        };
      }),
    };
  };
})(nliprobeCases);
