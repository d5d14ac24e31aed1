// Words in the texts of failing cases. Texts are unpacked and written in small letters block by block while the page has
// nothing else to do, and looked through in short turns, so that the page answers meanwhile.
(function (own) {
  const TURN = 16;
  const idle = () => new Promise((done) => {
    if (typeof requestIdleCallback === "function") requestIdleCallback(done, { timeout: 1000 }); else setTimeout(done, 20);
  });
  const next = () => new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => { channel.port1.close(); done(); };
    channel.port2.postMessage(0);
  });
  // Lets the page do something else once a turn is over.
  own.turns = function () {
    let end = performance.now() + TURN;
    return async function () {
      if (performance.now() < end) return;
      await next();
      end = performance.now() + TURN;
    };
  };

  const inEdit = (edit) => !edit ? "" : [edit.words, ...[edit.hypothesis, edit.premise].flat().filter((part) => typeof part === "string"),
    ...(edit.diff ? [JSON.stringify(edit.diff)] : [])].join(" ");
  const TEXTS = {
    premises: (item) => typeof item === "string" ? item : item[0] + " " + item[1].map((row) => row.join(" ")).join(" "),
    pairs: (item) => [item[0], item[1], ...(item[3] || [])].join(" "),
    edits: inEdit,
    ids: (item) => item,
  };
  // Before each text of a block; no word holds it, so that no word is found across two texts.
  const BREAK = "\n";
  const SOME = 500;

  own.search = function (store) {
    const blocks = Object.fromEntries(Object.keys(TEXTS).map((name) => [name, []]));
    let hurried = false;
    let prepared = null;
    let ready = false;
    async function prepare() {
      const pause = own.turns();
      // The probabilities are not searched, but cards need them.
      for (const name of [...Object.keys(TEXTS), "shares"]) {
        for (let number = 0; number < store.blocks(name); number++) {
          if (!hurried) await idle();
          const items = await store.block(name, number);
          if (!TEXTS[name]) continue;
          const parts = [];
          for (let from = 0; from < items.length; from += SOME) {
            parts.push(...items.slice(from, from + SOME).map((item) => BREAK + TEXTS[name](item).toLowerCase()));
            await pause();
          }
          const ends = new Int32Array(parts.length);
          parts.reduce((end, part, place) => (ends[place] = end + part.length), 0);
          blocks[name].push({ text: parts.join(""), ends });
          await pause();
        }
      }
      ready = true;
    }
    // Which texts of a list hold a word.
    async function marked(name, word, pause) {
      const marks = new Uint8Array(store.size(name));
      let first = 0;
      for (const { text, ends } of blocks[name]) {
        let item = 0;
        for (let at = text.indexOf(word); at >= 0 && item < ends.length; at = text.indexOf(word, ends[item - 1])) {
          while (ends[item] <= at) item++;
          marks[first + item++] = 1;
        }
        first += ends.length;
        await pause();
      }
      return marks;
    }
    return {
      ready: () => ready,
      prepare: () => (prepared = prepared || prepare()),
      // Per case, whether all words are in its texts or begin its id; nothing once the answer is no longer wanted.
      async find(words, wanted) {
        hurried = true;
        await this.prepare();
        const { cases, pairs } = store.head;
        const hits = new Uint8Array(cases.pair.length).fill(1);
        const pause = own.turns();
        for (const word of words) {
          if (!wanted()) return null;
          const inPremise = await marked("premises", word, pause);
          const inPair = await marked("pairs", word, pause);
          const inEdits = await marked("edits", word, pause);
          const inId = await marked("ids", BREAK + word, pause);
          for (let number = 0; number < hits.length; number++) {
            const pair = cases.pair[number];
            if (!(inPremise[pairs.premise[pair]] || inPair[pair] || inEdits[cases.edit[number]] || inId[number])) hits[number] = 0;
          }
          await pause();
        }
        return hits;
      },
    };
  };
})(nliprobeCases);
