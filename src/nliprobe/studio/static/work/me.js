// Copy the link.
const copy = document.getElementById("copy");
copy.hidden = !navigator.clipboard;
copy.addEventListener("click", async () => {
  await navigator.clipboard.writeText(document.getElementById("link").value);
  copy.textContent = "Copied";
});
