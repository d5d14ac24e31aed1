// Ctrl+Enter (or ⌘+Enter) asks, from any field of a form.
export function submitByKeys(form) {
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
}

// Whoever presses twice, or holds Ctrl+Enter down, asks once: a second form would be a second trial or version.
export function sendOnce() {
  let sent = 0;
  document.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    // Whoever has stopped the browser meanwhile may send again.
    if (Date.now() - sent < 3000) event.preventDefault();
    else sent = Date.now();
  });
  addEventListener("pageshow", () => { sent = 0; });
}
