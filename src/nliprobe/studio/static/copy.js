// Buttons that copy a link; where the browser does not let pages do that, there are none.
if (navigator.clipboard) {
  for (const button of document.querySelectorAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
      const said = document.getElementById("copied");
      if (said) said.textContent = "The link is copied.";
    });
  }
}
