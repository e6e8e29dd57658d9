// Let readers play tic-tac-toe on from a picture: they are X, and O's replies lie in the page.
//
// A box `.play-board` says in `data-replies` which board follows each that X can reach: the one
// after O's reply, or the same where the game is over; the first board follows "". A board is its
// nine squares, row by row. Without this script a picture stands in its place.
(() => {  // each page loads both scripts
  "use strict";

  const LINES = ["012", "345", "678", "036", "147", "258", "048", "246"];

  const put = (squares, i, piece) => squares.slice(0, i) + piece + squares.slice(i + 1);
  const has = (squares, piece) => LINES.some((line) => [...line].every((i) => squares[i] === piece));

  function told(squares, given) {
    if (has(squares, "X")) return "X has won.";
    if (has(squares, "O")) return "O has won. Try another move.";
    if (!squares.includes(".")) return "A draw.";
    return squares === given ? "X to move: choose a square." : "O has answered. X to move.";
  }

  function start(box) {
    const replies = JSON.parse(box.dataset.replies), given = replies[""];
    const rows = document.createElement("div"), said = document.createElement("output");
    const again = document.createElement("button");
    let squares = given;
    const after = (i) => (squares[i] === "." ? replies[put(squares, i, "X")] : undefined);
    const fields = [...given].map((_, i) => {
      const field = document.createElement("button");
      field.type = "button";
      field.addEventListener("click", () => {
        squares = after(i) ?? squares;
        show();
      });
      rows.append(field);
      return field;
    });
    const show = () => {
      fields.forEach((field, i) => {
        const piece = squares[i] === "." ? "" : squares[i];
        field.textContent = piece;
        field.ariaLabel = `Row ${Math.floor(i / 3)}, column ${i % 3}: ${piece || "free"}`;
        field.ariaDisabled = after(i) === undefined;
      });
      said.textContent = told(squares, given);
    };
    rows.className = "squares";
    Object.assign(again, { type: "button", textContent: "As it was" });
    again.addEventListener("click", () => { squares = given; show(); });
    box.replaceChildren(rows, said, again);
    show();
  }

  document.querySelectorAll(".play-board").forEach(start);
})();
