// Keys of the item page. Every key has a button or a link that does the same.
"use strict";
(() => {
  const work = () => document.getElementById("work");
  const one = (selector) => document.querySelector(selector);
  const caret = { text: null, words: [], first: -1, last: -1 };

  // A step under way ends in another version of the item: keys meanwhile wait for that one.
  const waiting = [];
  let busy = false;

  // What readers of screens say: it stands outside of what a step replaces.
  function say(text) { one("#notice").textContent = one("#spoken").textContent = text; }
  function row(span) { return one(`tr[data-span="${span}"]`)?.innerText.replace(/\s+/g, " ") ?? ""; }

  function current() { return work().dataset.current; }

  function select(span) {
    if (span === undefined) return;
    work().dataset.current = span;
    for (const row of document.querySelectorAll("tr[data-span]")) {
      if (row.dataset.span === span) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
    for (const mark of document.querySelectorAll("mark[data-span]"))
      mark.classList.toggle("now", mark.dataset.span === span);
    for (const input of document.querySelectorAll("input[data-follows]")) input.value = span;
    const label = one(`mark[data-span="${span}"]`)?.dataset.label;
    if (label && one("#label")) one("#label").value = label;
    const phrase = one("[data-phrase]");
    if (phrase) phrase.href = phrase.href.replace(/span=-?\d+/, `span=${span}`);
    one("#reject")?.classList.remove("shown");
    show();
    if (row(span)) say(row(span));
  }

  function show() {
    for (const selector of ["mark.now", "tr[aria-current]"])
      one(selector)?.scrollIntoView({ block: "nearest" });
  }

  function move(step) {
    const rows = [...document.querySelectorAll("tr[data-span]")];
    const at = rows.findIndex((row) => row.dataset.span === current());
    select(rows[Math.min(Math.max(at + step, 0), rows.length - 1)]?.dataset.span);
  }

  function openReject() {
    const form = one("#reject");
    if (!form) return;
    form.classList.add("shown");
    (form.querySelector(".preset") || form.querySelector("button")).focus();
  }

  // ---- a new span from a caret: the browser's own selection, word by word ----
  function wordsOf(text) {
    const words = [];
    for (const found of text.textContent.matchAll(/[\p{L}\p{M}]+|\p{N}+|[^\s\p{L}\p{N}]/gu))
      words.push([found.index, found.index + found[0].length]);
    return words;
  }

  function place(text, offset) {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    let left = offset, node = walker.nextNode(), last = node;
    while (node) {
      if (left <= node.length) return [node, left];
      left -= node.length; last = node; node = walker.nextNode();
    }
    return [last, last.length];
  }

  function offsetOf(text, node, offset) {
    const range = document.createRange();
    range.selectNodeContents(text);
    range.setEnd(node, offset);
    return range.toString().length;
  }

  function beginCaret() {
    const selection = getSelection();
    const inside = selection.anchorNode?.parentElement?.closest(".text[data-text]");
    const text = inside || document.activeElement?.closest?.(".text[data-text]") || caret.text?.isConnected && caret.text || one(".text[data-text]");
    if (!text) return;
    const near = inside ? offsetOf(text, selection.anchorNode, selection.anchorOffset) : 0;
    const far = inside ? offsetOf(text, selection.focusNode, selection.focusOffset) : near;
    caret.text = text;
    caret.words = wordsOf(text);
    if (!caret.words.length) return;
    const at = (offset) => Math.max(0, caret.words.findIndex((word) => word[1] > offset));
    caret.first = at(Math.min(near, far));
    caret.last = far === near ? caret.first : Math.max(caret.first, at(Math.max(near, far) - 1));
    text.focus();
    paint();
  }

  function paint() {
    const start = caret.words[caret.first][0], end = caret.words[caret.last][1];
    getSelection().setBaseAndExtent(...place(caret.text, start), ...place(caret.text, end));
    getSelection().focusNode.parentElement.scrollIntoView({ block: "nearest" });
    const form = one("#add").elements;
    // Extents are counted in characters, as the console does; strings here in units of 16 bits.
    const characters = (at) => [...caret.text.textContent.slice(0, at)].length;
    form.text.value = caret.text.dataset.text; form.start.value = characters(start); form.end.value = characters(end);
    one("#chosen").textContent = `Chosen: ${caret.text.textContent.slice(start, end)}`;
    say(one("#chosen").textContent);
  }

  function moveCaret(event) {
    const texts = [...document.querySelectorAll(".text[data-text]")];
    const last = caret.words.length - 1;
    const jump = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 }[event.key];
    if (event.key === "Home") caret.first = caret.last = 0;
    else if (event.key === "End") caret.first = caret.last = last;
    else if (event.key === "PageDown" || event.key === "PageUp") {
      const next = texts[texts.indexOf(caret.text) + (event.key === "PageDown" ? 1 : -1)];
      if (next) { caret.text = next; caret.words = wordsOf(next); caret.first = caret.last = 0; }
    } else if (event.shiftKey) caret.last = Math.min(Math.max(caret.last + jump, caret.first), last);
    else caret.first = caret.last = Math.min(Math.max((jump < 0 ? caret.first : caret.last) + jump, 0), last);
    if (caret.words.length) paint();
  }

  function endCaret() { caret.first = -1; getSelection().removeAllRanges(); }

  const MOVES = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"]);

  function onKey(event) {
    if (!work() || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target;
    if (busy) {
      if (event.key === "Tab") return;
      event.preventDefault();
      if (!target.closest("button, a, summary, input, select")) waiting.push({ key: event.key, shiftKey: event.shiftKey });
      return;
    }
    if (target.tagName === "INPUT") return;
    if (target.tagName === "SELECT") { onSelect(event, target); return; }
    if (caret.first >= 0 && (MOVES.has(event.key) || event.key === "Enter")) {
      event.preventDefault();
      if (event.key === "Enter") { one("#add_label").focus(); } else moveCaret(event);
      return;
    }
    if (event.key === "Escape") { endCaret(); one("#reject")?.classList.remove("shown"); one("#main").focus(); return; }
    if (event.key === "Enter" && target.closest("button, a, summary")) return;
    if (/^[1-6]$/.test(event.key) && one("#reject.shown")) { click(event, `#reject [data-reason="${event.key}"]`); return; }
    const steps = { j: () => move(1), k: () => move(-1), x: openReject, l: () => one("#label")?.focus(), n: beginCaret };
    if (steps[event.key]) { event.preventDefault(); steps[event.key](); return; }
    click(event, `[data-key="${CSS.escape(event.key)}"]`);
  }

  function onSelect(event, target) {
    if (event.key === "Escape") { endCaret(); one("#main").focus(); return; }
    if (event.key !== "Enter") return;
    event.preventDefault();
    one(target.id === "label" ? "#relabel button" : '#add [data-addition="1"]').click();
  }

  function click(event, selector) {
    const button = one(selector);
    if (!button) return;
    event.preventDefault();
    button.click();
  }

  document.addEventListener("keydown", onKey);
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-opens=reject]")) openReject();
    const mark = event.target.closest("mark[data-span], tr[data-span]");
    if (mark && work()) { if (mark.tagName === "TR") event.preventDefault(); select(mark.dataset.span); }
  });
  document.addEventListener("mouseup", () => {
    const selection = getSelection();
    if (work() && one("#add") && !selection.isCollapsed && selection.anchorNode?.parentElement?.closest(".text[data-text]")) beginCaret();
  });
  function idle() {
    busy = false;
    while (waiting.length && !busy && document.activeElement.tagName !== "SELECT")
      onKey({ ...waiting.shift(), target: document.activeElement, preventDefault() {} });
    if (document.activeElement.tagName === "SELECT") waiting.length = 0; // it reads keys itself
  }

  function refused(text) { waiting.length = 0; busy = false; say(text); }

  document.addEventListener("htmx:beforeSend", () => { busy = true; });
  document.addEventListener("htmx:afterSettle", () => {
    caret.first = -1;
    one("#main").focus({ preventScroll: true });
    show();
    if (one("#notice.refused")) waiting.length = 0; // the spans are not what they were typed for
    one("#spoken").textContent = [one("#notice").textContent, row(current())].join(" ");
    idle();
  });
  document.addEventListener("htmx:sendError", () => refused("The console does not answer. Your last step was not saved: try it again."));
  document.addEventListener("htmx:responseError", (event) => refused(`The console refused (${event.detail.xhr.status}). Nothing was changed.`));
  window.addEventListener("pageshow", () => { busy = false; });
  document.addEventListener("DOMContentLoaded", show);
})();
