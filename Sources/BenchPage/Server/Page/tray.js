/// The units of a bench: its tray, and those that need attention.
import {
  PHASES, RANKS, STANDINGS, arrange, hide, isPressed, known, make, makeButton, put, same, setText, visible, span, speed,
} from "./words.js";
import { frame } from "./bench.js";
import { details } from "./details.js";

const matches = (unit) => {
  if (frame.hidden.has(known(unit.standing))) return false;
  const text = [unit.slot, unit.address, unit.name, unit.id, unit.model, unit.code, STANDINGS[known(unit.standing)][1], unit.adapter, unit.phase].filter(Boolean).join(" ").toLowerCase();
  return frame.filter.toLowerCase().split(" ").filter(Boolean).every((word) => word.startsWith("!") && word.length > 1 ? !text.includes(word.slice(1)) : text.includes(word));
};

/// Rows and columns if the labels are positions, for example A1 to F8; otherwise eight per row.
const layout = (list) => {
  const places = list.map((unit) => /^([A-Za-z])([1-9][0-9]?)$/.exec(unit.slot));
  if (list.length && places.every(Boolean)) {
    const rows = places.map((p) => p[1].toUpperCase().charCodeAt(0) - 65), columns = places.map((p) => Number(p[2]));
    const width = Math.max(...columns), first = Math.min(...rows), height = Math.max(...rows) - first + 1;
    const names = new Set(places.map((p) => p[0].toUpperCase()));
    if (names.size === list.length && width <= 16 && height <= 26 && width * height <= Math.max(8, list.length * 3) && list.length <= 208)
      return { width, height, at: list.map((_, i) => [rows[i] - first + 1, columns[i]]) };
  }
  return { width: 8, height: Math.ceil(list.length / 8), at: null };
};
const tile = (unit) => {
  const element = make("button", "tile");
  element.type = "button";
  element.tabIndex = -1;
  const face = make("span", "face");
  const parts = { element, mark: make("i", "mark"), slot: make("span", "slot"), last: make("span", "last"), part: make("span", "part"), star: make("span", "star", "★"), bar: make("i") };
  put(face, parts.mark, parts.slot, parts.last, parts.part);
  put(element, face, parts.star, put(make("span", "bar"), parts.bar));
  element.addEventListener("click", () => details(element.dataset.slot));
  element.addEventListener("focus", () => focusOn(element));
  return parts;
};
const focusOn = (element) => {
  if (frame.focus && frame.focus !== element) frame.focus.tabIndex = -1;
  frame.focus = element;
  element.tabIndex = 0;
};
/// The end of the unit's address; empty if the label ends with it.
const lastOf = (unit) => unit.last && !unit.slot.endsWith(unit.last) ? unit.last : "";
export const drawMap = (bench, list) => {
  const plan = layout(list), size = list.length > 208 ? "lots" : list.length > 96 ? "many" : "few";
  // Labels of more than 3 characters have a line of their own: one that is cut to a letter could be mistaken for a
  // status.
  const isWide = list.some((unit) => unit.slot.length > 3);
  const key = JSON.stringify([plan.width, plan.height, size, plan.at, isWide]);
  if (!same(frame.map, key)) {
    frame.map.className = "map " + size + (plan.at ? "" : " flow") + (plan.height <= 3 ? " low" : "") + (isWide ? " wide" : "");
    frame.map.style.gridTemplateColumns = size === "few" || plan.at ? "repeat(" + plan.width + ", minmax(0, 1fr))" : "";
    frame.tiles.clear();
    frame.map.replaceChildren();
  }
  const seen = new Set(list.map((unit) => unit.slot));
  for (const [slot, parts] of frame.tiles) if (!seen.has(slot)) { parts.element.remove(); frame.tiles.delete(slot); }
  list.forEach((unit, index) => {
    let parts = frame.tiles.get(unit.slot);
    if (!parts) {
      parts = tile(unit);
      frame.tiles.set(unit.slot, parts);
      frame.map.insertBefore(parts.element, frame.map.children[index] || null);
      if (plan.at) { parts.element.style.gridRow = plan.at[index][0]; parts.element.style.gridColumn = plan.at[index][1]; }
    }
    const isShut = !matches(unit), was = parts.unit;
    if (was === unit && parts.isShut === isShut) return;
    parts.unit = unit; parts.isShut = isShut;
    const kind = known(unit.standing), element = parts.element;
    element.dataset.slot = unit.slot;
    element.className = "tile s-" + kind + (isShut ? " shut" : "") + (unit.percent === 100 ? " is-full" : "") + (frame.scan.next === unit.slot ? " is-next" : "");
    setText(parts.mark, STANDINGS[kind][0]);
    setText(parts.slot, unit.slot);
    setText(parts.last, lastOf(unit));
    setText(parts.part, kind === "running" || kind === "stalled" ? (unit.percent === undefined ? "" : unit.percent + "\u00a0%") : unit.attempts > 1 ? unit.attempts + "×" : "");
    hide(parts.star, !unit.golden);
    parts.bar.style.transform = "scaleX(" + (unit.percent || 0) / 100 + ")";
    element.setAttribute("aria-label", visible(label(unit)));
    element.title = visible(label(unit));
  });
  // One visible tile can be reached with the Tab key.
  if (!frame.focus || !frame.focus.isConnected || frame.focus.classList.contains("shut")) {
    const next = frame.map.querySelector(".tile:not(.shut)"), hadFocus = frame.focus && frame.focus === document.activeElement;
    if (next) focusOn(next);
    if (next && hadFocus) next.focus();
  }
};
const label = (unit) => [unit.slot, STANDINGS[known(unit.standing)][1], unit.golden && "golden unit", unit.name, unit.address && unit.address.split("/")[0], unit.phase && PHASES[unit.phase], unit.percent !== undefined && unit.phase && unit.percent + " %", unit.code].filter(Boolean).join(", ");

