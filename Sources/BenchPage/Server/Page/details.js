/// Details of a unit, dialogs and keys.
import {
  FINAL, FIRST_PASS, MEANINGS, PHASES, RANKS, STANDINGS, byId, enable, hide, known, make, mark, makeButton, put,
  setText, span, speed,
} from "./words.js";
import { act, fits, offers } from "./server.js";
import { isLive, units } from "./stream.js";
import { draw } from "./page.js";
import { frame, here, request } from "./bench.js";

const sheetOfUnit = (() => {
  const dialog = byId("details"), heading = make("h2"), list = make("dl"), row = make("div", "row");
  const parts = { dialog, heading, mark: make("i", "mark"), slot: make("bdi"), what: make("span", "dim"), facts: new Map(), buttons: new Map() };
  heading.id = "details-title";
  parts.mark.setAttribute("aria-hidden", "true");
  put(heading, parts.mark, parts.slot, parts.what);
  for (const name of ["cause", "code", "state", "next step", "phase", "sent", "address", "name", "id", "model", "version", "attempts", "adapter"]) {
    const fact = { name: make("dt", "", name), text: make(name === "code" || name === "address" ? "code" : "bdi"), box: make("dd") };
    put(list, fact.name, put(fact.box, fact.text));
    parts.facts.set(name, fact);
  }
  for (const [text, kind] of [["Retry", "retry"], ["Skip", "skip"], ["Blink", "blink"]]) {
    const button = makeButton(text, () => { const bench = here(); if (bench) requestForUnit(kind, bench, frame.open); }, "", "do-" + kind);
    parts.buttons.set(kind, button);
    put(row, button);
  }
  put(dialog, heading, list, put(row, make("span", "grow"), makeButton("Close", () => dialog.close())));
  dialog.addEventListener("close", () => { const tile = frame.tiles.get(frame.open); frame.open = null; if (tile) tile.element.focus(); });
  return parts;
})();
export const details = (slot) => {
  const bench = here();
  if (!bench) return;
  frame.open = slot;
  drawDetails(bench);
  if (!sheetOfUnit.dialog.open) sheetOfUnit.dialog.showModal();
};
export const drawDetails = (bench) => {
  const parts = sheetOfUnit, unit = units(bench).find((u) => u.slot === frame.open);
  if (!unit) { parts.dialog.close(); return; }
  const kind = known(unit.standing);
  parts.heading.className = "s-" + kind;
  setText(parts.mark, STANDINGS[kind][0]);
  setText(parts.slot, unit.slot);
  setText(parts.what, STANDINGS[kind][1] + (unit.golden ? ", golden unit" : ""));
  const texts = {
    cause: unit.cause || unit.code, code: unit.cause && unit.code, state: unit.state, "next step": unit.next_step, phase: unit.phase && PHASES[unit.phase],
    sent: unit.percent === undefined ? "" : unit.percent + " %" + (unit.speed ? ", " + speed(unit.speed) : "") + (unit.seconds_left ? ", " + span(unit.seconds_left) + " left" : ""),
    address: unit.address, name: unit.name, id: unit.id, model: unit.model, attempts: unit.attempts, adapter: unit.adapter,
    version: unit.version || unit.version_from ? (unit.version_from || "?") + " → " + (unit.version || "?") : "",
  };
  for (const [name, fact] of parts.facts) {
    setText(fact.text, texts[name]);
    hide(fact.name, !fact.text.textContent);
    hide(fact.box, !fact.text.textContent);
  }
  for (const [action, button] of parts.buttons) {
    hide(button, !offers(action, bench));
    enable(button, isLive && fits(action, unit));
  }
};

