// Ctrl+Enter (or ⌘+Enter) asks, from any field of a form.
export function submitByKeys(form) {
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
}
