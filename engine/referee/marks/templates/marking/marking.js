// What is typed and pressed here is saved by the referee: a cell at a time, mark and comment at
// once, on top of what the page has seen. A mark is the sum of the items that the comment gives,
// plus an adjustment, which is shown.
(() => {
  // Offline there is no MathJax, and without it nbgrader's keys would do nothing.
  window.MathJax ??= {Hub: {Startup: {signal: {Interest: told => told("End")}}}};

  const ITEM = /^- (\d+(?:\.\d+)?) points?: (.*)$/;
  const cells = [];
  const placed = /[?&]index=/.test(location.search); // nbgrader adds it to each address later

  const round = number => Math.round(number * 1000) / 1000;
  const text = value => String(value ?? "");
  const number = typed => Number(typed.trim().replace(",", "."));

  function make(tag, words, more = {}) {
    return Object.assign(document.createElement(tag), {textContent: words}, more);
  }

  function put(box, value) {
    if (!box) return;
    box.value = value;
    box.dispatchEvent(new Event("autosize:update"));
  }

  async function ask(method, told) {
    const body = told && JSON.stringify(told);
    const headers = {"X-XSRFToken": getCookie("_xsrf") ?? "", "Content-Type": "application/json"};
    const keepalive = (body ?? "").length < 60000; // it arrives even if the page is closed
    try {
      const reply = await fetch(`${base_url}/api/by_hand/${submission_id}`, {method, headers, body, keepalive});
      return {status: reply.status, ...await reply.json().catch(() => ({}))};
    } catch {
      return {status: 0};
    }
  }

  function failure({status, message}) {
    return message ?? (status ? `the server answers ${status}` : "the server does not answer");
  }

  class Cell {
    constructor(element) {
      this.score = element.querySelector(".panel-heading .score");
      this.comment = element.querySelector(".panel-footer .comment");
      this.boxes = {
        score: this.score, extra: element.querySelector(".panel-heading .extra-credit"), comment: this.comment,
      };
      this.name = this.score?.id ?? this.comment.id.replace(/-comment$/, "");
      this.resolve = element.querySelector(".mark-graded");
      this.buttons = [...element.querySelectorAll(".items button")];
      this.sum = element.querySelector(".items")?.appendChild(make("p", ""));
      this.note = make("div", "", {className: "by-hand", role: "status"});
      element.querySelector(".panel-heading").after(this.note);
      this.looked = false; // again, at a mark that was flagged
      this.listen(element);
      this.enable(false);
    }

    listen(element) {
      const press = (part, act) => element.querySelector(part)?.addEventListener("click", () => { act(); this.save(); });
      press(".full-credit", () => put(this.score, this.most));
      press(".no-credit", () => { put(this.score, 0); put(this.boxes.extra, ""); });
      press(".mark-graded", () => { this.looked = true; });
      for (const button of this.buttons) {
        button.addEventListener("click", () => { this.press(button); this.save(); });
      }
      for (const box of [this.score, this.boxes.extra]) {
        if (box) Object.assign(box, {type: "text", inputMode: "decimal", autocomplete: "off"});
      }
      element.addEventListener("input", () => this.show());
      element.addEventListener("change", () => this.save());
    }

    enable(on) {
      for (const one of [...Object.values(this.boxes), ...this.buttons]) if (one) one.disabled = !on;
    }

    load([mark, most], waiting = []) {
      this.most = most;
      if (this.score && (waiting.length || this.buttons.length)) this.lead(waiting);
      this.seen = mark;
      this.fill();
      this.enable(true);
      if (this.score) this.score.placeholder = text(mark.automatic);
      if (this.comment) autosize(this.comment);
    }

    // Show the way to the next one that waits.
    lead(waiting) {
      const others = waiting.filter(one => one !== submission_id);
      const told = others.length
        ? make("button", `Next that waits (${others.length})`, {type: "button", className: "tabbable", onclick: () => this.next(others)})
        : make("p", "Nobody else waits here.");
      told.addEventListener("focus", () => { formgrader.last_selected = jQuery(told); });
      this.onwards ??= this.resolve.closest(".nbgrader_cell").appendChild(make("div", "", {className: "by-hand onwards"}));
      this.onwards.replaceChildren(told);
    }

    // Go to who waits now: others may have marked since.
    async next(known) {
      if (!await saved()) return;
      const reply = await ask("GET");
      const waiting = reply.status === 200 ? reply.waiting[this.name] ?? [] : known;
      const one = waiting.find(other => other !== submission_id);
      if (!one) return load();
      sessionStorage.at = this.name;
      location.assign(`${base_url}/submissions/${one}/`);
    }

    // Put what is stored into the boxes, in place of what stands there.
    fill() {
      for (const [name, box] of Object.entries(this.boxes)) put(box, text(this.seen[name]));
      this.looked = false;
      this.show();
    }

    get typed() {
      const found = Object.entries(this.boxes).map(([name, box]) => [name, box?.value ?? ""]);
      return {...Object.fromEntries(found), looked: this.looked};
    }

    get unsaved() {
      const changed = ([name, box]) => box && box.value !== text(this.seen[name]);
      return Boolean(this.seen) && (this.looked || Object.entries(this.boxes).some(changed));
    }

    get lines() {
      return this.comment?.value.split("\n") ?? [];
    }

    get given() { // the points of each item in the comment, by its sentence
      const found = this.lines.map(line => ITEM.exec(line)).filter(Boolean);
      return new Map(found.map(([, points, item]) => [item, Number(points)]));
    }

    get points() {
      return [...this.given.values()].reduce((sum, points) => sum + points, 0);
    }

    // What stands in the box for the mark beyond the items.
    get adjustment() {
      return this.score?.value.trim() ? round(number(this.score.value) - this.points) : 0;
    }

    press({dataset: {item, line}}) {
      const mark = number(this.score.value || text(this.seen.automatic));
      if (Number.isNaN(mark)) return; // which is told when it is saved
      const before = this.points;
      const rest = this.lines.filter(one => ITEM.exec(one)?.[2] !== item);
      const more = this.given.has(item) ? rest : [...rest.filter((one, i) => one || i), line];
      put(this.comment, more.join("\n"));
      put(this.score, text(round(mark + this.points - before)));
    }

    // One request at a time: what changes meanwhile goes with the next.
    save() {
      this.saving ??= this.send().finally(() => { this.saving = null; this.show(); });
      this.show();
      return this.saving;
    }

    async send() {
      this.problem = "";
      while (this.unsaved && !this.other) {
        const typed = this.typed;
        const reply = await ask("PUT", {cell: this.name, old: this.seen, ...typed});
        if (reply.status === 409) this.other = reply.mark;
        else if (reply.status !== 200) this.problem = failure(reply);
        if (reply.status !== 200) return;
        this.seen = reply.mark;
        this.done = true;
        if (typed.looked) this.looked = false;
        for (const [name, box] of Object.entries(this.boxes)) {
          if (box && box.value === typed[name]) put(box, text(reply.mark[name]));
        }
      }
    }

    show() {
      const given = this.given;
      for (const one of this.buttons) one.setAttribute("aria-pressed", given.has(one.dataset.item));
      const sign = this.adjustment > 0 ? "+" : "";
      const more = this.adjustment ? `, adjustment ${sign}${this.adjustment}` : "";
      if (this.sum) this.sum.textContent = `Items ${round(this.points)}${more}`;
      const flagged = Boolean(this.seen?.flagged);
      this.score?.classList.toggle("needs_manual_grade", flagged);
      if (this.resolve) this.resolve.style.display = flagged && this.seen.score !== null ? "inline-block" : "none";
      this.note.replaceChildren(...this.told());
      this.note.classList.toggle("wrong", Boolean(this.other || this.problem));
    }

    told() {
      if (this.other) return this.conflict(this.other);
      if (this.saving) return [make("p", "Saving ...")];
      if (this.problem) {
        return [make("p", `Not saved: ${this.problem}. What you have typed is still here.`),
                make("button", "Try again", {type: "button", onclick: () => this.save()})];
      }
      if (this.unsaved) return [make("p", "Not saved yet.")];
      if (this.done) return [make("p", "Saved.")];
      return [];
    }

    // Tell what was saved meanwhile; nothing is saved here before the human replaces that.
    conflict({automatic, score, extra, comment, flagged}) {
      const mark = score === null ? `no mark by hand (automatic: ${automatic ?? "none"})` : `${score} points`;
      const told = `Not saved: meanwhile there is ${mark}${extra ? `, ${extra} extra` : ""}, "${comment}". Load the page again to keep that.`;
      return [make("p", told), make("button", "Replace it", {type: "button", onclick: () => {
        [this.seen, this.looked, this.other] = [this.other, flagged, null];
        this.save();
      }})];
    }
  }

  async function load() {
    const reply = await ask("GET");
    if (reply.status !== 200) {
      const words = `The marks could not be loaded: ${failure(reply)}. Load the page again.`;
      document.querySelector("#notebook").prepend(make("p", words, {className: "by-hand wrong"}));
      return;
    }
    for (const cell of cells) if (reply.cells[cell.name]) cell.load(reply.cells[cell.name], reply.waiting[cell.name]);
    const waits = cells.find(({name}) => reply.waiting[name]?.includes(submission_id));
    const start = placed ? null : cells.find(({name}) => name === sessionStorage.at) ?? waits;
    sessionStorage.removeItem("at");
    (start?.score ?? formgrader.last_selected[0]).focus();
  }

  // Save what is not, and tell whether all is; show what is not.
  async function saved() {
    await Promise.all(cells.map(cell => cell.save()));
    const open = cells.find(cell => cell.unsaved);
    open?.note.scrollIntoView({block: "center"});
    return !open;
  }

  for (const element of document.querySelectorAll(".nbgrader_cell")) {
    if (element.querySelector(".panel-heading .score, .panel-footer .comment")) cells.push(new Cell(element));
  }
  for (const part of document.querySelectorAll(".question > .mark")) {
    part.addEventListener("focusin", ({target}) => {
      if (!target.matches(".items button, summary")) return;
      jQuery("body, html").stop(); // nbgrader would scroll it out of view
      target.scrollIntoView({block: "nearest"});
    });
  }
  // A page that still scrolls would move what is pressed away before it is let go.
  addEventListener("pointerdown", () => jQuery("body, html").stop(), {capture: true});
  formgrader.loadGrades = load; // in place of nbgrader's own, which knows nobody else
  formgrader.loadComments = () => {};
  formgrader.save = async go => { document.activeElement.blur(); if (await saved()) go?.(); };
  for (const link of document.querySelectorAll(".navbar a[href]")) {
    link.addEventListener("click", async event => {
      if (!cells.some(cell => cell.unsaved) || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      if (await saved()) location.assign(link.href);
    });
  }
  addEventListener("beforeunload", event => {
    if (cells.some(cell => cell.unsaved)) { event.preventDefault(); event.returnValue = true; }
  });
  addEventListener("pagehide", () => cells.forEach(cell => cell.save()));
})();
