/// The views of orders and of attempts.
import {
  FIRST_PASS, ORDERS, RANKS, STANDINGS, byId, day, enable, hide, known, make, many, mark, moment, makeButton, put,
  setText, visible, toast, wrapped, yieldOf,
} from "./words.js";
import { act, ask, change, may, offers, changeAndReport } from "./server.js";
import { benches, isLive } from "./stream.js";
import { yieldPlot } from "./plots.js";
import { askFor, sheet, sheets, showEntry, troublesOf } from "./rows.js";

/// The open row, as a function that draws it again.
let entry = null;
byId("entry").addEventListener("close", () => { entry = null; });

const orderButtons = new Map(), book = { orders: new Map(), runs: [], choices: [] };
/// The benches at which an order is held and released: those that work on it, if there is no work server.
const benchesOf = (o) => o.actions.length ? [] : benches().filter((bench) => bench.run && bench.run.order === o.number && !bench.past && !bench.order_hold);
const benchOf = (kind, o) => benchesOf(o).find((bench) => offers(kind, bench));
const decides = (kind, o) => may("approver") && (o.actions.includes(kind) || Boolean(benchOf(kind, o)));
/// An order; if a bench that works on it is held, the order is shown as held too.
const orderOf = (number) => {
  const order = book.orders.get(number), bench = order && benchesOf(order).find((b) => b.hold);
  return bench ? { ...order, state: "held", held_reason: bench.hold.message, held_since: bench.hold.since } : order;
};
export const holdOrder = (number) => askFor("Hold " + number + "?", "No bench starts another unit of this order until it is released. Units at work are finished.",
  [{ name: "reason", label: "Reason, shown to everyone" }], "Hold", async ({ reason }) => {
    await change("orders/hold", { number, reason });
    toast("hold " + number + ": accepted");
    refill("orders");
  });
const decide = async (kind, number) => {
  const order = book.orders.get(number);
  if (!order) return;
  if (!order.actions.includes(kind)) { const bench = benchOf(kind, order); if (bench) act(kind, bench); return; }
  if (kind === "hold") { holdOrder(number); return; }
  await changeAndReport(kind + " " + number, "orders/release", order.held_since ? { number, since: order.held_since } : { number });
  refill("orders");
};
const refill = (name) => sheets.get(name).fill();
const decisions = (number) => {
  const parts = { state: make("span"), box: make("span", "do"), release: makeButton("Release", () => decide("release", number)), hold: makeButton("Hold", () => decide("hold", number)) };
  put(parts.box, parts.release, parts.hold);
  return parts;
};
const drawDecisions = (number, parts) => {
  const o = orderOf(number);
  if (!o) return;
  setText(parts.state, stateOf(o));
  parts.state.className = o.state === "held" ? "held" : "";
  for (const kind of ["release", "hold"]) hide(parts[kind], !decides(kind, o));
  hide(parts.box, parts.release.hidden && parts.hold.hidden);
  for (const kind of ["release", "hold"]) { enable(parts[kind], isLive); parts[kind].setAttribute("aria-label", parts[kind].textContent + " " + visible(number)); }
};
const partsOf = (number) => {
  if (!orderButtons.has(number)) orderButtons.set(number, decisions(number));
  return orderButtons.get(number);
};
export const drawOrderButtons = () => {
  for (const [number, parts] of orderButtons) drawDecisions(number, parts);
  hide(newOrder, !may("approver") || !book.choices.length);
  enable(newOrder, isLive);
  if (entry) entry();
};
const newOrder = makeButton("New order", () => askFor("New order", "It is a draft until an approver releases it. Each beacon that a bench claims becomes a unit, up to the number of units.", [
  { name: "number", label: "Order number" }, { name: "firmware", label: "Firmware", choices: book.choices },
  { name: "expected", label: "Number of units", kind: "number", least: 1 },
  { name: "golden", label: "Golden units", kind: "number", least: 0, value: 0, hint: "that have to pass, and be released, before the others begin" },
  { name: "attempts", label: "Attempts", kind: "number", least: 1, value: 1, hint: "after which a failed unit waits until another is allowed" },
], "Create", async (values) => {
  await change("orders/create", values);
  toast(values.number + " is a draft: release it to let benches begin");
  refill("orders");
}), "", "new-order");
const tallies = (counts, kinds) => {
  const box = make("span");
  for (const k of kinds) if (counts[k]) put(box, put(make("span", "s-" + k), mark(k), many(counts[k], k)), " ");
  return box;
};
const goodOf = (o) => [(o.counts.passed || 0) + (o.counts["not-needed"] || 0), Math.max(o.expected || 0, Object.values(o.counts).reduce((a, b) => a + b, 0))];
const stateOf = (o) => (ORDERS[o.state] || o.state) + (o.held_reason ? ": " + o.held_reason : "");
const openOrder = (number) => {
  const parts = decisions(number);
  const attempts = makeButton("Show its attempts", () => { find.value = number; choice.value = ""; byId("entry").close(); location.hash = "#/history"; });
  let was = null;
  entry = () => {
    const o = orderOf(number);
    if (!o) { byId("entry").close(); return; }
    drawDecisions(number, parts);
    const now = JSON.stringify(o);
    if (now === was) return;
    was = now;
    const [good, all] = goodOf(o);
    showEntry(number, null, [
      ["state", stateOf(o)], ["held since", o.held_since && day(o.held_since)], ["created", o.began && day(o.began)],
      ["released", o.released && day(o.released) + (o.released_by ? " by " + o.released_by : "")], ["firmware", o.firmware],
      ["done", good + " of " + all], ["units", tallies(o.counts, RANKS)], ["first-pass yield", yieldOf(o.first_pass)], ["final yield", yieldOf(o.final)], ["benches", o.benches.join(", ")],
    ], o.first_pass.counted && make("p", "dim", FIRST_PASS), troublesOf(o.troubles), put(make("div", "row"), attempts, parts.box));
  };
  entry();
};
const yields = yieldPlot();
sheet("orders", "Orders", put(make("div"), put(make("div", "tools"), newOrder), yields.box), ["order", "state", "done", "first pass", "problems", "benches", "firmware", "created", "actions"], "No orders yet.", async () => {
  const answer = await ask("orders");
  book.orders = new Map(answer.orders.map((o) => [o.number, o]));
  [book.runs, book.choices] = [answer.runs, answer.choices];
  yields.show(answer.orders, answer.runs);
  const rows = answer.orders.map((o) => {
    const [good, all] = goodOf(o), done = put(make("span"), good + " of " + all + " "), bar = make("span", "share"), fill = make("i");
    fill.style.transform = "scaleX(" + (all ? good / all : 0) + ")";
    put(done, put(bar, fill));
    const parts = partsOf(o.number), first = wrapped(yieldOf(o.first_pass).split(", "), ", ");
    return { key: o.number, open: () => openOrder(o.number), cells: [o.number, parts.state, done, first, tallies(o.counts, ["failed", "unknown", "error", "aborted", "skipped"]), wrapped(o.benches, ", "), o.firmware || "", o.began ? moment(o.began) : "", parts.box] };
  });
  drawOrderButtons();
  return rows;
}, () => yields.show([], []));

