// How much is marked; and that nothing is needed and that something is exclude each other.
const form = document.getElementById("answer");
const nothing = form.querySelector("[name=nothing]");
const marks = [...form.querySelectorAll("[name=unit], [name=outside]")];
function tell() {
  const count = form.querySelectorAll("[name=unit]:checked").length;
  document.getElementById("count").textContent = count ? `${count} marked` : "";
}
form.addEventListener("change", (event) => {
  if (event.target === nothing && nothing.checked) for (const mark of marks) mark.checked = false;
  if (marks.includes(event.target) && event.target.checked) nothing.checked = false;
  tell();
});
tell();
