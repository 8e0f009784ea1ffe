/// The state of the benches, which comes over one stream for all tabs.
import { byId } from "./words.js";
import { ask, leave, renew, start } from "./server.js";
import { draw, route, tick, visit } from "./page.js";
import { sheets } from "./rows.js";

export let state = null, isLive = false, lostAt = null, lostWhy = "";
/// The id of the last event; by how many ms the server's clock is ahead of this one; when anything was last received.
let position = null, skew = 0, heard = 0;
export const now = () => Date.now() + skew;
const merge = (value, patch) => {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  const result = value !== null && typeof value === "object" && !Array.isArray(value) ? { ...value } : {};
  for (const [name, change] of Object.entries(patch)) {
    if (name === "__proto__") continue;
    if (change === null) delete result[name];
    else result[name] = merge(result[name], change);
  }
  return result;
};
export const benches = () => state ? state.order.map((key) => state.benches[key]).filter(Boolean) : [];
export const units = (bench) => bench.slots.map((key) => bench.units[key]).filter(Boolean);

export const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");

// ---- One stream for all tabs ---------------------------------------------------------------------------------------
// A browser opens at most six connections to a server: one tab holds the stream and informs the others.
const me = random();
export const bus = (() => {
  if (!("BroadcastChannel" in window)) return { post: () => {}, listen: () => {} };
  const channel = new BroadcastChannel("beacon-dfu");
  return { post: (message) => channel.postMessage({ from: me, ...message }), listen: (take) => { channel.onmessage = (event) => take(event.data); } };
})();
/// Whether somebody is signed in, and the page shows a stream or waits for one.
export let begun = false;
let leads = false, stream = null, pause = 1000, reopening = 0, leader = null;
const take = (kind, id, data) => {
  heard = Date.now();
  if (kind === "patch") { if (!state) return; state = merge(state, data); } else state = data;
  for (const sheet of sheets.values()) sheet.isOld = true;
  position = id;
  live();
};
const whole = () => ({ kind: "snapshot", id: position, data: state, isLive, lostAt, lostWhy, skew });
const open = () => {
  clearTimeout(reopening);
  if (stream) stream.close();
  stream = new EventSource("events" + (position ? "?after=" + encodeURIComponent(position) : ""));
  const slow = setTimeout(() => lose("the server does not answer; too many open pages?"), 8000);
  for (const kind of ["snapshot", "patch"]) {
    stream.addEventListener(kind, (event) => {
      clearTimeout(slow);
      pause = 1000;
      take(kind, event.lastEventId, JSON.parse(event.data));
      bus.post({ kind, id: position, data: kind === "patch" ? JSON.parse(event.data) : state, isLive: true, skew });
    });
  }
  stream.addEventListener("beat", (event) => {
    clearTimeout(slow);
    heard = Date.now();
    skew = Number(event.data) - Date.now();
    if (Math.abs(skew) < 1500) skew = 0;
    if (state) live();
    bus.post({ kind: "beat", skew });
  });
  stream.onerror = async () => {
    clearTimeout(slow);
    stream.close();
    if (!leads) return;
    let why = "the page's program is not reachable";
    if (isLive) lose(why);
    try {
      await ask("session");
      why = "the page's program answers but ends the stream; too many open pages?";
    } catch (error) {
      if (error.status === 401) { bus.post({ kind: "signed-out" }); leave(false); return; }
    }
    lose(why);
    bus.post({ kind: "lost", lostAt, lostWhy });
    clearTimeout(reopening);
    reopening = setTimeout(open, pause);
    pause = Math.min(10000, pause * 2);
  };
};
/// Ends the stream; `isWished`, after a sign-out, also forgets what it brought.
export const stop = (isWished) => {
  if (stream) stream.close();
  clearTimeout(reopening);
  begun = false;
  if (isWished) {
    state = position = lostAt = null;
    isLive = false;
  }
};
const lead = () => { leads = true; leader = me; bus.post({ kind: "lead" }); open(); };
const yieldLead = () => { leads = false; if (stream) stream.close(); clearTimeout(reopening); };
bus.listen((message) => {
  switch (message.kind) {
    case "hello": if (leads) { bus.post({ kind: "lead" }); if (state) bus.post(whole()); } break;
    case "lead":
      // If two tabs lead, the one with the later id in the alphabet stops.
      if (leads && !navigator.locks && message.from < me) yieldLead();
      leader = message.from; heard = Date.now();
      break;
    case "snapshot":
      if (leads) break;
      skew = message.skew || 0;
      take("snapshot", message.id, message.data);
      if (!message.isLive) lose(message.lostWhy, message.lostAt);
      break;
    case "patch": {
      if (leads || !state) break;
      const [epoch, number] = message.id.split("."), [mine, at] = (position || ".").split(".");
      if (epoch === mine && Number(number) === Number(at) + 1) take("patch", message.id, message.data);
      else bus.post({ kind: "hello" });
      break;
    }
    case "beat": if (!leads) { heard = Date.now(); skew = message.skew; if (state) live(); } break;
    case "lost": if (!leads) lose(message.lostWhy, message.lostAt); break;
    case "bye": if (message.from === leader && begun && !navigator.locks) setTimeout(elect, Math.random() * 300); break;
    case "signed-out": if (begun) leave(message.isWished); break;
    case "signed-in": if (!begun) start(); else renew(); break;
  }
});
const elect = () => {
  leader = null;
  bus.post({ kind: "hello" });
  setTimeout(() => { if (leader === null && !leads) lead(); }, 400 + Math.random() * 200);
};
export const begin = () => {
  if (byId("sign-in").open) byId("sign-in").close();
  visit();
  if (begun) return;
  begun = true;
  heard = Date.now();
  if (leads) { open(); return; }
  if (navigator.locks) {
    bus.post({ kind: "hello" });
    navigator.locks.request("beacon-dfu-stream", () => new Promise(() => lead()));
  } else elect();
};
addEventListener("pagehide", () => { if (leads) bus.post({ kind: "bye" }); });
addEventListener("online", () => { if (leads && begun && !isLive) open(); });

const live = () => {
  isLive = true; lostAt = null;
  draw();
};
export const lose = (why, since) => {
  lostWhy = why;
  if (isLive || lostAt === null) lostAt = since || (heard || Date.now());
  isLive = false;
  draw();
};
setInterval(() => {
  if (begun && isLive && Date.now() - heard > 40000) {
    if (leads) { lose("no data for 40 s"); open(); } else { lose("the tab with the connection does not respond"); if (!navigator.locks) elect(); }
  }
  if (begun && !state && !leads && Date.now() - heard > 5000) lose("the tab with the connection does not respond: close a tab of this page");
  tick();
  const sheet = sheets.get(route().view);
  if (sheet && begun && isLive && !document.hidden) sheet.refresh();
}, 1000);
