// Make the trees of lessons react: type another number at a leaf, and see what the search does.
//
// A box `.try-tree` says in `data-leaves` what each of MIN's states has below it, as "3 12 8, 2 4 6".
// With `data-goal` leaves are skipped, and the number there is the most that can be. Without this
// script a picture stands in its place.
(() => {  // each page loads both scripts
  "use strict";

  const WIDTH = 90, TOP = 26, MIDDLE = 104, BOTTOM = 172;  // of a leaf, and where each level is drawn

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

  /** Return the lines and states above the leaves, as SVG; the best move is the thick line. */
  function picture(tree, found) {
    const wide = WIDTH * tree.flat().length, root = wide / 2, parts = [];
    let left = 0;
    tree.forEach((leaves, i) => {
      const middle = left + (WIDTH * leaves.length) / 2, state = found.states[i];
      const thick = i === found.best ? 5 : 1.5;
      parts.push(`<path d="M${root} ${TOP}L${middle} ${MIDDLE}" stroke-width="${thick}"/>`);
      leaves.forEach((_, j) => {
        const dashes = j < state.seen ? "" : ' stroke-dasharray="4 5"';
        parts.push(`<path d="M${middle} ${MIDDLE}L${left + WIDTH * (j + 0.5)} ${BOTTOM}"${dashes}/>`);
      });
      parts.push(`<path class="state" d="M${middle - 40} ${MIDDLE - 22}h80l-40 44z"/>`);
      parts.push(`<text x="${middle}" y="${MIDDLE - 6}">${name(i)}</text>`);
      parts.push(`<text x="${middle + 44}" y="${MIDDLE + 6}" class="worth">${worth(state)}</text>`);
      left += WIDTH * leaves.length;
    });
    parts.push(`<path class="state" d="M${root - 40} ${TOP + 22}h80l-40 -44z"/>`);
    parts.push(`<text x="${root}" y="${TOP + 18}">A</text>`);
    parts.push(`<text x="${root + 44}" y="${TOP + 6}" class="worth">${minus(found.value)}</text>`);
    return `<svg viewBox="0 0 ${wide} ${BOTTOM}" aria-hidden="true">${parts.join("")}</svg>`;
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
    const fields = given.map((leaves, i) => leaves.map((_, j) => {
      const field = document.createElement("input");
      Object.assign(field, { type: "number", step: 1, min: -9999, max: 9999 });
      field.setAttribute("aria-label", `Leaf ${name(i)}${j + 1}`);
      field.addEventListener("input", () => {
        if (field.value !== "" && field.validity.valid) tree[i][j] = field.valueAsNumber;
        show();
      });
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
