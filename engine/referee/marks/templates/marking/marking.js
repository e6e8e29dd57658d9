// An item of a mark scheme puts its points and its sentence into nbgrader's own boxes, or takes
// them out again. nbgrader saves them, as if they had been typed.
(() => {
  // Offline there is no MathJax, and without it nbgrader's keys would do nothing.
  window.MathJax ??= {Hub: {Startup: {signal: {Interest: told => told("End")}}}};

  const buttons = [...document.querySelectorAll(".question > .mark .nbgrader_cell .items button")];
  const presses = [];

  function boxes(button) {
    const cell = button.closest(".nbgrader_cell");
    return [cell.querySelector(".panel-heading .score"), cell.querySelector(".panel-footer .comment")];
  }

  function lines(comment) {
    return comment.value.split("\n");
  }

  function put(box, value) {
    box.value = value;
    box.dispatchEvent(new Event("change", {bubbles: true}));
    box.dispatchEvent(new Event("autosize:update"));
  }

  function press(button) {
    const [score, comment] = boxes(button);
    const line = `- ${button.dataset.line}`;
    const given = lines(comment).includes(line);
    const rest = lines(comment).filter(one => one !== line);
    const points = Number(score.value) + (given ? -1 : 1) * Number(button.dataset.points);
    put(comment, (given ? rest : [...rest.filter((one, i) => one || i), line]).join("\n"));
    put(score, Math.max(0, Math.round(points * 100) / 100));
  }

  // One at a time: nbgrader answers each change with what it has saved, which fills the boxes.
  function update() {
    if (!jQuery.active && presses.length) press(presses.shift());
    const loaded = formgrader.grades?.loaded && formgrader.comments?.loaded;
    for (const button of buttons) {
      const [, comment] = boxes(button);
      button.disabled = !loaded;
      button.setAttribute("aria-pressed", lines(comment).includes(`- ${button.dataset.line}`));
    }
  }

  for (const button of buttons) {
    button.addEventListener("click", () => { presses.push(button); update(); });
  }
  for (const part of document.querySelectorAll(".question > .mark")) {
    part.addEventListener("input", update);
    part.addEventListener("focusin", ({target}) => {
      if (!target.matches(".items button, summary")) return;
      jQuery("body, html").stop(); // nbgrader would scroll it out of view
      target.scrollIntoView({block: "nearest"});
    });
  }
  jQuery(document).ajaxStop(update);
})();
