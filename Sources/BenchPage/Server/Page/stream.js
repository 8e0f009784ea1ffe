/// The state of the benches, which comes over one stream for all tabs.
import { byId } from "./words.js";
import { ask, leave, renewSession, start } from "./server.js";
import { draw, route, tick, visit } from "./page.js";
import { sheets } from "./rows.js";

export let state = null, isLive = false, lostAt = null, lostWhy = "";
/// The id of the last event; by how many ms the server's clock is ahead of this one; when data was last received.
let position = null, skew = 0, lastReceived = 0;
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
  return { post: (message) => channel.postMessage({ from: me, ...message }), listen: (receive) => { channel.onmessage = (event) => receive(event.data); } };
})();
/// Whether the page shows the stream, or waits for it, because a user is signed in.
export let isStarted = false;
let leads = false, stream = null, pause = 1000, reopening = 0, leader = null;
const apply = (kind, id, data) => {
  lastReceived = Date.now();
  if (kind === "patch") { if (!state) return; state = merge(state, data); } else state = data;
  for (const sheet of sheets.values()) sheet.isOld = true;
  position = id;
  goLive();
};
const snapshotMessage = () => ({ kind: "snapshot", id: position, data: state, isLive, lostAt, lostWhy, skew });
const open = () => {
  clearTimeout(reopening);
  if (stream) stream.close();
  stream = new EventSource("events" + (position ? "?after=" + encodeURIComponent(position) : ""));
  const slow = setTimeout(() => goOffline("the server does not answer; too many open pages?"), 8000);
  for (const kind of ["snapshot", "patch"]) {
    stream.addEventListener(kind, (event) => {
      clearTimeout(slow);
      pause = 1000;
      apply(kind, event.lastEventId, JSON.parse(event.data));
      bus.post({ kind, id: position, data: kind === "patch" ? JSON.parse(event.data) : state, isLive: true, skew });
    });
  }
  stream.addEventListener("beat", (event) => {
    clearTimeout(slow);
    lastReceived = Date.now();
    skew = Number(event.data) - Date.now();
    if (Math.abs(skew) < 1500) skew = 0;
    if (state) goLive();
    bus.post({ kind: "beat", skew });
  });
  stream.onerror = async () => {
    clearTimeout(slow);
    stream.close();
    if (!leads) return;
    let why = "the page's program is not reachable";
    if (isLive) goOffline(why);
    try {
      await ask("session");
      why = "the page's program answers but ends the stream; too many open pages?";
    } catch (error) {
      if (error.status === 401) { bus.post({ kind: "signed-out" }); leave(false); return; }
    }
    goOffline(why);
    bus.post({ kind: "lost", lostAt, lostWhy });
    clearTimeout(reopening);
    reopening = setTimeout(open, pause);
    pause = Math.min(10000, pause * 2);
  };
};
/// Ends the stream; with `isSignOut` its state is forgotten too.
export const stop = (isSignOut) => {
  if (stream) stream.close();
  clearTimeout(reopening);
  isStarted = false;
  if (isSignOut) {
    state = position = lostAt = null;
    isLive = false;
  }
};
const lead = () => { leads = true; leader = me; bus.post({ kind: "lead" }); open(); };
const yieldLead = () => { leads = false; if (stream) stream.close(); clearTimeout(reopening); };
bus.listen((message) => {
  switch (message.kind) {
    case "hello": if (leads) { bus.post({ kind: "lead" }); if (state) bus.post(snapshotMessage()); } break;
    case "lead":
      // If two tabs lead, the one with the later id in the alphabet stops.
      if (leads && !navigator.locks && message.from < me) yieldLead();
      leader = message.from; lastReceived = Date.now();
      break;
    case "snapshot":
      if (leads) break;
      skew = message.skew || 0;
      apply("snapshot", message.id, message.data);
      if (!message.isLive) goOffline(message.lostWhy, message.lostAt);
      break;
    case "patch": {
      if (leads || !state) break;
      const [epoch, number] = message.id.split("."), [mine, at] = (position || ".").split(".");
      if (epoch === mine && Number(number) === Number(at) + 1) apply("patch", message.id, message.data);
      else bus.post({ kind: "hello" });
      break;
    }
    case "beat": if (!leads) { lastReceived = Date.now(); skew = message.skew; if (state) goLive(); } break;
    case "lost": if (!leads) goOffline(message.lostWhy, message.lostAt); break;
    case "bye": if (message.from === leader && isStarted && !navigator.locks) setTimeout(elect, Math.random() * 300); break;
    case "signed-out": if (isStarted) leave(message.isSignOut); break;
    case "signed-in": if (!isStarted) start(); else renewSession(); break;
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
  if (isStarted) return;
  isStarted = true;
  lastReceived = Date.now();
  if (leads) { open(); return; }
  if (navigator.locks) {
    bus.post({ kind: "hello" });
    navigator.locks.request("beacon-dfu-stream", () => new Promise(() => lead()));
  } else elect();
};
addEventListener("pagehide", () => { if (leads) bus.post({ kind: "bye" }); });
addEventListener("online", () => { if (leads && isStarted && !isLive) open(); });

const goLive = () => {
  isLive = true; lostAt = null;
  draw();
};
export const goOffline = (why, since) => {
  lostWhy = why;
  if (isLive || lostAt === null) lostAt = since || (lastReceived || Date.now());
  isLive = false;
  draw();
};
setInterval(() => {
  if (isStarted && isLive && Date.now() - lastReceived > 40000) {
    if (leads) { goOffline("no data for 40 s"); open(); } else { goOffline("the tab with the connection does not respond"); if (!navigator.locks) elect(); }
  }
  if (isStarted && !state && !leads && Date.now() - lastReceived > 5000) goOffline("the tab with the connection does not respond: close a tab of this page");
  tick();
  const sheet = sheets.get(route().view);
  if (sheet && isStarted && isLive && !document.hidden) sheet.refresh();
}, 1000);