// ---- Dialogs and keys ----------------------------------------------------------------------------------------------
/// Asks for confirmation. Input for the page before it opened, such as the second click of a double click or a held
/// key, is ignored.
export const confirmFirst = (title, text, yes, action) => {
  const dialog = byId("sure"), heading = make("h2", "", title), row = make("div", "row");
  heading.id = "sure-title";
  let opened = Infinity;
  const go = makeButton(yes, () => { if (performance.now() - opened >= 300) { dialog.close(); action(); } }, "main", "sure-yes");
  const no = makeButton("Cancel", () => dialog.close(), "", "sure-no");
  row.addEventListener("keydown", (event) => { if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault(); });
  dialog.replaceChildren(heading, make("p", "", text), put(row, go, no));
  dialog.showModal();
  no.focus();
  opened = performance.now();
};
const help = () => {
  const dialog = byId("help"), heading = make("h2", "", "Keys and signs"), keys = make("dl"), legend = make("div", "legend"), signs = make("dl");
  heading.id = "help-title";
  for (const [key, text] of [["arrows", "choose a unit"], ["Enter d", "details of the unit"], ["/", "find; !word excludes"], ["Esc", "show all again; close a dialog"], ["r s b", "retry, skip, blink the chosen unit"], ["p", "hold; an approver releases a hold"], ["?", "this help"]]) put(keys, put(make("dt"), make("kbd", "", key)), make("dd", "", text));
  for (const kind of RANKS) put(legend, put(make("span", "s-" + kind), mark(kind), put(make("span"), make("b", "", STANDINGS[kind][1] + ": "), MEANINGS[kind])));
  for (const [name, text] of [["★", "golden unit: it has to pass before the others begin"], ["2×", "the number of attempts"], ["41 %", "the share of the firmware that was sent, also as a bar"],
    ["33 of 48", "units that passed or needed no update, of all expected"], ["FPY", FIRST_PASS], ["final yield", FINAL], ["ETA", "the estimated time until the last unit is done"],
    ["6/7 links", "units that are connected, of the most that the adapter is given at once"], ["results wait", "results of units that the work server does not have yet"],
    ["HELD", "no further unit starts until somebody releases it; units at work are finished"], ["No contact", "the data shown may be old"], ["striped", "a past run: nothing is running"]]) put(signs, make("dt", "", name), make("dd", "", text));
  const title = (text) => make("h3", "", text);
  dialog.replaceChildren(heading, title("Keys"), keys, title("States of units"), legend, title("Signs and figures"), signs, put(make("div", "row"), makeButton("Close", () => dialog.close())));
  dialog.showModal();
  // The focused button is at the end of the dialog, which would otherwise be scrolled there.
  dialog.scrollTop = 0;
};
byId("help-open").addEventListener("click", help);
/// Performs an action on a unit. Another attempt sends firmware to a beacon, so button and key ask for confirmation.
const requestForUnit = (kind, bench, slot) => {
  const go = () => act(kind, bench, slot);
  if (kind === "retry") confirmFirst("Try " + slot + " again?", "It gets firmware again, and counts as failed until there is a new result.", "Retry", go); else go();
};
/// A key is pressed by mistake more easily than a button: irreversible actions ask for confirmation.
const requestByKey = (kind, bench, slot) => {
  if (!offers(kind, bench) || (slot !== undefined && !fits(kind, units(bench).find((u) => u.slot === slot)))) return;
  const go = () => act(kind, bench, slot);
  if (kind === "hold") { request(kind); return; }
  if (kind === "release") confirmFirst("Release the hold?", bench.hold.message, "Release", go);
  else if (kind === "retry") requestForUnit(kind, bench, slot);
  else if (kind === "skip") confirmFirst("Skip " + slot + "?", "It is skipped, or ended at its next safe point.", "Skip", go);
  else go();
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) {
    if (event.key === "Escape" && event.target === frame.find) { frame.find.value = frame.filter = ""; frame.find.blur(); draw(); }
    return;
  }
  // A held key acts only once.
  if (event.repeat || document.querySelector("dialog[open]")) return;
  const bench = here(), slot = document.activeElement && document.activeElement.classList.contains("tile") ? document.activeElement.dataset.slot : undefined;
  // The input of a scanner goes to the field for labels even if another element has the focus.
  if (bench && bench.scan && offers("scan", bench) && event.key.length === 1 && event.key !== " ") { byId("scan-code").focus(); return; }
  const actions = { r: "retry", s: "skip", b: "blink" };
  if (event.key === "?") help();
  else if (event.key === "/" && bench) { event.preventDefault(); frame.find.focus(); }
  else if (event.key === "Escape" && bench) { frame.hidden.clear(); frame.filter = frame.find.value = ""; draw(); }
  else if (event.key === "d" && slot !== undefined) details(slot);
  else if (Object.hasOwn(actions, event.key) && slot !== undefined && bench) requestByKey(actions[event.key], bench, slot);
  else if (event.key === "p" && bench) requestByKey(bench.hold ? "release" : "hold", bench);
});
