/// The view of a bench.
import {
  RANKS, byId, clock, count, day, enable, hide, linksOf, make, many, mark, percent, makeButton, put, same, setText,
  visible, since, speed, toast, until, waiting,
} from "./words.js";
import { act, change, may, offers, session, errorText } from "./server.js";
import { isLive, units } from "./stream.js";
import { draw, route } from "./page.js";
import { drawMap, drawSide, move } from "./tray.js";
import { drawDetails, confirmFirst } from "./details.js";
import { speedPlot } from "./plots.js";
import { holdOrder } from "./orders.js";

export const frame = { id: null, tiles: new Map(), lines: new Map(), hidden: new Set(), filter: "", focus: null, open: null };
/// The current state of the bench shown.
export const here = () => route().bench;
export const request = (kind) => {
  const bench = here();
  if (!bench) return;
  if (kind === "hold" && bench.order_hold && bench.run) holdOrder(bench.run.order); else act(kind, bench);
};
const banner = (kind, title, text) => {
  const parts = { box: make("div", "banner " + kind), title: make("b", "", title), text: make("span", "why", text), time: make("span"), age: make("span") };
  put(parts.box, parts.title, parts.text, put(make("span", "since"), parts.time, parts.age));
  parts.box.hidden = true;
  return parts;
};
/// Builds the elements for a bench. Everything that can be pressed is created here, or once for each unit: a change
/// redraws only texts.
const build = (bench) => {
  frame.id = bench.id;
  frame.tiles.clear();
  frame.lines.clear();
  frame.focus = null;
  if (byId("details").open) byId("details").close();
  const view = byId("view-bench");
  view.replaceChildren();
  frame.head = make("div", "headline");
  frame.about = make("div", "about");
  frame.hold = makeButton("Hold", () => request("hold"), "", "do-hold");
  frame.end = makeButton("End run", () => confirmFirst("End the run?", "Units at work are finished, no further unit starts.", "End run", () => request("end")), "", "do-end");
  put(frame.head, frame.about, put(make("span", "do"), frame.hold, frame.end));
  frame.figures = make("div", "figures");
  frame.silence = banner("silent", "No contact");
  frame.past = banner("past", "Past run");
  frame.ending = banner("ending", "Ending", "units at work are finished, no further unit starts");
  frame.held = banner("hold", "HELD");
  frame.held.box.id = "hold";
  frame.release = makeButton("Release", () => request("release"), "", "release");
  frame.others = make("span", "", "an approver can release it");
  put(frame.held.box, make("span", "grow"), frame.release, frame.others);
  frame.scan = scanBox();
  frame.chips = new Map(RANKS.map((kind) => {
    const chip = makeButton("", () => { if (!frame.hidden.delete(kind)) frame.hidden.add(kind); draw(); }, "chip s-" + kind), text = make("span");
    put(chip, mark(kind), text);
    return [kind, { chip, text }];
  }));
  frame.find = make("input");
  frame.find.type = "search";
  frame.find.placeholder = "find, or !exclude";
  frame.find.setAttribute("aria-label", "Find units");
  frame.find.value = frame.filter;
  frame.find.addEventListener("input", () => { frame.filter = frame.find.value; draw(); });
  frame.map = make("div", "map");
  frame.map.setAttribute("role", "group");
  frame.map.setAttribute("aria-label", "Tray");
  frame.map.addEventListener("keydown", move);
  frame.side = make("section", "side");
  frame.side.setAttribute("aria-label", "Units, worst first");
  frame.worst = make("h2");
  frame.list = make("div");
  frame.speed = speedPlot();
  put(frame.side, frame.speed.box, frame.worst, frame.list);
  frame.foot = make("footer", "foot");
  put(view, frame.head, frame.figures, put(make("div"), frame.silence.box, frame.past.box, frame.ending.box, frame.held.box), frame.scan.box,
    put(make("div", "tools"), put(make("span"), ...Array.from(frame.chips.values(), (c) => c.chip)), frame.find),
    put(make("div", "work"), frame.map, frame.side), frame.foot);
};
/// The form for scanning labels into slots. A scanner types a code and Enter, so the field keeps the focus.
const scanBox = () => {
  const box = make("form", "banner scan"), prompt = make("p", "prompt"), field = make("input"), said = make("ol", "said"), row = make("span", "do");
  let next = "", seen = "";
  const answer = (text) => {
    const bench = here();
    field.value = "";
    field.focus();
    if (bench) change("actions/scan", { bench: bench.id, text }).catch((error) => toast("scan: " + errorText(error), true));
  };
  const buttons = { yes: makeButton("Accept it", () => answer("y"), "main", "scan-yes"), no: makeButton("Leave it out", () => answer("n"), "", "scan-no"), undo: makeButton("Undo", () => answer("undo"), "", "scan-undo"),
    skip: makeButton("", () => answer("skip"), "", "scan-skip"), end: makeButton("End scanning", () => confirmFirst("End scanning?", "Slots without a beacon stay empty, and the run begins without them.", "End scanning", () => answer("end")), "", "scan-end") };
  field.id = "scan-code";
  field.autocomplete = "off"; field.spellcheck = false; field.maxLength = 1000;
  field.setAttribute("autocapitalize", "off");
  prompt.setAttribute("role", "status");
  said.setAttribute("aria-live", "polite");
  box.addEventListener("submit", (event) => { event.preventDefault(); const text = field.value.trim(); if (text) answer(text); });
  put(box, prompt, field, put(row, ...Object.values(buttons)), said);
  box.hidden = true;
  const show = (bench) => {
    const scan = bench.scan, isNew = scan && box.hidden;
    hide(box, !scan);
    if (!scan) { next = ""; return; }
    const able = offers("scan", bench);
    for (const element of [field, row]) hide(element, !able);
    for (const button of Object.values(buttons)) enable(button, isLive);
    setText(prompt, scan.prompt + (able ? "" : " An operator scans at the bench, or signs in here.") + " " + scan.open + (scan.open === 1 ? " slot is open." : " slots are open."));
    field.setAttribute("aria-label", "Label for " + visible(scan.next));
    hide(buttons.yes, !scan.asks);
    hide(buttons.no, !scan.asks);
    setText(buttons.skip, "Leave " + scan.next + " empty");
    if (seen !== (seen = JSON.stringify(scan.said))) said.replaceChildren(...scan.said.map((line) => put(make("li"), make("bdi", "", line))));
    if (next !== (next = scan.next)) for (const [slot, parts] of frame.tiles) parts.element.classList.toggle("is-next", slot === next);
    if (isNew && able && !document.querySelector("dialog[open]")) field.focus();
  };
  return { box, show, get next() { return next; } };
};