// ---- Attempts ------------------------------------------------------------------------------------------------------
const find = make("input"), choice = make("select");
find.type = "search";
find.placeholder = "slot, address, name, order, code";
find.setAttribute("aria-label", "Find attempts");
choice.setAttribute("aria-label", "Outcome");
for (const kind of ["", "failed", "unknown", "error", "aborted", "skipped", "not-needed", "passed"]) { const o = make("option", "", kind ? STANDINGS[kind][1] : "all"); o.value = kind; put(choice, o); }
const versions = (r) => r.version || r.version_from ? (r.version_from || "?") + " → " + (r.version || "?") : "";
const openAttempt = (r) => {
  const kind = r.outcome ? known(r.outcome) : null;
  showEntry(r.slot + ", " + (kind ? STANDINGS[kind][1] : "cut off"), kind, [
    ["cause", r.cause || r.code], ["next step", r.next_step && make("b", "", r.next_step)], ["code", r.cause && r.code && make("code", "", r.code)], ["attempt", r.attempt], ["began", day(r.began)],
    ["duration", r.seconds === undefined ? "" : r.seconds.toFixed(1) + " s"], ["address", r.address && make("code", "", r.address)], ["name", r.name], ["version", versions(r)],
    ["adapter", r.adapter], ["order", r.order], ["bench", r.station],
  ]);
};
const attempts = sheet("history", "History", put(make("div", "tools"), find, choice), ["began", "ended", "slot", "address", "name", "version", "seconds", "cause", "order", "bench"], "No attempts yet.", async () => {
  const rows = (await ask("history?limit=200&text=" + encodeURIComponent(find.value) + (choice.value ? "&outcome=" + choice.value : ""))).attempts;
  return rows.map((r, index) => {
    const kind = r.outcome ? known(r.outcome) : null;
    return { key: index, open: () => openAttempt(r), cells: [day(r.began), kind ? put(make("span", "s-" + kind), mark(kind), STANDINGS[kind][1] + (r.attempt > 1 ? ", attempt " + r.attempt : "")) : "cut off", r.slot,
      make("code", "", (r.address || "").split("/")[0]), r.name || "", versions(r), r.seconds === undefined ? "" : r.seconds.toFixed(1), r.cause || r.code || "", make("span", "whole", r.order || ""), make("span", "whole", r.station || "")] };
  });
});
let typing = 0;
for (const [element, kind] of [[find, "input"], [choice, "change"]]) element.addEventListener(kind, () => { clearTimeout(typing); typing = setTimeout(attempts.fill, 300); });
