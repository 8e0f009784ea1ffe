/// The words of the page, and the elements that show them.
import { draw } from "./page.js";

export const STANDINGS = {
  failed: ["F", "failed"], unknown: ["U", "unknown"], error: ["E", "bench error"], stalled: ["!", "stalled"],
  running: ["R", "running"], waiting: ["O", "waiting"], aborted: ["A", "aborted"], skipped: ["S", "skipped"],
  "not-needed": ["N", "not needed"], passed: ["P", "passed"],
};
export const RANKS = Object.keys(STANDINGS);
export const MEANINGS = {
  failed: "not on its firmware, because of the unit or its image", unknown: "whether it runs the new firmware is not known", error: "the bench failed, not the unit",
  stalled: "at work without progress, or its bench is silent", running: "at work", waiting: "not begun, or waiting for another attempt", aborted: "ended before it was done",
  skipped: "left out", "not-needed": "it had the firmware already", passed: "it runs the new firmware, as read from it",
};
export const PHASES = {
  connecting: "connecting", "entering-bootloader": "entering the bootloader", preparing: "preparing",
  transferring: "sending firmware", activating: "checking the image", rebooting: "restarting", verifying: "verifying",
};

/// Invisible characters, and those that change the text direction, are written as escapes.
export const visible = (text) => String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu,
  (c) => c === "\n" ? "\\n" : c === "\t" ? "\\t" : c === "\r" ? "\\r" : "\\u{" + c.codePointAt(0).toString(16) + "}");
const twoDigits = (n) => String(n).padStart(2, "0");
export const span = (seconds) => {
  const s = Math.max(0, Math.round(seconds));
  return s < 3600 ? Math.floor(s / 60) + ":" + twoDigits(s % 60) : Math.floor(s / 3600) + ":" + twoDigits(Math.floor(s / 60) % 60) + " h";
};
export const ago = (seconds) => {
  const s = Math.max(0, Math.round(seconds));
  return s < 90 ? s + " s" : s < 5400 ? Math.round(s / 60) + " min" : s < 172800 ? Math.round(s / 3600) + " h" : Math.round(s / 86400) + " days";
};
export const clock = (ms) => { const d = new Date(ms); return twoDigits(d.getHours()) + ":" + twoDigits(d.getMinutes()); };
export const day = (ms) => { const d = new Date(ms); return d.getFullYear() + "-" + twoDigits(d.getMonth() + 1) + "-" + twoDigits(d.getDate()) + " " + clock(ms) + ":" + twoDigits(d.getSeconds()); };
export const percent = (share) => (Math.floor(share * 1000 + 1e-9) / 10).toFixed(1) + "\u00a0%";
export const speed = (bytes) => (bytes / 1000).toFixed(1) + " kB/s";
export const waiting = (count) => count + (count === 1 ? " result waits" : " results wait");
export const many = (count, kind) => count + " " + STANDINGS[kind][1] + (kind === "error" && count !== 1 ? "s" : "");
export const ORDERS = { draft: "draft, not released", golden: "golden units first", open: "open", held: "held", done: "done", cancelled: "cancelled" };
export const FIRST_PASS = "First pass: passed in the first attempt, and the image was sent from its beginning only once. " +
  "A transfer that continued after a lost link was sent once; errors of the bench do not count as attempts.";
export const FINAL = "Final yield: passed in the latest attempt, however many it took.";
export const yieldOf = (figures) => figures.counted ? percent(figures.passed / figures.counted) + ", " + figures.passed + " of " + figures.counted : "";
export const known = (standing) => Object.hasOwn(STANDINGS, standing) ? standing : "unknown";
export const linksOf = (adapter) => adapter.there ? adapter.links + (adapter.limit === undefined ? "" : "/" + adapter.limit) + " links" : "gone";

// ---- Elements ------------------------------------------------------------------------------------------------------
export const byId = (id) => document.getElementById(id);
/// Sets the text of an element. All text of the page is set here, so all of it is escaped.
export const setText = (element, text) => {
  const value = text === undefined || text === null ? "" : visible(text);
  if (element.textContent !== value) element.textContent = value;
  return element;
};
export const make = (tag, name, text) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) setText(element, text);
  return element;
};
export const put = (parent, ...children) => { parent.append(...children.filter(Boolean)); return parent; };
export const hide = (element, isHidden) => { if (element.hidden !== isHidden) element.hidden = isHidden; };
/// A button with `id`. A disabled one keeps the focus, and does nothing.
export const makeButton = (text, action, name, id) => {
  const button = make("button", name, text);
  button.type = "button";
  if (id) button.id = id;
  button.addEventListener("click", () => { if (button.getAttribute("aria-disabled") !== "true") action(); });
  return button;
};
export const enable = (button, isAble) => { if (isAble) button.removeAttribute("aria-disabled"); else button.setAttribute("aria-disabled", "true"); };
/// Arranges `children` in `parent`. A moved element loses a click that has begun: as few as possible are moved, and
/// none while a button is pressed.
export let isPressed = false;
export const arrange = (parent, children) => {
  if (isPressed) return;
  const wanted = new Set(children), focused = document.activeElement;
  for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
  let at = parent.firstElementChild;
  for (const child of children) {
    if (at && at !== child && at.nextElementSibling === child) { at.remove(); at = child; }
    if (at === child) at = at.nextElementSibling; else parent.insertBefore(child, at);
  }
  if (focused !== document.activeElement && parent.contains(focused)) focused.focus({ preventScroll: true });
};
// A select list that opens over the page does not report its pointerup.
addEventListener("pointerdown", (event) => { isPressed = Boolean(event.target.closest("button, a")); }, true);
const letGo = () => { if (isPressed) { isPressed = false; draw(); } };
for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, letGo, true);
addEventListener("blur", letGo);
/// Text in parts that stay on one line each.
export const wrapped = (parts, between) => put(make("span"), ...parts.flatMap((part, i) => [i ? between : null, make("span", "whole", part)]));
export const moment = (ms) => wrapped(day(ms).split(" "), " ");
export const mark = (standing) => { const m = make("i", "mark", STANDINGS[standing][0]); m.setAttribute("aria-hidden", "true"); return m; };
let toastTimer = 0;
export const toast = (text, isBad) => {
  const element = setText(byId("toast"), text);
  element.classList.toggle("bad", Boolean(isBad));
  element.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { element.hidden = true; }, isBad ? 9000 : 4000);
};
export const count = (element, name, ms) => { element.dataset[name] = ms; return element; };
export const since = (ms) => count(make("span"), "since", ms);
export const until = (ms) => count(make("span"), "until", ms);
export const same = (element, key) => { if (element.dataset.key === key) return true; element.dataset.key = key; return false; };
