/// The page: which view is visible, when it is drawn, and the view of several benches.
///
/// The modules import each other in circles. While they are loaded they use only words.js, and orders.js also rows.js and
/// plots.js; everything else is used only after all are loaded.
import {
  STANDINGS, ago, arrange, byId, clock, count, day, hide, isPressed, known, linksOf, make, many, percent,
  put, setText, visible, span, waiting,
} from "./words.js";
import { canSignOut, session, start } from "./server.js";
import { isStarted, benches, isLive, lostAt, lostWhy, now, state, units } from "./stream.js";
import { drawBench } from "./bench.js";
import { sheets } from "./rows.js";
import { drawOrderButtons } from "./orders.js";

let isDue = false;
export const draw = () => {
  if (isDue) return;
  isDue = true;
  (document.hidden ? (f) => setTimeout(f, 200) : requestAnimationFrame)(() => { isDue = false; render(); });
};
export const route = () => {
  const path = location.hash.replace(/^#\/?/, "");
  if (path === "orders" || path === "history") return { view: path };
  const all = benches();
  if (path.startsWith("bench/")) {
    let id = path.slice(6);
    try { id = decodeURIComponent(id); } catch { /* as it is */ }
    const bench = all.find((b) => b.id === id);
    if (bench) return { view: "bench", bench };
  }
  return all.length === 1 ? { view: "bench", bench: all[0] } : { view: "benches" };
};
let wasHeld = null;
const render = () => {
  const place = route(), all = benches();
  document.body.classList.toggle("offline", isStarted && !isLive && Boolean(lostAt));
  for (const view of ["bench", "benches", "orders", "history"]) hide(byId("view-" + view), place.view !== view || (!state && view.startsWith("bench")));
  hide(byId("waiting"), Boolean(state) || !place.view.startsWith("bench"));
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === "bench") setText(link, all.length > 1 ? "Benches" : "Bench");
    if (link.dataset.view === "orders") setText(link, state && state.held_orders ? "Orders, " + state.held_orders + " held" : "Orders");
    const isHere = link.dataset.view === place.view || (link.dataset.view === "bench" && place.view === "benches");
    if (isHere) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  setText(byId("where"), place.bench ? place.bench.name : "");
  setText(byId("who"), !session ? "" : session.wall ? "wall screen" : (session.name ? session.name + ", " : "") + session.role);
  hide(byId("sign-out"), !session || Boolean(session.wall) || !canSignOut);
  document.title = state ? visible(state.title) : "beacon-dfu";
  if (place.bench) drawBench(place.bench);
  if (place.view === "benches") drawBenches(all);
  if (place.view === "orders") drawOrderButtons();
  if (!place.bench && byId("details").open) byId("details").close();
  const held = all.filter((b) => b.hold).map((b) => (b.order_hold && b.run ? "order " + b.run.order : b.name) + " is held: " + b.hold.message).join(". ");
  if (held !== wasHeld) { wasHeld = held; setText(byId("live"), held); }
  tick();
};
export const tick = () => {
  const link = byId("link"), note = byId("offline");
  const isLost = isStarted && !isLive && lostAt !== null;
  link.classList.toggle("live", isLive);
  setText(link, isLive ? "live" : isLost ? "offline" : "connecting");
  hide(note, !isLost);
  if (isLost) {
    setText(byId("offline-why"), "Offline since " + day(lostAt).slice(11) + ": " + lostWhy + (state ? ". The data shown is from then." : ""));
    setText(byId("offline-age"), "(" + ago((Date.now() - lostAt) / 1000) + ")");
  }
  for (const element of document.querySelectorAll("[data-until]")) setText(element, span((Number(element.dataset.until) - now()) / 1000));
  for (const element of document.querySelectorAll("[data-since]")) setText(element, ago((now() - Number(element.dataset.since)) / 1000));
};
export const visit = () => {
  const open = sheets.get(route().view);
  if (session && open) open.fill();
  draw();
};
addEventListener("hashchange", () => { if (/^#token=/.test(location.hash)) start(); else visit(); });

// ---- Several benches -----------------------------------------------------------------------------------------------
const cards = { box: make("div", "cards"), byBench: new Map(), none: make("p", "note", "No benches yet.") };
put(byId("view-benches"), make("h1", "unseen", "Benches"), cards.none, cards.box);
const drawBenches = (all) => {
  hide(cards.none, all.length > 0);
  const rank = (b) => b.hold ? 0 : b.silent ? 1 : b.past ? 3 : 2, ids = new Set(all.map((b) => b.id));
  for (const id of cards.byBench.keys()) if (!ids.has(id) && !isPressed) cards.byBench.delete(id);
  arrange(cards.box, [...all].sort((a, b) => rank(a) - rank(b)).map((bench) => {
    if (!cards.byBench.has(bench.id)) cards.byBench.set(bench.id, card(bench.id));
    const parts = cards.byBench.get(bench.id);
    if (parts.bench !== bench) drawCard(parts, bench);
    return parts.element;
  }));
};
const card = (id) => {
  const parts = { element: make("a", "card"), name: make("bdi"), about: make("span"), big: make("div", "big"), hold: make("p", "hold"), silent: make("p", "quiet"), past: make("p", "past"), idle: make("p", "past"),
    words: make("span"), ends: make("span"), eta: make("span"), adapters: make("span"), mini: make("div", "mini"), outbox: make("p", "dim") };
  parts.element.href = "#/bench/" + encodeURIComponent(id);
  parts.mini.setAttribute("aria-hidden", "true");
  put(parts.ends, "ETA ", parts.eta);
  put(parts.element, put(make("h2"), parts.name, parts.about), parts.big, parts.hold, parts.silent, parts.past, parts.idle,
    put(make("p", "words"), parts.words, parts.ends, parts.adapters), parts.mini, parts.outbox);
  return parts;
};
const drawCard = (parts, bench) => {
  parts.bench = bench;
  const run = bench.run || {}, f = bench.figures, list = units(bench), total = Math.max(list.length, run.expected || 0);
  const words = ["failed", "unknown", "error", "stalled", "running"].filter((k) => f.counts[k]).map((k) => many(f.counts[k], k));
  if (f.first_pass_yield !== undefined) words.push("FPY " + percent(f.first_pass_yield));
  const line = (element, isThere, text) => { hide(element, !isThere); if (isThere) setText(element, text()); };
  parts.element.classList.toggle("is-silent", Boolean(bench.silent));
  setText(parts.name, bench.name);
  setText(parts.about, [run.order, run.operator].filter(Boolean).join(" · "));
  setText(parts.big, total ? f.good + " of " + total : "no run");
  line(parts.hold, bench.hold, () => (bench.order_hold ? "ORDER HELD: " : "HELD: ") + bench.hold.message);
  line(parts.silent, bench.silent, () => "no contact since " + clock(bench.silent.since) + ": " + bench.silent.reason);
  line(parts.past, bench.past, () => "past run" + (run.ended ? ", ended on " + day(run.ended) : ""));
  line(parts.idle, bench.idle, () => "idle, last seen at " + clock(bench.idle));
  setText(parts.words, words.map((word) => word.replaceAll(" ", "\u00a0")).join(" · "));
  hide(parts.ends, !bench.ends || Boolean(bench.past));
  if (bench.ends) count(parts.eta, "until", bench.ends);
  setText(parts.adapters, bench.adapters.map((a) => a.name + " " + linksOf(a)).join(" · "));
  parts.mini.classList.toggle("tight", list.length > 96);
  while (parts.mini.childElementCount > list.length) parts.mini.lastElementChild.remove();
  while (parts.mini.childElementCount < list.length) put(parts.mini, make("i"));
  list.forEach((unit, index) => {
    const kind = known(unit.standing), spot = parts.mini.children[index];
    if (spot.className !== "s-" + kind) { spot.className = "s-" + kind; setText(spot, STANDINGS[kind][0]); }
  });
  line(parts.outbox, bench.outbox && bench.outbox.waiting, () => waiting(bench.outbox.waiting) + (bench.outbox.since ? " since " + clock(bench.outbox.since) : ""));
};

start();
