// How much room is left in each sentence; Enter goes to the next one, because a sentence is on one line.
const fields = [...document.querySelectorAll(".sentence textarea")];
fields.forEach((field, place) => {
  const hint = document.getElementById(field.getAttribute("aria-describedby"));
  const tell = () => { hint.textContent = `${field.value.length} of ${field.maxLength} characters`; };
  field.addEventListener("input", tell);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    if (place + 1 < fields.length) fields[place + 1].focus();
    else document.querySelector("#answer button.main").click();
  });
  tell();
});
