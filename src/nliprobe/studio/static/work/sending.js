// An answer is sent until the server says that it is kept. Each has a key of its own, so that sending it twice counts once.
import { bodyOf, post } from "./forms.js";

const FIRST = 1000, LONGEST = 30000;
// Not now, too fast, or a fault: worth another try. Anything else will not get better by itself.
export const AGAIN = (status) => status === 429 || status >= 500;
const pause = (milliseconds) => new Promise((done) => {
  const timer = setTimeout(done, milliseconds);
  // Whoever is back on the net need not wait.
  addEventListener("online", () => { clearTimeout(timer); done(); }, { once: true });
});

export class Sending {
  constructor(form, say, refuse) {
    Object.assign(this, { form, say, refuse, busy: false });
    this.place = "nliprobe " + form.dataset.base;
    addEventListener("beforeunload", (event) => { if (this.busy) event.preventDefault(); });
  }

  // What was on its way when the page was closed or loaded again goes first.
  async resume() {
    const kept = sessionStorage.getItem(this.place);
    if (kept) await this.send(...JSON.parse(kept));
  }

  submit(form, submitter) {
    const address = submitter?.getAttribute("formaction") || form.getAttribute("action");
    return this.send(address, bodyOf(form, submitter));
  }

  async send(address, body) {
    if (this.busy) return;
    this.set(true);
    this.keep(address, body);
    for (let wait = FIRST; ; wait = Math.min(2 * wait, LONGEST)) {
      const answer = await this.once(address, body);
      if (answer) {
        sessionStorage.removeItem(this.place);
        this.set(false);
        if (answer.next) location.assign(answer.next);
        else this.refuse(answer.error || "That did not work. Load the page again.");
        return;
      }
      this.say(`Not saved yet: the server does not answer. Your answer is kept here and sent again in ${wait / 1000} s.`);
      await pause(wait);
    }
  }

  keep(address, body) {
    try {
      sessionStorage.setItem(this.place, JSON.stringify([address, body]));
    } catch {
      // More than a browser keeps is sent all the same; only a page that is closed would lose it.
      sessionStorage.removeItem(this.place);
    }
  }

  async once(address, body) {
    this.say("Saving …");
    try {
      const response = await post(address, body, { signal: AbortSignal.timeout(20000) });
      if (AGAIN(response.status)) return null;
      return await response.json();
    } catch {
      return null;
    }
  }

  set(busy) {
    this.busy = busy;
    if (busy) this.focus = document.activeElement;
    for (const button of document.querySelectorAll("#answer button:not([data-never]), #skip button")) button.disabled = busy;
    if (busy) return;
    this.say("");
    // A button that is out of use loses the focus.
    if (document.activeElement === document.body) this.focus.focus({ preventScroll: true });
  }
}
