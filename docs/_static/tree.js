// Make the trees of lessons react: type another number at a leaf, and see what the search does.
//
// A box `.try-tree` says in `data-leaves` what each of MIN's states has below it, as "3 12 8, 2 4 6".
// With `data-goal` leaves are skipped, and the number there is the most that can be. Without this
// script a picture stands in its place.
(() => {  // each page loads both scripts
  "use strict";

  const WIDTH = 90, TOP = 36, MIDDLE = 134, BOTTOM = 212;  // of a leaf, and where each level is drawn
  const LEFT = 60;  // room for the names of the players

  /** Search two plies, MAX above MIN, from left to right; with `cuts` as alpha-beta does. */
  function search(tree, cuts) {
    let alpha = -Infinity, best = 0;
    const states = tree.map((leaves, i) => {
      let worth = Infinity, seen = 0;
      while (seen < leaves.length && !(cuts && worth <= alpha)) worth = Math.min(worth, leaves[seen++]);
      if (worth > alpha) [alpha, best] = [worth, i];
      return { worth, seen, skipped: leaves.length - seen };
    });
    const skipped = states.reduce((sum, state) => sum + state.skipped, 0);
    return { states, best, value: alpha, skipped };
  }

  const name = (i) => String.fromCharCode(66 + i);  // of a state: B, C, ...
  const minus = (number) => String(number).replace("-", "−");
  const worth = (state) => (state.skipped ? "≤ " : "") + minus(state.worth);

  /** Return a state as the pictures of `canvas.drawing` show it: value inside, name beside it. */
  function state(x, y, up, label, text) {
    const tip = up ? -25 : 25, side = Math.max(30, 8.5 * text.length + 8), low = up ? 18 : -4;
    return `<path class="state ${up ? "max" : "min"}" d="M${x} ${y + tip}L${x + side} ${y - tip}h${-2 * side}z"/>` +
      `<text class="worth" x="${x}" y="${y + low}">${text}</text>` +
      `<text class="name" x="${x - side - 4}" y="${y - 10}">${label}</text>`;
  }

  /** Return the lines and states above the leaves, as SVG; the best move is the thick line. */
  function picture(tree, found) {
    const wide = LEFT + WIDTH * tree.flat().length, root = LEFT + (wide - LEFT) / 2, parts = [], states = [];
    let left = LEFT;
    tree.forEach((leaves, i) => {
      const middle = left + (WIDTH * leaves.length) / 2, seen = found.states[i].seen;
      const best = i === found.best ? ' class="best"' : "";
      parts.push(`<path d="M${root} ${TOP + 20}L${middle} ${MIDDLE - 25}"${best}/>`);
      leaves.forEach((_, j) => {
        const dashes = j < seen ? "" : ' class="pruned"';
        parts.push(`<path d="M${middle} ${MIDDLE + 20}L${left + WIDTH * (j + 0.5)} ${BOTTOM}"${dashes}/>`);
      });
      states.push(state(middle, MIDDLE, false, name(i), worth(found.states[i])));
      left += WIDTH * leaves.length;
    });
    states.push(state(root, TOP, true, "A", minus(found.value)));
    for (const [player, y] of [["MAX", TOP], ["MIN", MIDDLE]])
      states.push(`<text class="player" x="8" y="${y + 7}">${player}</text>`);
    return `<svg viewBox="0 0 ${wide} ${BOTTOM}" aria-hidden="true">${[...parts, ...states].join("")}</svg>`;
  }

  /** Return what became of a tree, in words. */
  function told(tree, found, goal) {
    const best = found.states.flatMap((state, i) => {
      return i === found.best || (!goal && state.worth === found.value) ? [name(i)] : [];
    });
    const said = `A is worth ${minus(found.value)}: MAX moves to ${best.join(" or ")}.`;
    if (!goal) return said;
    const all = tree.flat().length, looked = `It looks at ${all - found.skipped} of ${all} leaves.`;
    const most = ` That is all there is to skip: ${all - goal} leaves prove the value.`;
    return `${said} ${looked}${found.skipped < goal ? "" : most}`;
  }

  /** Return a tree with the same leaves, where good moves come first (sign 1) or last (-1). */
  function ordered(tree, sign) {
    const states = tree.map((leaves) => [...leaves].sort((one, other) => sign * (one - other)));
    return states.sort((one, other) => sign * (Math.min(...other) - Math.min(...one)));
  }

  function button(text, act) {
    const made = document.createElement("button");
    Object.assign(made, { type: "button", textContent: text });
    made.addEventListener("click", act);
    return made;
  }

  function start(box) {
    const goal = Number(box.dataset.goal || 0);
    const given = box.dataset.leaves.split(",").map((part) => part.trim().split(/\s+/).map(Number));
    const above = document.createElement("div"), row = document.createElement("div");
    const below = document.createElement("p"), said = document.createElement("output");
    let tree = structuredClone(given);
    row.className = "leaves";
    row.style.paddingLeft = `${(100 * LEFT) / (LEFT + WIDTH * tree.flat().length)}%`;
    const fields = given.map((leaves, i) => leaves.map((_, j) => {
      const field = document.createElement("input");
      Object.assign(field, { type: "number", step: 1, min: -9999, max: 9999 });
      field.setAttribute("aria-label", `Leaf ${name(i)}${j + 1}`);
      field.addEventListener("input", () => {
        if (field.value !== "" && field.validity.valid) tree[i][j] = field.valueAsNumber;
        show();
      });
      field.addEventListener("blur", () => { field.value = tree[i][j]; });  // the number that counts
      row.append(field);
      return field;
    }));
    const show = () => {
      const found = search(tree, goal > 0);
      above.innerHTML = picture(tree, found);
      said.textContent = told(tree, found, goal);
      fields.forEach((some, i) => some.forEach((field, j) => {
        field.classList.toggle("skipped", j >= found.states[i].seen);
        field.title = j < found.states[i].seen ? "" : "skipped";
      }));
    };
    const put = (next) => {
      tree = next;
      fields.forEach((some, i) => some.forEach((field, j) => { field.value = tree[i][j]; }));
      show();
    };
    if (goal) {
      below.append(
        button("Best first", () => put(ordered(tree, 1))),
        button("Worst first", () => put(ordered(tree, -1))),
      );
    }
    below.append(
      button("The other way round", () => put(tree.map((leaves) => [...leaves].reverse()).reverse())),
      button("As it was", () => put(structuredClone(given))),
    );
    box.replaceChildren(above, row, said, below);
    put(tree);
  }

  document.querySelectorAll(".try-tree").forEach(start);
})();
