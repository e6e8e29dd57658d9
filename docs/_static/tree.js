// Make the trees of lessons react: type another number at a leaf, and see what the search does.
//
// A box `.try-tree` says in `data-leaves` what each of MIN's states has below it, as "3 12 8, 2 4 6".
// With `data-goal` leaves are skipped, and the number there is the most that can be. With `data-ask`
// the reader is MIN, and is asked before leaves are skipped. Without this script a picture stands in
// its place.
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

  /** Fill a box: the leaves that it has, places for picture, words and buttons, a field for each leaf. */
  function filled(box) {
    const given = box.dataset.leaves.split(",").map((part) => part.trim().split(/\s+/).map(Number));
    const above = document.createElement("div"), row = document.createElement("div");
    const below = document.createElement("p"), said = document.createElement("output");
    row.className = "leaves";
    row.style.paddingLeft = `${(100 * LEFT) / (LEFT + WIDTH * given.flat().length)}%`;
    const fields = given.map((leaves, i) => leaves.map((_, j) => {
      const field = document.createElement("input");
      Object.assign(field, { type: "number", step: 1, min: -9999, max: 9999 });
      field.setAttribute("aria-label", `Leaf ${name(i)}${j + 1}`);
      row.append(field);
      return field;
    }));
    box.replaceChildren(above, row, said, below);
    return { given, above, below, said, fields };
  }

  function start(box) {
    const goal = Number(box.dataset.goal || 0), { given, above, below, said, fields } = filled(box);
    let tree = structuredClone(given);
    fields.forEach((some, i) => some.forEach((field, j) => {
      field.addEventListener("input", () => {
        if (field.value !== "" && field.validity.valid) tree[i][j] = field.valueAsNumber;
        show();
      });
      field.addEventListener("blur", () => { field.value = tree[i][j]; });  // the number that counts
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
    put(tree);
  }

  /** Search leaf by leaf, and ask after each whether the rest of its state may be skipped. */
  function ask(box) {
    const { given, above, below, said, fields } = filled(box);
    let states, alpha, right, wrong;
    const fresh = () => ({ worth: Infinity, seen: 0, skipped: 0 });
    const now = () => states.at(-1), at = () => states.length - 1;
    const here = () => name(at()), rest = () => given[at()].slice(now().seen);
    const left = () => rest().map((_, j) => `${here()}${now().seen + j + 1}`).join(" and ");

    /** Look at one more leaf, and on until there is something to ask; then say so after `words`. */
    function look(words) {
      let open = true;
      while (open && !rest().length) {
        alpha = Math.max(alpha, now().worth);
        open = states.length < given.length;
        if (open) states.push(fresh());
      }
      if (open) {
        now().worth = Math.min(now().worth, rest()[0]);
        now().seen += 1;
        if (!rest().length) return look(words);
      }
      show(open, words);
    }
    function show(open, words) {
      const later = given.slice(states.length).map(() => ({ worth: "", seen: 0, skipped: 0 }));
      const shown = states.map((one, i) => ({ ...one, skipped: given[i].length - one.seen }));
      const best = states.findIndex((one, i) => one.worth === alpha && (i < at() || !open));
      above.innerHTML = picture(given, { states: [...shown, ...later], best, value: alpha === -Infinity ? "" : alpha });
      fields.forEach((some, i) => some.forEach((field, j) => {
        const seen = i < states.length && j < states[i].seen, mine = open && i === at() && !seen;
        field.value = seen ? given[i][j] : "";
        field.disabled = !seen && !mine;
        field.readOnly = seen;
        field.classList.toggle("skipped", !seen && !mine && i <= at());
      }));
      [...below.children].slice(0, 2).forEach((one) => { one.disabled = !open; });
      const sure = alpha === -Infinity ? "nothing yet" : minus(alpha);
      const question = `${here()} is worth ${minus(now().worth)} so far, and MAX is sure of ${sure}. May I skip ${open && left()}?`;
      const skipped = given.flat().length - states.reduce((sum, one) => sum + one.seen, 0);
      const end = `A is worth ${minus(alpha)}, with ${skipped} leaves skipped. You judged ${right} of ${right + wrong} times as alpha-beta does.`;
      said.textContent = `${words} ${open ? question : end}`.trim();
    }
    function skip() {
      const safe = now().worth <= alpha, where = here(), worth = now().worth;
      safe ? (right += 1) : (wrong += 1);
      if (!safe) return look(`No! You could have a ${minus(worth - 1)} there: then ${where} is not worth ${minus(worth)}. I look.`);
      alpha = Math.max(alpha, worth);
      if (states.length === given.length) return show(false, "Right.");
      states.push(fresh());
      look(`Right: ${where} is worth ${minus(worth)} or less, whatever you have there.`);
    }
    function refuse() {
      const typed = fields[at()].slice(now().seen).filter((field) => field.value !== "").map((field) => field.valueAsNumber);
      const least = Math.min(...typed), worth = now().worth;
      if (!typed.length) return show(true, "Which leaf proves it? Type a number in one of them.");
      if (least < worth && worth > alpha) {
        right += 1;
        return look(`Right: with ${minus(least)} there ${here()} is worth ${minus(least)}, and not ${minus(worth)}. I look.`);
      }
      wrong += 1;
      const stays = worth <= alpha ? `MAX has ${minus(alpha)} elsewhere and does not come here` : `${here()} stays ${minus(worth)}`;
      show(true, `That proves nothing: with ${minus(least)} there ${stays}.`);
    }
    function begin() {
      [states, alpha, right, wrong] = [[fresh()], -Infinity, 0, 0];
      look("");
    }
    below.append(button("Yes, skip", skip), button("No: this leaf proves it", refuse), button("From the start", begin));
    begin();
  }

  document.querySelectorAll(".try-tree").forEach((box) => ("ask" in box.dataset ? ask : start)(box));
})();
