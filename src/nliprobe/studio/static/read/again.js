// Loads a page again that says something is being made.
setTimeout(() => location.reload(), 1500);
