// Buttons beside the rows of a table that is edited: move up, move down, take out. Without a script, fields can be emptied.
const BUTTONS = [
  ["↑", "Move up", (row) => row.previousElementSibling?.before(row)],
  ["↓", "Move down", (row) => row.nextElementSibling?.after(row)],
  ["×", "Take out", (row) => row.remove()],
];

export function addRowButtons(list) {
  for (const row of list.children) {
    const place = document.createElement("span");
    place.className = "moves";
    const key = row.querySelector("input");
    for (const [number, [sign, words, move]] of BUTTONS.entries()) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "quiet";
      button.textContent = sign;
      // Named as the row is now, whatever its key was before.
      const name = () => button.setAttribute("aria-label", `${words}: ${key.value.trim() || "new row"}`);
      name();
      key.addEventListener("input", name);
      button.addEventListener("click", () => {
        const near = row.nextElementSibling ?? row.previousElementSibling;
        move(row);
        // Whoever works by keys keeps their place: at the row that was moved, or beside the one that is gone.
        if (row.isConnected) button.focus();
        else near?.querySelectorAll(".moves button")[number].focus();
      });
      place.append(button);
    }
    row.append(place);
  }
}