export const drawBench = (bench) => {
  if (frame.id !== bench.id) build(bench);
  const list = units(bench), run = bench.run || {};
  byId("view-bench").classList.toggle("silent-bench", Boolean(bench.silent));
  drawHead(bench, run);
  drawFigures(bench, list, run);
  drawBanners(bench, run);
  frame.scan.show(bench);
  drawTools(bench);
  drawMap(bench, list);
  drawSide(bench, list);
  drawFoot(bench, run);
  frame.speed.show(bench);
  if (byId("details").open) drawDetails(bench);
};
const drawHead = (bench, run) => {
  setText(frame.hold, bench.order_hold ? "Hold order" : "Hold");
  setText(frame.held.title, bench.order_hold ? "ORDER HELD" : "HELD");
  for (const [kind, button] of [["hold", frame.hold], ["end", frame.end]]) { hide(button, !offers(kind, bench)); enable(button, isLive); }
  if (same(frame.about, JSON.stringify([bench.name, run, bench.idle]))) return;
  frame.about.replaceChildren();
  put(frame.about, make("h1", "", run.order || (run.tray ? run.tray.split("/").pop() : bench.name)),
    run.firmware && make("span", "dim", run.firmware), run.operator && make("span", "dim", run.operator),
    run.session > 1 && make("span", "dim", "session " + run.session), run.simulated && make("span", "dim", "simulated beacons"),
    bench.idle && make("span", "dim", "idle, last seen at " + clock(bench.idle)));
};
const drawFigures = (bench, list, run) => {
  const f = bench.figures, all = Math.max(list.length, run.expected || 0);
  if (same(frame.figures, JSON.stringify([f, all, bench.ends, bench.past, bench.adapters]))) return;
  frame.figures.replaceChildren();
  const pair = (name, value, more) => put(make("span", more), make("small", "", name), value);
  put(frame.figures, make("span", "big", f.good + " of " + all));
  if (f.counts.failed) put(frame.figures, make("span", "bad", f.counts.failed + " failed"));
  if (f.first_pass_yield !== undefined) put(frame.figures, pair("FPY", percent(f.first_pass_yield)));
  if (bench.ends && !bench.past) put(frame.figures, pair("ETA", until(bench.ends)));
  for (const adapter of bench.adapters) put(frame.figures, pair(adapter.name, linksOf(adapter), adapter.there ? "" : "gone"));
};
const drawBanners = (bench, run) => {
  const draws = (parts, isThere, text, time, ms) => {
    hide(parts.box, !isThere);
    if (!isThere) return;
    if (text !== undefined) setText(parts.text, text);
    setText(parts.time, time);
    if (ms !== undefined) count(parts.age, "since", ms);
  };
  const quiet = bench.silent || {}, hold = bench.hold || {};
  draws(frame.silence, bench.silent, quiet.reason, "since " + clock(quiet.since) + ", for ", quiet.since);
  draws(frame.past, bench.past, run.ended ? "Ended on " + day(run.ended) + ". Nothing is running." : "Nothing is running.");
  draws(frame.ending, bench.ending && !bench.past);
  draws(frame.held, bench.hold && !bench.past, hold.message, "for ", hold.since);
  hide(frame.release, !offers("release", bench));
  enable(frame.release, isLive);
  hide(frame.others, !session || Boolean(session.wall) || may("approver"));
};
const drawTools = (bench) => {
  for (const [kind, { chip, text }] of frame.chips) {
    const number = bench.figures.counts[kind] || 0, isOff = frame.hidden.has(kind);
    hide(chip, !number && !isOff && chip !== document.activeElement);
    setText(text, many(number, kind));
    chip.setAttribute("aria-pressed", String(!isOff));
  }
};
const drawFoot = (bench, run) => {
  if (same(frame.foot, JSON.stringify([bench.outbox, bench.catalogue, run.id, run.limited_by, bench.figures]))) return;
  frame.foot.replaceChildren();
  const o = bench.outbox, c = bench.catalogue;
  if (o) {
    const box = make("span");
    if (o.waiting) { put(box, make("b", "late", waiting(o.waiting)), o.since ? " since " + clock(o.since) : ""); } else put(box, "all results are delivered");
    if (o.refused) put(box, ", ", make("b", "late", o.refused + " refused"));
    put(frame.foot, box);
  }
  if (c) { const box = put(make("span"), "catalogue ", make("b", "", c.version)); if (c.fetched) put(box, ", ", since(c.fetched), " old"); put(frame.foot, box); }
  if (bench.figures.bytes_per_second > 0) put(frame.foot, make("span", "", speed(bench.figures.bytes_per_second)));
  const first = bench.figures.first_pass, final = bench.figures.final;
  if (final.counted) put(frame.foot, make("span", "", "final yield " + percent(bench.figures.final_yield) + ", " + final.passed + " of " + final.counted));
  if (first.counted) put(frame.foot, make("span", "", "first pass (first attempt, image sent once): " + first.passed + " of " + first.counted));
  if (run.limited_by) put(frame.foot, make("span", "", "limited by " + run.limited_by));
  if (run.id) put(frame.foot, make("span", "", "run " + run.id.slice(0, 8)));
};
