// What is wrong with how a page is laid out, seen from boxes. Evaluated in the page; gives functions by name.
(() => {
  const SMALLEST = 9; // pixels: smaller letters cannot be read on a phone
  const round = (box) => [box.left, box.top, box.right, box.bottom].map(Math.round).join(" ");
  const brief = (text) => {
    const plain = text.trim().replace(/\s+/g, " ");
    return JSON.stringify(plain.length > 60 ? plain.slice(0, 57) + "…" : plain);
  };
  // A name by which a person finds an element: itself, and the nearest thing around it that has an id or a heading.
  function named(element) {
    const own = element.localName + [...element.classList].map((name) => "." + name).join("");
    const around = element.closest("[id]:not(text):not(title):not(desc)");
    const heading = element.closest("section, article, figure")?.querySelector("h2, h3, figcaption");
    const place = around && around !== element ? " in #" + around.id : heading ? " under " + brief(heading.textContent) : "";
    return own + place;
  }
  const style = new Map();
  const styled = (element) => {
    if (!style.has(element)) style.set(element, getComputedStyle(element));
    return style.get(element);
  };
  const cuts = (value) => value === "hidden" || value === "clip";
  const scrolls = (value) => value === "auto" || value === "scroll";
  const unseen = new Map();
  // Texts for screen readers only: boxes of a pixel, cut away.
  function forReaders(element) {
    if (!element || element === document.body) return false;
    if (!unseen.has(element)) {
      const box = element.getBoundingClientRect();
      const hidden = styled(element).clipPath !== "none" || (styled(element).position === "absolute" && cuts(styled(element).overflowX));
      unseen.set(element, (hidden && box.width <= 2 && box.height <= 2) || forReaders(element.parentElement));
    }
    return unseen.get(element);
  }
  function visible(element) {
    return element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true }) && !forReaders(element);
  }
  function nodes() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (walker.currentNode.data.trim() && !element.closest("script, style, title, desc, option, noscript")) found.push(walker.currentNode);
    }
    return found;
  }
  function boxesOf(node) {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter((box) => box.width > 0.5 && box.height > 0.5);
  }
  // A box without what ancestors cut away or scroll, and the first ancestor that takes some of it, sideways or not.
  function clip(element, box) {
    let { left, top, right, bottom } = box;
    const by = [];
    for (let around = element; around && around !== document.documentElement; around = around.parentElement) {
      const own = styled(around);
      if (own.position === "fixed") break;
      if (own.overflowX === "visible" && own.overflowY === "visible") continue;
      if (around === document.body) continue; // its overflow is the window's
      if (own.display === "inline" && around.localName !== "svg") continue;
      const frame = around.getBoundingClientRect();
      if (own.overflowX !== "visible") {
        if (left < frame.left - 1 || right > frame.right + 1) by.push([around, "x", own.overflowX]);
        left = Math.max(left, frame.left); right = Math.min(right, frame.right);
      }
      if (own.overflowY !== "visible") {
        if (top < frame.top - 2 || bottom > frame.bottom + 2) by.push([around, "y", own.overflowY]);
        top = Math.max(top, frame.top); bottom = Math.min(bottom, frame.bottom);
      }
    }
    return { box: { left, top, right, bottom }, by };
  }
  function texts() {
    style.clear(); unseen.clear();
    return nodes().filter((node) => visible(node.parentElement)).map((node) => ({ node, element: node.parentElement, boxes: boxesOf(node) }));
  }
  function overlaps(shown) {
    const lines = [];
    for (const { node, element, boxes } of shown) for (const whole of boxes) {
      const { box } = clip(element, whole);
      // The box of a line has room above and below its letters: what a reader sees is the middle.
      const high = whole.bottom - whole.top;
      const line = { node, element, left: box.left + 0.5, right: box.right - 0.5, top: Math.max(box.top, whole.top + 0.22 * high), bottom: Math.min(box.bottom, whole.bottom - 0.22 * high) };
      if (line.right > line.left && line.bottom > line.top) lines.push(line);
    }
    lines.sort((one, other) => one.top - other.top);
    const found = [];
    let open = [];
    for (const line of lines) {
      open = open.filter((other) => other.bottom > line.top + 1);
      for (const other of open) if (Math.min(line.right, other.right) - Math.max(line.left, other.left) > 1 && Math.min(line.bottom, other.bottom) - line.top > 1)
        found.push(`overlap: ${brief(line.node.data)} (${named(line.element)}) is on ${brief(other.node.data)} (${named(other.element)}) at ${round(line)}`);
      open.push(line);
    }
    return found;
  }
  function taken(shown, sideways) {
    const found = new Map();
    const say = (key, words) => { if (!found.has(key)) found.set(key, words); };
    for (const { node, element, boxes } of shown) {
      for (const whole of boxes) {
        const { box, by } = clip(element, whole);
        for (const [around, way, overflow] of by) {
          if (cuts(overflow) || around.localName === "svg") say(around, `cut: ${brief(node.data)} (${named(element)}) is cut by ${named(around)}`);
          else if (way === "x" && sideways) say(around, `sideways: ${brief(node.data)} (${named(element)}) is seen only after scrolling ${named(around)} sideways`);
        }
        if (!by.length && (box.left < -1 || box.right > innerWidth + 1)) say(element, `outside: ${brief(node.data)} (${named(element)}) lies at ${round(whole)}, outside the ${innerWidth} px of the window`);
      }
      const own = styled(element);
      if (cuts(own.overflowX) && element.clientWidth > 2 && element.scrollWidth > element.clientWidth + 1) say(element, `cut: ${brief(node.data)} (${named(element)}) needs ${element.scrollWidth} px and has ${element.clientWidth}`);
      const scale = element.ownerSVGElement ? element.getScreenCTM().a : 1;
      const size = parseFloat(own.fontSize) * scale;
      if (size < SMALLEST) say(element.ownerSVGElement || element, `small: ${brief(node.data)} (${named(element)}) is ${size.toFixed(1)} px high`);
    }
    return [...found.values()];
  }
  // The head of a table may go where every value has its column's name beside it.
  function beside(element) {
    const cell = element.closest("thead")?.parentElement.querySelector("tbody td[data-label]");
    return Boolean(cell) && getComputedStyle(cell, "::before").content.includes(cell.dataset.label);
  }
  let before = [];
  const screenOnly = "nav, button, label, form, [role=status], [role=search], .filters, .screen-only";
  return {
    layout(sideways) {
      const shown = texts();
      const found = [...overlaps(shown), ...taken(shown, sideways)];
      const wide = document.documentElement.scrollWidth;
      if (wide > innerWidth) found.push(`page: it is ${wide} px wide in a window of ${innerWidth}`);
      return found;
    },
    openAll() { for (const details of document.querySelectorAll("details")) details.open = true; },
    closeAll() { for (const details of document.querySelectorAll("details")) details.open = false; },
    beforePrint() {
      style.clear(); unseen.clear();
      before = nodes().filter((node) => !node.parentElement.closest(screenOnly) && !forReaders(node.parentElement) &&
        (visible(node.parentElement) || node.parentElement.closest("details:not([open])")));
      return before.length;
    },
    inPrint() {
      style.clear(); unseen.clear();
      const lost = new Map();
      for (const node of before) {
        const element = node.parentElement;
        const place = element.closest("details, section, figure, table") || element;
        if (!visible(element) && !beside(element) && !lost.has(place)) lost.set(place, `print: ${brief(node.data)} (${named(element)}) is not printed`);
      }
      return [...lost.values(), ...taken(texts(), true).filter((line) => !line.startsWith("small")).map((line) => `print: ${line}`)];
    },
    // Everything that is drawn must also be there in words: as a table or a list near it.
    unheard() {
      const near = "figure, details, li, .card, section, header";
      const said = "table, [role=table], ul.key";
      return [...document.querySelectorAll("svg:not(.defs)")].filter((svg) => {
        if (svg.closest("table, [role=table]")) return !svg.closest("tr, [role=row], [aria-hidden=true]");
        return !svg.closest(near)?.querySelector(said) && svg.querySelector("rect, circle, path, line, polyline");
      }).map((svg) => `unheard: ${named(svg)} has no table or list for those who do not see it`);
    },
    moving() {
      const found = document.getAnimations().map((one) => `motion: ${named(one.effect.target)} moves`);
      if (getComputedStyle(document.documentElement).scrollBehavior === "smooth") found.push("motion: the page scrolls smoothly");
      const lasts = (value) => value.split(",").some((part) => parseFloat(part) > 0.01);
      for (const element of document.querySelectorAll("*")) {
        const own = getComputedStyle(element);
        if (lasts(own.transitionDuration) || (own.animationName !== "none" && lasts(own.animationDuration))) found.push(`motion: ${named(element)} has a transition or animation`);
      }
      return found;
    },
  };
})()