// ---- Units that need attention -------------------------------------------------------------------------------------
export const drawSide = (bench, list) => {
  const worst = list.map((unit, index) => [RANKS.indexOf(known(unit.standing)), index, unit])
    .filter(([rank, , unit]) => bench.scan ? unit.name : (rank <= RANKS.indexOf("waiting") && (unit.standing !== "waiting" || unit.code)) || unit.standing === "aborted" || unit.standing === "skipped")
    .filter(([, , unit]) => matches(unit)).sort((a, b) => a[0] - b[0] || a[1] - b[1]).slice(0, 120).map((entry) => entry[2]);
  setText(frame.worst, bench.scan ? "Scanned labels" : worst.length ? "Worst first" : "Nothing needs attention");
  const wanted = new Set(worst.map((unit) => unit.slot));
  for (const slot of frame.lines.keys()) if (!wanted.has(slot) && !isPressed) frame.lines.delete(slot);
  arrange(frame.list, worst.map((unit) => {
    if (!frame.lines.has(unit.slot)) frame.lines.set(unit.slot, line(unit.slot));
    const parts = frame.lines.get(unit.slot);
    if (parts.unit !== unit) drawLine(parts, unit);
    return parts.element;
  }));
};
const line = (slot) => {
  const parts = { element: makeButton("", () => details(slot)), mark: make("i", "mark"), what: make("span", "what"), last: make("span", "last"), cause: make("span"), next: make("span", "next") };
  parts.mark.setAttribute("aria-hidden", "true");
  parts.element.dataset.slot = slot;
  put(parts.element, parts.mark, put(make("span", "slot"), make("bdi", "", slot)), parts.what, parts.last, parts.cause, parts.next);
  return parts;
};
const drawLine = (parts, unit) => {
  parts.unit = unit;
  const kind = known(unit.standing), isUnderWay = ["running", "stalled", "waiting"].includes(kind);
  let what = unit.code && !isUnderWay ? unit.code : STANDINGS[kind][1];
  if (kind === "running") what = (PHASES[unit.phase] || what) + (unit.phase === "transferring" && unit.percent !== undefined ? " " + unit.percent + " %" : "") + (unit.speed ? " · " + speed(unit.speed) : "") + (unit.seconds_left ? " · " + span(unit.seconds_left) : "");
  if (kind === "stalled") what = "no progress" + (unit.percent === undefined ? "" : " at " + unit.percent + " %");
  if (kind === "waiting") what = unit.code ? "waiting for another attempt: " + unit.code : unit.name;
  parts.element.className = "line s-" + kind;
  setText(parts.mark, STANDINGS[kind][0]);
  setText(parts.what, what);
  setText(parts.last, lastOf(unit));
  parts.cause.className = isUnderWay ? "cause dim" : "cause";
  setText(parts.cause, !isUnderWay ? (unit.cause === what ? "" : unit.cause) : unit.attempts > 1 ? "attempt " + unit.attempts : "");
  setText(parts.next, isUnderWay ? "" : unit.next_step);
  hide(parts.cause, !parts.cause.textContent);
  hide(parts.next, !parts.next.textContent);
};
export const move = (event) => {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key], here = document.activeElement;
  if (!step || !here.classList.contains("tile")) return;
  event.preventDefault();
  const box = here.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
  let best = null, distance = Infinity;
  for (const other of frame.map.querySelectorAll(".tile:not(.shut)")) {
    if (other === here) continue;
    const r = other.getBoundingClientRect(), dx = r.left + r.width / 2 - x, dy = r.top + r.height / 2 - y;
    const along = dx * step[1] + dy * step[0], across = Math.abs(dx * step[0]) + Math.abs(dy * step[1]);
    if (along > 2 && along + across * 4 < distance) { distance = along + across * 4; best = other; }
  }
  if (best) best.focus();
};
