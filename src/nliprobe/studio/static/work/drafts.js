// What is entered and not sent yet is kept on the server, so that it is there after a break and on another device.
import { bodyOf, post } from "./forms.js";
import { AGAIN } from "./sending.js";

const QUIET = 800;
// Bytes that a browser sends for a page that is left; it refuses to send more in that way.
const MOST_WHEN_LEFT = 60000;
const JUDGED = "You have judged this item already, in another tab or window. What you enter here is kept only if you save it.";

const ELSEWHERE = "In another tab or on another device something else was entered since this page was loaded, and that draft is kept. Load the page again to go on with it; what you enter here is kept only if you save it.";

export class Drafts {
  constructor(form, sending, say) {
    Object.assign(this, { form, sending, say, timer: 0, dirty: false });
    form.addEventListener("input", () => this.later());
    form.addEventListener("change", () => this.later());
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") this.now(); });
    addEventListener("pagehide", () => this.now());
  }

  later() {
    this.dirty = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), QUIET);
  }

  stop() {
    this.dirty = false;
    clearTimeout(this.timer);
  }

  async now() {
    if (!this.dirty || this.sending.busy) return;
    this.stop();
    const body = { ...bodyOf(this.form), draft: this.form.dataset.draft };
    const keepalive = new Blob([JSON.stringify(body)]).size < MOST_WHEN_LEFT;
    let answer;
    try {
      const response = await post(this.form.dataset.base + "/draft", body, { keepalive });
      if (AGAIN(response.status)) throw new Error(String(response.status));
      answer = await response.json();
    } catch {
      // Tried again with the next change; the answer itself is sent until it is kept.
      this.dirty = true;
      if (!this.sending.busy) this.say("The draft is not kept yet: the server does not answer.");
      return;
    }
    if (!this.sending.busy) this.say(answer.error ? `The draft is not kept. ${answer.error}` : answer.kept ? "Draft kept." : answer.elsewhere ? ELSEWHERE : JUDGED);
    if (answer.instructions) this.compare(String(answer.instructions));
  }

  // The page holds the earlier instructions: the new ones come when it is loaded again.
  compare(version) {
    const box = document.getElementById("changed"), known = this.form.dataset.version;
    if (version === known || box.dataset.version === version) return;
    const link = document.createElement("a");
    // The address of this page shows nothing if the form was sent before the scripts were there, and refused.
    const { base } = this.form.dataset, { revise, item } = this.form.elements;
    const here = revise ? `${base}/answers/${item.value}` : base;
    Object.assign(link, { href: `${here}?seen=${known}`, textContent: "Load the page again" });
    box.replaceChildren("The instructions have just been changed. ", link, " to read them: your draft is kept.");
    box.dataset.version = version;
    box.hidden = false;
  }
}
