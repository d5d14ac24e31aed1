// What is entered and not sent yet is kept on the server, so that it is there after a break and on another device.
import { bodyOf, post } from "./forms.js";

const QUIET = 800;

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
    try {
      const response = await post(this.form.dataset.base + "/draft", bodyOf(this.form), { keepalive: true });
      if (!response.ok) throw new Error(String(response.status));
      const answer = await response.json();
      if (!this.sending.busy) this.say("Draft kept.");
      if (String(answer.instructions) !== this.form.dataset.version) document.getElementById("changed").hidden = false;
    } catch {
      // Tried again with the next change; the answer itself is sent until it is kept.
      this.dirty = true;
      if (!this.sending.busy) this.say("The draft is not kept yet: the server does not answer.");
    }
  }
}
