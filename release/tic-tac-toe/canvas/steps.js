// Walk through the steps of a search in a page: no kernel, no request, nothing left in the page's names.
//
// The box around this script has, in `data-steps`, packed JSON: pictures, and words for each. A browser too old to unpack
// it keeps the picture that stands there.
(async () => {
  "use strict";
  const box = document.currentScript.parentElement;
  const packed = Uint8Array.from(atob(box.dataset.steps), (char) => char.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const { pictures, words } = await new Response(unpacked).json();
  const last = pictures.length - 1, pause = 900;  // milliseconds from step to step
  let stop = 0, timer = 0;

  const made = (kind, style, properties) =>
    Object.assign(document.createElement(kind), { style, ...properties });
  const button = (textContent, onclick) => made("button",
    "min-width: 64px; min-height: 30px; padding: 2px 10px; font: inherit; color: inherit;" +
    "background: transparent; border: 1px solid; border-radius: 4px; cursor: pointer",
    { type: "button", textContent, onclick });

  const stage = made("div", "");
  const said = made("p", "min-height: 2.6em; margin: 6px 0 0", { ariaLive: "polite" });
  const row = made("div", "display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin-top: 6px");
  const slider = made("input", "flex: 1 1 160px; max-width: 420px; height: 30px; margin: 0",
    { type: "range", min: 0, max: last, ariaLabel: "Step", oninput: () => walk(slider.valueAsNumber) });
  const play = button("Play", () => {
    if (timer) return rest();
    if (stop === last) go(0);
    play.textContent = "Pause";
    said.ariaLive = "off";  // nobody can listen that fast
    timer = setInterval(() => (stop < last && box.isConnected ? go(stop + 1) : rest()), pause);
  });

  const go = (next) => {
    stop = Math.max(0, Math.min(last, next));
    stage.innerHTML = pictures[stop];
    stage.firstElementChild.style.cssText = "max-width: 100%; height: auto";
    slider.value = stop;
    slider.ariaValueText = `${stop} of ${last}`;
    said.textContent = `Step ${slider.ariaValueText}: ${words[stop]}`;
  };
  const rest = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
    said.ariaLive = "polite";
  };
  const walk = (next) => {
    rest();
    go(next);
  };

  box.dataset.lmSuppressShortcuts = "";  // in JupyterLab, keys in here are ours
  box.addEventListener("keydown", (event) => {
    const next = { ArrowLeft: stop - 1, ArrowRight: stop + 1, Home: 0, End: last }[event.key];
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    walk(next);
  });
  row.append(button("Back", () => walk(stop - 1)), button("Step", () => walk(stop + 1)), play, slider);
  box.replaceChildren(stage, said, row);
  go(0);
})();
