/// Requests to the server, and who is signed in.
import { RANKS, byId, known, setText, toast } from "./words.js";
import { begin, bus, isLive, goOffline, random, stop } from "./stream.js";
import { draw, visit } from "./page.js";
import { sheets } from "./rows.js";

const ROLES = ["viewer", "operator", "approver"];

export let session = null, canSignOut = true;
export const may = (role) => session && !session.wall && ROLES.indexOf(session.role) >= ROLES.indexOf(role);
export const ask = async (path, options = {}) => {
  const answer = await fetch(path, { cache: "no-store", credentials: "same-origin", redirect: "error", signal: AbortSignal.timeout(20000), ...options });
  let body = {};
  try { body = await answer.json(); } catch { /* an answer of something in between */ }
  if (!answer.ok) throw Object.assign(new Error(body.message || "HTTP " + answer.status), { status: answer.status, code: body.code, next: body.next_step });
  return body;
};
const send = (path, body, headers = {}) =>
  ask(path, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) });
/// Whether the signed-in user can perform `kind` on a bench. A server that lists no actions supports all.
export const offers = (kind, bench) => {
  if (!may(kind === "release" ? "approver" : "operator") || bench.past || (bench.actions && !bench.actions.includes(kind))) return false;
  if (kind === "release") return Boolean(bench.hold);
  return kind === "hold" ? !bench.hold && !bench.ending : kind !== "end" || !bench.ending;
};
const FITTING = { retry: ["failed", "unknown", "error", "aborted", "skipped"], skip: ["waiting", "running", "stalled"], blink: RANKS };
export const fits = (kind, unit) => FITTING[kind].includes(known(unit.standing));
const PATHS = { end: "stop" };
export const errorText = (error) => error.message + (error.next ? " — " + error.next : "");
/// Sends a request that changes something; throws why it was refused.
export const change = async (path, body) => {
  if (!isLive) throw new Error("the page is not live; nothing was sent");
  // The key stays the same if the answer was lost, so that nothing is done twice.
  const key = random();
  for (let turn = 0; ; turn += 1) {
    try {
      await send(path, body, { "Idempotency-Key": key, "X-CSRF-Token": session ? session.csrf : "" });
      for (const sheet of sheets.values()) sheet.isOld = true;
      return;
    } catch (error) {
      if (error.status === undefined && turn < 2) { await new Promise((done) => setTimeout(done, 500 * (turn + 1))); continue; }
      if (error.status === 401) signInAgain();
      throw error;
    }
  }
};
/// Sends a request that changes something, and shows whether `what` was accepted or why not.
export const changeAndReport = async (what, path, body) => {
  try { await change(path, body); toast(what + ": accepted"); } catch (error) { toast(what + ": " + errorText(error), true); }
};
export const act = (kind, bench, slot) => {
  const body = { bench: bench.id };
  if (slot !== undefined) body.slot = slot;
  // Only the displayed hold is released, not one that has replaced it.
  if (kind === "release" && bench.hold) body.since = bench.hold.since;
  return changeAndReport(kind + (slot === undefined ? "" : " " + slot), "actions/" + (PATHS[kind] || kind), body);
};

// ---- Signing in ----------------------------------------------------------------------------------------------------
export const signInAgain = () => { session = null; draw(); if (!byId("sign-in").open) byId("sign-in").showModal(); };
const signIn = async (token, name) => {
  session = await send("session", name ? { token, name } : { token });
  bus.post({ kind: "signed-in" });
  begin();
};
/// Asks who is signed in, after another tab has signed in.
export const renewSession = () => ask("session").then((answer) => { session = answer; visit(); }, () => {});
/// Ends the page's session; with `isSignOut` all data is removed from the screen too.
export const leave = (isSignOut) => {
  stop(isSignOut);
  if (isSignOut) {
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    for (const sheet of sheets.values()) sheet.clear();
  }
  signInAgain();
};
byId("sign-out").addEventListener("click", async () => {
  try {
    await ask("session", { method: "DELETE", headers: { "Content-Type": "application/json", "X-CSRF-Token": session.csrf } });
  } catch (error) {
    if (error.status === 404) { canSignOut = false; draw(); }
    if (error.status !== 401) { toast("sign out: " + error.message + (error.next ? " — " + error.next : ""), true); return; }
  }
  bus.post({ kind: "signed-out", isSignOut: true });
  leave(true);
});
byId("sign-in").addEventListener("cancel", (event) => event.preventDefault());
byId("sign-in-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  setText(byId("sign-in-flaw"), "");
  try {
    await signIn(byId("code").value, byId("name").value);
    byId("code").value = "";
  } catch (error) {
    setText(byId("sign-in-flaw"), error.message + (error.next ? ": " + error.next : ""));
  }
});
export const start = async () => {
  const given = /^#token=([0-9a-f]+)$/.exec(location.hash);
  if (given) {
    history.replaceState(null, "", location.pathname + "#/");
    try { await signIn(given[1]); return; } catch (error) { toast(error.message + (error.next ? ": " + error.next : ""), true); }
  }
  try {
    session = await ask("session");
    begin();
  } catch (error) {
    if (error.status === 401) signInAgain();
    else { goOffline(error.message); setTimeout(start, 3000); }
  }
};
