"use strict";
(() => {
  // ---- Words -------------------------------------------------------------------------------------------------------
  const STANDINGS = {
    failed: ["F", "failed"], unknown: ["U", "unknown"], error: ["E", "bench error"], stalled: ["!", "stalled"],
    running: ["R", "running"], waiting: ["O", "waiting"], aborted: ["A", "aborted"], skipped: ["S", "skipped"],
    "not-needed": ["N", "not needed"], passed: ["P", "passed"],
  };
  const RANKS = Object.keys(STANDINGS);
  const MEANINGS = {
    failed: "not on its firmware, because of the unit or its image", unknown: "whether it runs the new firmware is not known", error: "the bench failed, not the unit",
    stalled: "at work without progress, or its bench is silent", running: "at work", waiting: "not begun, or waiting for another attempt", aborted: "ended before it was done",
    skipped: "left out", "not-needed": "it had the firmware already", passed: "it runs the new firmware, as read from it",
  };
  const PHASES = {
    connecting: "connecting", "entering-bootloader": "entering the bootloader", preparing: "preparing",
    transferring: "sending firmware", activating: "checking the image", rebooting: "restarting", verifying: "verifying",
  };
  const ROLES = ["viewer", "operator", "approver"];
  const byId = (id) => document.getElementById(id);

  /// Invisible characters, and those that change the text direction, are written as escapes.
  const shown = (text) => String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu,
    (c) => c === "\n" ? "\\n" : c === "\t" ? "\\t" : c === "\r" ? "\\r" : "\\u{" + c.codePointAt(0).toString(16) + "}");
  /// All text gets into the page through this function.
  const say = (element, text) => {
    const value = text === undefined || text === null ? "" : shown(text);
    if (element.textContent !== value) element.textContent = value;
    return element;
  };
  const make = (tag, name, text) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) say(element, text);
    return element;
  };
  const put = (parent, ...children) => { parent.append(...children.filter(Boolean)); return parent; };
  const hide = (element, isHidden) => { if (element.hidden !== isHidden) element.hidden = isHidden; };
  /// A button with `id`. A disabled one keeps the focus, and does nothing.
  const press = (text, action, name, id) => {
    const button = make("button", name, text);
    button.type = "button";
    if (id) button.id = id;
    button.addEventListener("click", () => { if (button.getAttribute("aria-disabled") !== "true") action(); });
    return button;
  };
  const enable = (button, isAble) => { if (isAble) button.removeAttribute("aria-disabled"); else button.setAttribute("aria-disabled", "true"); };
  /// Arranges `children` in `parent`. A moved element loses a click that has begun: as few as possible are moved, and
  /// none while a button is pressed.
  let isPressed = false;
  const arrange = (parent, children) => {
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
  const two = (n) => String(n).padStart(2, "0");
  const span = (seconds) => {
    const s = Math.max(0, Math.round(seconds));
    return s < 3600 ? Math.floor(s / 60) + ":" + two(s % 60) : Math.floor(s / 3600) + ":" + two(Math.floor(s / 60) % 60) + " h";
  };
  const ago = (seconds) => {
    const s = Math.max(0, Math.round(seconds));
    return s < 90 ? s + " s" : s < 5400 ? Math.round(s / 60) + " min" : s < 172800 ? Math.round(s / 3600) + " h" : Math.round(s / 86400) + " days";
  };
  const clock = (ms) => { const d = new Date(ms); return two(d.getHours()) + ":" + two(d.getMinutes()); };
  const day = (ms) => { const d = new Date(ms); return d.getFullYear() + "-" + two(d.getMonth() + 1) + "-" + two(d.getDate()) + " " + clock(ms) + ":" + two(d.getSeconds()); };
  /// Text in parts that stay on one line each.
  const wrapped = (parts, between) => put(make("span"), ...parts.flatMap((part, i) => [i ? between : null, make("span", "whole", part)]));
  const moment = (ms) => wrapped(day(ms).split(" "), " ");
  const percent = (share) => (Math.floor(share * 1000 + 1e-9) / 10).toFixed(1) + "\u00a0%";
  const speed = (bytes) => (bytes / 1000).toFixed(1) + " kB/s";
  const mark = (standing) => { const m = make("i", "mark", STANDINGS[standing][0]); m.setAttribute("aria-hidden", "true"); return m; };
  const waiting = (count) => count + (count === 1 ? " result waits" : " results wait");
  const many = (count, kind) => count + " " + STANDINGS[kind][1] + (kind === "error" && count !== 1 ? "s" : "");
  const ORDERS = { draft: "draft, not released", golden: "golden units first", open: "open", held: "held", done: "done", cancelled: "cancelled" };
  const FIRST_PASS = "First pass: passed in the first attempt, and the image was sent from its beginning only once. " +
    "A transfer that continued after a lost link was sent once; errors of the bench do not count as attempts.";
  const FINAL = "Final yield: passed in the latest attempt, however many it took.";
  const yieldOf = (figures) => figures.counted ? percent(figures.passed / figures.counted) + ", " + figures.passed + " of " + figures.counted : "";
  const known = (standing) => Object.hasOwn(STANDINGS, standing) ? standing : "unknown";

  // ---- State -------------------------------------------------------------------------------------------------------
  let state = null, position = null, session = null, skew = 0, canSignOut = true;
  let heard = 0, isLive = false, lostAt = null, lostWhy = "";
  const now = () => Date.now() + skew;
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
  const may = (role) => session && !session.wall && ROLES.indexOf(session.role) >= ROLES.indexOf(role);
  const benches = () => state ? state.order.map((key) => state.benches[key]).filter(Boolean) : [];
  const units = (bench) => bench.slots.map((key) => bench.units[key]).filter(Boolean);

  // ---- Asking the server -------------------------------------------------------------------------------------------
  const random = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
  const ask = async (path, options = {}) => {
    const answer = await fetch(path, { cache: "no-store", credentials: "same-origin", redirect: "error", signal: AbortSignal.timeout(20000), ...options });
    let body = {};
    try { body = await answer.json(); } catch { /* an answer of something in between */ }
    if (!answer.ok) throw Object.assign(new Error(body.message || "HTTP " + answer.status), { status: answer.status, code: body.code, next: body.next_step });
    return body;
  };
  const send = (path, body, headers = {}) =>
    ask(path, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) });
  let toastTimer = 0;
  const toast = (text, isBad) => {
    const element = say(byId("toast"), text);
    element.classList.toggle("bad", Boolean(isBad));
    element.hidden = false;
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => { element.hidden = true; }, isBad ? 9000 : 4000);
  };
  /// Whether the signed-in user can perform `kind` on a bench. A server that lists no actions supports all.
  const offers = (kind, bench) => {
    if (!may(kind === "release" ? "approver" : "operator") || bench.past || (bench.actions && !bench.actions.includes(kind))) return false;
    if (kind === "release") return Boolean(bench.hold);
    return kind === "hold" ? !bench.hold && !bench.ending : kind !== "end" || !bench.ending;
  };
  const FITTING = { retry: ["failed", "unknown", "error", "aborted", "skipped"], skip: ["waiting", "running", "stalled"], blink: RANKS };
  const fits = (kind, unit) => FITTING[kind].includes(known(unit.standing));
  const PATHS = { end: "stop" };
  const words = (error) => error.message + (error.next ? " — " + error.next : "");
  /// Sends a request that changes something; throws why it was refused.
  const change = async (path, body) => {
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
  /// The same, reporting the answer as that to `what`.
  const tries = async (what, path, body) => {
    try { await change(path, body); toast(what + ": accepted"); } catch (error) { toast(what + ": " + words(error), true); }
  };
  const act = (kind, bench, slot) => {
    const body = { bench: bench.id };
    if (slot !== undefined) body.slot = slot;
    // Only the displayed hold is released, not one that has replaced it.
    if (kind === "release" && bench.hold) body.since = bench.hold.since;
    return tries(kind + (slot === undefined ? "" : " " + slot), "actions/" + (PATHS[kind] || kind), body);
  };

  // ---- Signing in --------------------------------------------------------------------------------------------------
  const signInAgain = () => { session = null; draw(); if (!byId("sign-in").open) byId("sign-in").showModal(); };
  const signIn = async (token, name) => {
    session = await send("session", name ? { token, name } : { token });
    bus.post({ kind: "signed-in" });
    begin();
  };
  /// Ends the page's session. After a sign-out it leaves no data on the screen.
  const leave = (isWished) => {
    if (stream) stream.close();
    clearTimeout(reopening);
    begun = false;
    if (isWished) {
      state = position = lostAt = null;
      isLive = false;
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
    bus.post({ kind: "signed-out", isWished: true });
    leave(true);
  });
  byId("sign-in").addEventListener("cancel", (event) => event.preventDefault());
  byId("sign-in-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    say(byId("sign-in-flaw"), "");
    try {
      await signIn(byId("code").value, byId("name").value);
      byId("code").value = "";
    } catch (error) {
      say(byId("sign-in-flaw"), error.message + (error.next ? ": " + error.next : ""));
    }
  });
  const start = async () => {
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
      else { lose(error.message); setTimeout(start, 3000); }
    }
  };

  // ---- One stream for all tabs -------------------------------------------------------------------------------------
  // A browser opens at most six connections to a server: one tab holds the stream and informs the others.
  const me = random();
  const bus = (() => {
    if (!("BroadcastChannel" in window)) return { post: () => {}, listen: () => {} };
    const channel = new BroadcastChannel("beacon-dfu");
    return { post: (message) => channel.postMessage({ from: me, ...message }), listen: (take) => { channel.onmessage = (event) => take(event.data); } };
  })();
  let leads = false, stream = null, pause = 1000, reopening = 0, begun = false, leader = null;
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
      case "signed-in": if (!begun) start(); else ask("session").then((s) => { session = s; visit(); }, () => {}); break;
    }
  });
  const elect = () => {
    leader = null;
    bus.post({ kind: "hello" });
    setTimeout(() => { if (leader === null && !leads) lead(); }, 400 + Math.random() * 200);
  };
  const begin = () => {
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
  const lose = (why, since) => {
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

  // ---- Drawing -----------------------------------------------------------------------------------------------------
  let isDue = false;
  const draw = () => {
    if (isDue) return;
    isDue = true;
    (document.hidden ? (f) => setTimeout(f, 200) : requestAnimationFrame)(() => { isDue = false; render(); });
  };
  const route = () => {
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
    document.body.classList.toggle("offline", begun && !isLive && Boolean(lostAt));
    for (const view of ["bench", "benches", "orders", "history"]) hide(byId("view-" + view), place.view !== view || (!state && view.startsWith("bench")));
    hide(byId("waiting"), Boolean(state) || !place.view.startsWith("bench"));
    for (const link of document.querySelectorAll("nav a")) {
      if (link.dataset.view === "bench") say(link, all.length > 1 ? "Benches" : "Bench");
      if (link.dataset.view === "orders") say(link, state && state.held_orders ? "Orders, " + state.held_orders + " held" : "Orders");
      const isHere = link.dataset.view === place.view || (link.dataset.view === "bench" && place.view === "benches");
      if (isHere) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
    }
    say(byId("where"), place.bench ? place.bench.name : "");
    say(byId("who"), !session ? "" : session.wall ? "wall screen" : (session.name ? session.name + ", " : "") + session.role);
    hide(byId("sign-out"), !session || Boolean(session.wall) || !canSignOut);
    document.title = state ? shown(state.title) : "beacon-dfu";
    if (place.bench) drawBench(place.bench);
    if (place.view === "benches") drawBenches(all);
    if (place.view === "orders") drawOrderButtons();
    if (!place.bench && byId("details").open) byId("details").close();
    const held = all.filter((b) => b.hold).map((b) => (b.order_hold && b.run ? "order " + b.run.order : b.name) + " is held: " + b.hold.message).join(". ");
    if (held !== wasHeld) { wasHeld = held; say(byId("live"), held); }
    tick();
  };
  const tick = () => {
    const link = byId("link"), note = byId("offline");
    const isLost = begun && !isLive && lostAt !== null;
    link.classList.toggle("live", isLive);
    say(link, isLive ? "live" : isLost ? "offline" : "connecting");
    hide(note, !isLost);
    if (isLost) {
      say(byId("offline-why"), "Offline since " + day(lostAt).slice(11) + ": " + lostWhy + (state ? ". The data shown is from then." : ""));
      say(byId("offline-age"), "(" + ago((Date.now() - lostAt) / 1000) + ")");
    }
    for (const element of document.querySelectorAll("[data-until]")) say(element, span((Number(element.dataset.until) - now()) / 1000));
    for (const element of document.querySelectorAll("[data-since]")) say(element, ago((now() - Number(element.dataset.since)) / 1000));
  };
  const count = (element, name, ms) => { element.dataset[name] = ms; return element; };
  const since = (ms) => count(make("span"), "since", ms);
  const until = (ms) => count(make("span"), "until", ms);

  // ---- A bench -----------------------------------------------------------------------------------------------------
  const frame = { id: null, tiles: new Map(), lines: new Map(), hidden: new Set(), words: "", focus: null, open: null };
  /// The current state of the bench shown.
  const here = () => route().bench;
  const wish = (kind) => {
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
    frame.hold = press("Hold", () => wish("hold"), "", "do-hold");
    frame.end = press("End run", () => sure("End the run?", "Units at work are finished, no further unit starts.", "End run", () => wish("end")), "", "do-end");
    put(frame.head, frame.about, put(make("span", "do"), frame.hold, frame.end));
    frame.figures = make("div", "figures");
    frame.silence = banner("silent", "No contact");
    frame.past = banner("past", "Past run");
    frame.ending = banner("ending", "Ending", "units at work are finished, no further unit starts");
    frame.held = banner("hold", "HELD");
    frame.held.box.id = "hold";
    frame.release = press("Release", () => wish("release"), "", "release");
    frame.others = make("span", "", "an approver can release it");
    put(frame.held.box, make("span", "grow"), frame.release, frame.others);
    frame.scan = scanBox();
    frame.chips = new Map(RANKS.map((kind) => {
      const chip = press("", () => { if (!frame.hidden.delete(kind)) frame.hidden.add(kind); draw(); }, "chip s-" + kind), text = make("span");
      put(chip, mark(kind), text);
      return [kind, { chip, text }];
    }));
    frame.find = make("input");
    frame.find.type = "search";
    frame.find.placeholder = "find, or !exclude";
    frame.find.setAttribute("aria-label", "Find units");
    frame.find.value = frame.words;
    frame.find.addEventListener("input", () => { frame.words = frame.find.value; draw(); });
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
  /// The place for labels that are scanned into slots. A scanner types a code and Enter: the field keeps the focus.
  const scanBox = () => {
    const box = make("form", "banner scan"), prompt = make("p", "prompt"), field = make("input"), said = make("ol", "said"), row = make("span", "do");
    let next = "", seen = "";
    const answer = (text) => {
      const bench = here();
      field.value = "";
      field.focus();
      if (bench) change("actions/scan", { bench: bench.id, text }).catch((error) => toast("scan: " + words(error), true));
    };
    const buttons = { yes: press("Accept it", () => answer("y"), "main", "scan-yes"), no: press("Leave it out", () => answer("n"), "", "scan-no"), undo: press("Undo", () => answer("undo"), "", "scan-undo"),
      skip: press("", () => answer("skip"), "", "scan-skip"), end: press("End scanning", () => sure("End scanning?", "The run does not begin while a slot is open: scan its label, or leave it empty.", "End scanning", () => answer("")), "", "scan-end") };
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
      say(prompt, scan.prompt + (able ? "" : " An operator scans at the bench, or signs in here.") + " " + scan.open + (scan.open === 1 ? " slot is open." : " slots are open."));
      field.setAttribute("aria-label", "Label for " + shown(scan.next));
      hide(buttons.yes, !scan.asks);
      hide(buttons.no, !scan.asks);
      say(buttons.skip, "Leave " + scan.next + " empty");
      if (seen !== (seen = JSON.stringify(scan.said))) said.replaceChildren(...scan.said.map((line) => put(make("li"), make("bdi", "", line))));
      if (next !== (next = scan.next)) for (const [slot, parts] of frame.tiles) parts.element.classList.toggle("is-next", slot === next);
      if (isNew && able && !document.querySelector("dialog[open]")) field.focus();
    };
    return { box, show, get next() { return next; } };
  };
  const same = (element, key) => { if (element.dataset.key === key) return true; element.dataset.key = key; return false; };

  const drawBench = (bench) => {
    if (frame.id !== bench.id) build(bench);
    const list = units(bench), run = bench.run || {};
    byId("view-bench").classList.toggle("silent-bench", Boolean(bench.silent));
    drawHead(bench, run);
    drawFigures(bench, list, run);
    drawBanners(bench, run);
    frame.scan.show(bench);
    drawTools(bench);
    drawMap(bench, list);
    drawSide(list);
    drawFoot(bench, run);
    frame.speed.show(bench);
    if (byId("details").open) drawDetails(bench);
  };
  const drawHead = (bench, run) => {
    say(frame.hold, bench.order_hold ? "Hold order" : "Hold");
    say(frame.held.title, bench.order_hold ? "ORDER HELD" : "HELD");
    for (const [kind, button] of [["hold", frame.hold], ["end", frame.end]]) { hide(button, !offers(kind, bench)); enable(button, isLive); }
    if (same(frame.about, JSON.stringify([bench.name, run, bench.idle]))) return;
    frame.about.replaceChildren();
    put(frame.about, make("h1", "", run.order || (run.tray ? run.tray.split("/").pop() : bench.name)),
      run.firmware && make("span", "dim", run.firmware), run.operator && make("span", "dim", run.operator),
      run.session > 1 && make("span", "dim", "session " + run.session), run.simulated && make("span", "dim", "simulated beacons"),
      bench.idle && make("span", "dim", "idle, last seen at " + clock(bench.idle)));
  };
  const linksOf = (adapter) => adapter.there ? adapter.links + (adapter.limit === undefined ? "" : "/" + adapter.limit) + " links" : "gone";
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
      if (text !== undefined) say(parts.text, text);
      say(parts.time, time);
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
      say(text, many(number, kind));
      chip.setAttribute("aria-pressed", String(!isOff));
    }
  };
  const matches = (unit) => {
    if (frame.hidden.has(known(unit.standing))) return false;
    const text = [unit.slot, unit.address, unit.name, unit.id, unit.model, unit.code, STANDINGS[known(unit.standing)][1], unit.adapter, unit.phase].filter(Boolean).join(" ").toLowerCase();
    return frame.words.toLowerCase().split(" ").filter(Boolean).every((word) => word.startsWith("!") && word.length > 1 ? !text.includes(word.slice(1)) : text.includes(word));
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
  /// The end of its address, unless its label contains it.
  const lastOf = (unit) => unit.last && !unit.slot.endsWith(unit.last) ? unit.last : "";
  const drawMap = (bench, list) => {
    const plan = layout(list), size = list.length > 208 ? "lots" : list.length > 96 ? "many" : "few";
    // Longer labels than row and column have a line of their own: cut to one letter, one could be mistaken for a
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
      say(parts.mark, STANDINGS[kind][0]);
      say(parts.slot, unit.slot);
      say(parts.last, lastOf(unit));
      say(parts.part, kind === "running" || kind === "stalled" ? (unit.percent === undefined ? "" : unit.percent + "\u00a0%") : unit.attempts > 1 ? unit.attempts + "×" : "");
      hide(parts.star, !unit.golden);
      parts.bar.style.transform = "scaleX(" + (unit.percent || 0) / 100 + ")";
      element.setAttribute("aria-label", shown(label(unit)));
      element.title = shown(label(unit));
    });
    // One visible tile can be reached with the Tab key.
    if (!frame.focus || !frame.focus.isConnected || frame.focus.classList.contains("shut")) {
      const next = frame.map.querySelector(".tile:not(.shut)"), hadFocus = frame.focus && frame.focus === document.activeElement;
      if (next) focusOn(next);
      if (next && hadFocus) next.focus();
    }
  };
  const label = (unit) => [unit.slot, STANDINGS[known(unit.standing)][1], unit.golden && "golden unit", unit.name, unit.address && unit.address.split("/")[0], unit.phase && PHASES[unit.phase], unit.percent !== undefined && unit.phase && unit.percent + " %", unit.code].filter(Boolean).join(", ");

  const drawSide = (list) => {
    const worst = list.map((unit, index) => [RANKS.indexOf(known(unit.standing)), index, unit])
      .filter(([rank, , unit]) => here().scan ? unit.name : (rank <= RANKS.indexOf("waiting") && (unit.standing !== "waiting" || unit.code)) || unit.standing === "aborted" || unit.standing === "skipped")
      .filter(([, , unit]) => matches(unit)).sort((a, b) => a[0] - b[0] || a[1] - b[1]).slice(0, 120).map((entry) => entry[2]);
    const isScanned = here() && here().scan;
    say(frame.worst, isScanned ? "Scanned labels" : worst.length ? "Worst first" : "Nothing needs attention");
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
    const parts = { element: press("", () => details(slot)), mark: make("i", "mark"), what: make("span", "what"), last: make("span", "last"), cause: make("span"), next: make("span", "next") };
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
    say(parts.mark, STANDINGS[kind][0]);
    say(parts.what, what);
    say(parts.last, lastOf(unit));
    parts.cause.className = isUnderWay ? "cause dim" : "cause";
    say(parts.cause, !isUnderWay ? (unit.cause === what ? "" : unit.cause) : unit.attempts > 1 ? "attempt " + unit.attempts : "");
    say(parts.next, isUnderWay ? "" : unit.next_step);
    hide(parts.cause, !parts.cause.textContent);
    hide(parts.next, !parts.next.textContent);
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

  // ---- Details and keys --------------------------------------------------------------------------------------------
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
      const button = press(text, () => { const bench = here(); if (bench) wishOfUnit(kind, bench, frame.open); }, "", "do-" + kind);
      parts.buttons.set(kind, button);
      put(row, button);
    }
    put(dialog, heading, list, put(row, make("span", "grow"), press("Close", () => dialog.close())));
    dialog.addEventListener("close", () => { const tile = frame.tiles.get(frame.open); frame.open = null; if (tile) tile.element.focus(); });
    return parts;
  })();
  const details = (slot) => {
    const bench = here();
    if (!bench) return;
    frame.open = slot;
    drawDetails(bench);
    if (!sheetOfUnit.dialog.open) sheetOfUnit.dialog.showModal();
  };
  const drawDetails = (bench) => {
    const parts = sheetOfUnit, unit = units(bench).find((u) => u.slot === frame.open);
    if (!unit) { parts.dialog.close(); return; }
    const kind = known(unit.standing);
    parts.heading.className = "s-" + kind;
    say(parts.mark, STANDINGS[kind][0]);
    say(parts.slot, unit.slot);
    say(parts.what, STANDINGS[kind][1] + (unit.golden ? ", golden unit" : ""));
    const texts = {
      cause: unit.cause || unit.code, code: unit.cause && unit.code, state: unit.state, "next step": unit.next_step, phase: unit.phase && PHASES[unit.phase],
      sent: unit.percent === undefined ? "" : unit.percent + " %" + (unit.speed ? ", " + speed(unit.speed) : "") + (unit.seconds_left ? ", " + span(unit.seconds_left) + " left" : ""),
      address: unit.address, name: unit.name, id: unit.id, model: unit.model, attempts: unit.attempts, adapter: unit.adapter,
      version: unit.version || unit.version_from ? (unit.version_from || "?") + " → " + (unit.version || "?") : "",
    };
    for (const [name, fact] of parts.facts) {
      say(fact.text, texts[name]);
      hide(fact.name, !fact.text.textContent);
      hide(fact.box, !fact.text.textContent);
    }
    for (const [action, button] of parts.buttons) {
      hide(button, !offers(action, bench));
      enable(button, isLive && fits(action, unit));
    }
  };
  /// Asks for confirmation. Input for the page before it opened, such as the second click of a double click or a held
  /// key, is ignored.
  const sure = (title, text, yes, action) => {
    const dialog = byId("sure"), heading = make("h2", "", title), row = make("div", "row");
    heading.id = "sure-title";
    let opened = Infinity;
    const go = press(yes, () => { if (performance.now() - opened >= 300) { dialog.close(); action(); } }, "main", "sure-yes");
    const no = press("Cancel", () => dialog.close(), "", "sure-no");
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
    dialog.replaceChildren(heading, title("Keys"), keys, title("States of units"), legend, title("Signs and figures"), signs, put(make("div", "row"), press("Close", () => dialog.close())));
    dialog.showModal();
    // The button that has the focus is at the end.
    dialog.scrollTop = 0;
  };
  byId("help-open").addEventListener("click", help);
  const move = (event) => {
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
  /// Another attempt sends firmware to a beacon: button and key ask for confirmation.
  const wishOfUnit = (kind, bench, slot) => {
    const go = () => act(kind, bench, slot);
    if (kind === "retry") sure("Try " + slot + " again?", "It gets firmware again, and counts as failed until there is a new result.", "Retry", go); else go();
  };
  /// A key is pressed by mistake more easily than a button: irreversible actions ask for confirmation.
  const wishByKey = (kind, bench, slot) => {
    if (!offers(kind, bench) || (slot !== undefined && !fits(kind, units(bench).find((u) => u.slot === slot)))) return;
    const go = () => act(kind, bench, slot);
    if (kind === "hold") { wish(kind); return; }
    if (kind === "release") sure("Release the hold?", bench.hold.message, "Release", go);
    else if (kind === "retry") wishOfUnit(kind, bench, slot);
    else if (kind === "skip") sure("Skip " + slot + "?", "It is skipped, or ended at its next safe point.", "Skip", go);
    else go();
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) {
      if (event.key === "Escape" && event.target === frame.find) { frame.find.value = frame.words = ""; frame.find.blur(); draw(); }
      return;
    }
    // A held key acts only once.
    if (event.repeat || document.querySelector("dialog[open]")) return;
    const bench = here(), slot = document.activeElement && document.activeElement.classList.contains("tile") ? document.activeElement.dataset.slot : undefined;
    // A scanner that types elsewhere is heard nevertheless.
    if (bench && bench.scan && offers("scan", bench) && event.key.length === 1 && event.key !== " ") { byId("scan-code").focus(); return; }
    const actions = { r: "retry", s: "skip", b: "blink" };
    if (event.key === "?") help();
    else if (event.key === "/" && bench) { event.preventDefault(); frame.find.focus(); }
    else if (event.key === "Escape" && bench) { frame.hidden.clear(); frame.words = frame.find.value = ""; draw(); }
    else if (event.key === "d" && slot !== undefined) details(slot);
    else if (Object.hasOwn(actions, event.key) && slot !== undefined && bench) wishByKey(actions[event.key], bench, slot);
    else if (event.key === "p" && bench) wishByKey(bench.hold ? "release" : "hold", bench);
  });

  // ---- Several benches ---------------------------------------------------------------------------------------------
  const cards = { box: make("div", "cards"), made: new Map(), none: make("p", "note", "No benches yet.") };
  put(byId("view-benches"), make("h1", "unseen", "Benches"), cards.none, cards.box);
  const drawBenches = (all) => {
    hide(cards.none, all.length > 0);
    const rank = (b) => b.hold ? 0 : b.silent ? 1 : b.past ? 3 : 2, ids = new Set(all.map((b) => b.id));
    for (const id of cards.made.keys()) if (!ids.has(id) && !isPressed) cards.made.delete(id);
    arrange(cards.box, [...all].sort((a, b) => rank(a) - rank(b)).map((bench) => {
      if (!cards.made.has(bench.id)) cards.made.set(bench.id, card(bench.id));
      const parts = cards.made.get(bench.id);
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
    const line = (element, isThere, text) => { hide(element, !isThere); if (isThere) say(element, text()); };
    parts.element.classList.toggle("is-silent", Boolean(bench.silent));
    say(parts.name, bench.name);
    say(parts.about, [run.order, run.operator].filter(Boolean).join(" · "));
    say(parts.big, total ? f.good + " of " + total : "no run");
    line(parts.hold, bench.hold, () => (bench.order_hold ? "ORDER HELD: " : "HELD: ") + bench.hold.message);
    line(parts.silent, bench.silent, () => "no contact since " + clock(bench.silent.since) + ": " + bench.silent.reason);
    line(parts.past, bench.past, () => "past run" + (run.ended ? ", ended on " + day(run.ended) : ""));
    line(parts.idle, bench.idle, () => "idle, last seen at " + clock(bench.idle));
    say(parts.words, words.map((word) => word.replaceAll(" ", "\u00a0")).join(" · "));
    hide(parts.ends, !bench.ends || Boolean(bench.past));
    if (bench.ends) count(parts.eta, "until", bench.ends);
    say(parts.adapters, bench.adapters.map((a) => a.name + " " + linksOf(a)).join(" · "));
    parts.mini.classList.toggle("tight", list.length > 96);
    while (parts.mini.childElementCount > list.length) parts.mini.lastElementChild.remove();
    while (parts.mini.childElementCount < list.length) put(parts.mini, make("i"));
    list.forEach((unit, index) => {
      const kind = known(unit.standing), spot = parts.mini.children[index];
      if (spot.className !== "s-" + kind) { spot.className = "s-" + kind; say(spot, STANDINGS[kind][0]); }
    });
    line(parts.outbox, bench.outbox && bench.outbox.waiting, () => waiting(bench.outbox.waiting) + (bench.outbox.since ? " since " + clock(bench.outbox.since) : ""));
  };

  // ---- Plots -------------------------------------------------------------------------------------------------------
  const shape = (tag, attributes, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = shown(text);
    return element;
  };
  /// A figure with a title, and a picture that is drawn for the width of its box: `paint` gets the picture, and
  /// the area inside the axes in pixels.
  const plot = (name, paint) => {
    const parts = { box: make("figure", "plot " + name), title: make("figcaption"), picture: shape("svg", { role: "img", "aria-label": "nothing to show yet", preserveAspectRatio: "xMinYMid meet" }), keys: make("p", "keys") };
    put(parts.box, parts.title, parts.picture, parts.keys);
    parts.draw = () => {
      const width = Math.floor(parts.picture.getBoundingClientRect().width), rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
      if (!width) return;
      const height = Math.round(11.5 * rem), area = { left: 3.4 * rem, right: width - 0.8 * rem, top: 1.5 * rem, bottom: height - 2.7 * rem, rem };
      parts.picture.setAttribute("viewBox", "0 0 " + width + " " + height);
      parts.picture.replaceChildren();
      paint(parts, area);
    };
    new ResizeObserver(parts.draw).observe(parts.box);
    return parts;
  };
  /// Axes with their titles; ticks are pairs of a place in pixels and a text.
  const axes = (picture, area, vertical, horizontal, words) => {
    const { left, right, top, bottom, rem } = area;
    for (const [y, text] of vertical) put(picture, shape("path", { class: "grid", d: "M" + left + " " + y + "H" + right }), shape("text", { x: left - 0.4 * rem, y: y + 0.25 * rem, "text-anchor": "end" }, text));
    for (const [x, text, anchor] of horizontal) put(picture, shape("path", { class: "axis", d: "M" + x + " " + bottom + "v4" }), shape("text", { x, y: bottom + 1.1 * rem, "text-anchor": anchor || "middle" }, text));
    put(picture, shape("path", { class: "axis", d: "M" + left + " " + top + "V" + bottom + "H" + right }), shape("text", { class: "name", x: 0, y: 0.8 * rem }, words[0]),
      shape("text", { class: "name", x: right, y: bottom + 2.3 * rem, "text-anchor": "end" }, words[1]));
  };
  /// First-pass and final yield over orders or runs, with the values as a table.
  const yieldPlot = () => {
    let points = [], over = "orders", given = [[], []];
    const SERIES = [["first_pass", "first", "first-pass yield"], ["final", "final", "final yield"]];
    const parts = plot("yields", ({ picture }, area) => {
      const lowest = Math.min(...points.flatMap((p) => SERIES.map(([name]) => p[name].passed / p[name].counted)));
      const floor = lowest < 0.5 ? 0 : Math.min(0.9, Math.floor(lowest * 10) / 10), step = floor >= 0.9 ? 0.02 : floor >= 0.7 ? 0.05 : floor >= 0.5 ? 0.1 : 0.2;
      const y = (share) => area.bottom - (share - floor) / (1 - floor) * (area.bottom - area.top), gap = (area.right - area.left) / points.length;
      // Where gaps are narrow, the name of the last one ends at the right edge, and so nearer to the one before.
      const isTight = gap < 4 * area.rem, x = (index) => area.left + gap * (index + 0.5), every = Math.ceil((isTight ? 10 * area.rem - gap / 2 : 6.5 * area.rem) / gap);
      const levels = Array.from({ length: Math.round((1 - floor) / step) + 1 }, (_, i) => floor + i * step);
      axes(picture, area, levels.map((share) => [y(share), Math.round(share * 100) + " %"]), points.flatMap((p, i) => (points.length - 1 - i) % every ? [] : [isTight && i === points.length - 1 ? [area.right, p.name, "end"] : [x(i), p.name]]),
        ["share of units that passed", over + ", the latest at the right"]);
      for (const [name, key] of SERIES) {
        const places = points.map((p, i) => [x(i), y(p[name].passed / p[name].counted)]);
        put(picture, shape("path", { class: "curve " + key, d: "M" + places.map((place) => place.join(" ")).join("L") }));
        places.forEach(([cx, cy], i) => {
          const dot = key === "first" ? shape("circle", { class: "dot " + key, cx, cy, r: 4 }) : shape("rect", { class: "dot " + key, x: cx - 3.5, y: cy - 3.5, width: 7, height: 7 });
          put(picture, put(dot, shape("title", {}, points[i].name + ", " + (key === "first" ? "first pass " : "final ") + yieldOf(points[i][name]))));
        });
      }
    });
    const choice = make("select"), values = make("details"), rows = make("tbody"), head = make("tr");
    choice.setAttribute("aria-label", "Yields over");
    for (const name of ["orders", "runs"]) { const option = make("option", "", "over " + name); option.value = name; put(choice, option); }
    for (const text of ["", "began", "first pass", "final"]) { const th = make("th", "", text || "order or run"); th.scope = "col"; put(head, th); }
    put(values, make("summary", "", "Values and definitions"), make("p", "dim", FIRST_PASS + " " + FINAL), put(make("table"), put(make("thead"), head), rows));
    put(parts.keys, ...SERIES.map(([, key, text]) => { const sign = shape("svg", { viewBox: "0 0 24 10", class: "sign", "aria-hidden": "true" });
      put(sign, shape("path", { class: "curve " + key, d: "M0 5H24" }), key === "first" ? shape("circle", { class: "dot first", cx: 12, cy: 5, r: 4 }) : shape("rect", { class: "dot final", x: 8.5, y: 1.5, width: 7, height: 7 })); return put(make("span"), sign, text); }), choice);
    put(parts.box, values);
    const show = (orders, runs) => {
      given = [orders, runs];
      hide(choice, !runs.length);
      if (!runs.length) over = "orders";
      const all = over === "runs" ? runs.map((r) => ({ ...r, name: day(r.began).slice(5, 16), note: r.order })) : orders.map((o) => ({ ...o, name: o.number }));
      points = all.filter((p) => p.first_pass.counted && p.final.counted).sort((a, b) => (a.began || 0) - (b.began || 0)).slice(-40);
      hide(parts.box, !points.length);
      if (!points.length || same(parts.box, JSON.stringify([over, points]))) return;
      const last = points[points.length - 1];
      say(parts.title, "Yields over " + over + ": the latest " + percent(last.first_pass.passed / last.first_pass.counted) + " first pass, " + percent(last.final.passed / last.final.counted) + " final");
      parts.picture.setAttribute("aria-label", "Yields over " + points.length + " " + over + "; the values are in the table below");
      rows.replaceChildren(...[...points].reverse().map((p) => put(make("tr"), put(make("td"), make("bdi", "", p.name + (p.note ? ", " + p.note : ""))), put(make("td"), p.began ? moment(p.began) : ""), make("td", "", yieldOf(p.first_pass)), make("td", "", yieldOf(p.final)))));
      parts.draw();
    };
    choice.addEventListener("change", () => { over = choice.value; show(...given); });
    parts.box.hidden = true;
    return { box: parts.box, show };
  };

  /// The most that a link of one adapter carries: packets of 251 octets back to back, with 244 bytes of firmware each, take 2468 µs
  /// over LE 1M and 1392 µs over LE 2M, with the receiver's empty packets and the spaces between packets.
  const CEILINGS = [["LE 1M", 244 / 2468e-6], ["LE 2M", 244 / 1392e-6]];
  /// The speed of a run over its time, and the ceiling of its adapters.
  const speedPlot = () => {
    let speeds = [], step = 1, now = 0, adapters = 0, most = 0;
    const ceiling = () => { const [phy, each] = CEILINGS.find(([, each]) => each * adapters >= most) || CEILINGS[1]; return { phy, bytes: each * adapters }; };
    const parts = plot("speed", ({ picture }, area) => {
      const top = ceiling(), isFar = !top.bytes || top.bytes > most * 6, highest = isFar ? most * 1.25 : top.bytes * 1.08, total = Math.max(step * speeds.length, 1);
      const x = (seconds) => area.left + seconds / total * (area.right - area.left), y = (bytes) => area.bottom - bytes / highest * (area.bottom - area.top);
      const nice = (range, count, steps) => { const unit = steps || [1, 2, 5], power = steps ? 1 : 10 ** Math.floor(Math.log10(range / count)); return unit.map((n) => n * power).find((n) => range / n <= count) || (steps ? Math.ceil(range / count / 3600) * 3600 : 10 * power); };
      const high = nice(highest / 1000, 4) * 1000, wide = nice(total, Math.max(2, Math.floor((area.right - area.left) / area.rem / 5)), [5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600]);
      axes(picture, area, Array.from({ length: Math.floor(highest / high) + 1 }, (_, i) => [y(i * high), String(Math.round(i * high / 10) / 100)]),
        Array.from({ length: Math.floor(total / wide) + 1 }, (_, i) => [x(i * wide), span(i * wide)]), ["kB/s, all units together", total >= 3600 ? "time since the run began, h:min" : "time since the run began, min:s"]);
      let line = "";
      speeds.forEach((bytes, i) => { line += (i ? "L" : "M") + x(i * step) + " " + y(bytes) + "H" + x((i + 1) * step); });
      put(picture, shape("path", { class: "under", d: line + "V" + area.bottom + "H" + area.left + "Z" }), shape("path", { class: "curve first", d: line }));
      if (!isFar) put(picture, shape("path", { class: "curve ceiling", d: "M" + area.left + " " + y(top.bytes) + "H" + area.right }));
    });
    const summary = make("summary"), box = put(make("details", "course"), summary, parts.box);
    const show = (bench) => {
      const course = bench.course;
      hide(box, !course);
      if (!course) return;
      const list = Object.keys(course.speeds).map(Number).sort((a, b) => a - b).map((i) => course.speeds[i]);
      adapters = bench.adapters.length;
      now = bench.past ? 0 : bench.figures.bytes_per_second;
      most = Math.max(...list, 1);
      [speeds, step] = [list, course.step];
      const top = ceiling(), peak = "at most " + speed(most), limit = adapters ? "Ceiling of " + adapters + (adapters === 1 ? " adapter" : " adapters") + " over " + top.phy + ": " + speed(top.bytes) : "";
      say(summary, "Speed over time: " + (bench.past ? "" : speed(now) + " now, ") + peak);
      if (!box.open || same(box, JSON.stringify([list, step, adapters]))) return;
      say(parts.title, "Speed of all units together");
      parts.picture.setAttribute("aria-label", "Speed over " + span(step * list.length) + ": " + peak + ". " + limit);
      parts.keys.replaceChildren(put(make("span"), shape("svg", { class: "sign", viewBox: "0 0 24 10", "aria-hidden": "true" }), "speed, " + (step === 1 ? "each second" : "averages of " + step + " s")), make("span", "", limit && limit + (top.bytes > most * 6 ? ", above this scale" : "")));
      put(parts.keys.querySelector("svg"), shape("path", { class: "curve first", d: "M0 5H24" }));
      if (limit) { const sign = shape("svg", { class: "sign", viewBox: "0 0 24 10", "aria-hidden": "true" }); put(sign, shape("path", { class: "curve ceiling", d: "M0 5H24" })); parts.keys.lastElementChild.prepend(sign); }
      parts.draw();
    };
    box.addEventListener("toggle", draw);
    return { box, show };
  };

  // ---- Rows ------------------------------------------------------------------------------------------
  /// Rows with a key each. A row that stays keeps its element, and an unchanged cell is not touched.
  const table = (headings) => {
    const body = make("tbody"), head = make("tr"), made = new Map();
    for (const text of headings) { const th = make("th", "", text); th.scope = "col"; put(head, th); }
    /// A row opens by a click anywhere in it, and by the button in its first cell.
    const row = () => {
      const element = put(make("tr"), ...headings.map((text) => { const td = make("td"); td.dataset.h = text; return td; }));
      element.opener = press("", () => {}, "opener");
      element.opener.setAttribute("aria-haspopup", "dialog");
      put(element.firstElementChild, element.opener);
      element.addEventListener("click", (event) => { if (!event.target.closest(".do") && !String(getSelection())) element.open(); });
      return element;
    };
    const show = (rows) => {
      const keys = new Set(rows.map((r) => r.key));
      for (const key of made.keys()) if (!keys.has(key)) made.delete(key);
      arrange(body, rows.map(({ key, cells, open }) => {
        if (!made.has(key)) made.set(key, row());
        const element = made.get(key);
        element.open = open;
        say(element.opener, cells[0]);
        cells.forEach((cell, i) => {
          if (i === 0) return;
          const node = cell instanceof Node ? cell : make("bdi", "", cell), td = element.children[i], was = td.firstChild;
          if (was !== node && !(was && was.isEqualNode(node))) td.replaceChildren(node);
        });
        return element;
      }));
    };
    return { element: put(make("table"), put(make("thead"), head), body), show };
  };
  /// A page of rows that are loaded when it is opened, and while it is visible and the page is live.
  const sheets = new Map();
  const sheet = (name, title, tools, headings, none, load) => {
    const box = make("div", "sheet"), flaw = make("p", "flaw"), empty = make("p", "note", none), rows = table(headings);
    flaw.setAttribute("role", "alert");
    put(byId("view-" + name), put(box, make("h1", "", title), tools, flaw, empty, rows.element));
    let turn = 0, asked = 0, isAsking = false;
    const show = (list) => { hide(empty, list.length > 0); hide(rows.element, !list.length); rows.show(list); };
    const self = {
      isOld: false,
      fill: async () => {
        const mine = turn += 1;
        [asked, isAsking, self.isOld] = [Date.now(), true, false];
        let list = null, error = null;
        try { list = await load(); } catch (caught) { error = caught; }
        // Only the latest request is used.
        if (mine !== turn) return;
        isAsking = false;
        if (error && error.status === 401) signInAgain();
        say(flaw, error ? error.message + (error.next ? ": " + error.next : "") : "");
        hide(flaw, !error);
        if (list) show(list);
      },
      refresh: () => { if (!isAsking && Date.now() - asked > (self.isOld ? 3000 : 15000)) self.fill(); },
      clear: () => { turn += 1; isAsking = false; rows.show([]); yields.show([], []); },
    };
    for (const element of [flaw, empty, rows.element]) element.hidden = true;
    sheets.set(name, self);
    return self;
  };

  // ---- What a row opens --------------------------------------------------------------------------------------------
  /// The open row, as a function that draws it again.
  let entry = null;
  const showEntry = (title, kind, facts, ...more) => {
    const dialog = byId("entry"), heading = make("h2", kind ? "s-" + kind : "", title), list = make("dl");
    heading.id = "entry-title";
    if (kind) { say(heading, ""); put(heading, mark(kind), make("bdi", "", title)); }
    for (const [name, value] of facts) {
      if (value === undefined || value === null || value === "") continue;
      put(list, make("dt", "", name), put(make("dd"), value instanceof Node ? value : make("bdi", "", value)));
    }
    const focused = dialog.open && document.activeElement ? document.activeElement.textContent : null;
    dialog.replaceChildren(heading, list, ...more.filter(Boolean), put(make("div", "row"), make("span", "grow"), press("Close", () => dialog.close())));
    if (!dialog.open) dialog.showModal();
    else if (focused) { const again = [...dialog.querySelectorAll("button")].find((b) => b.textContent === focused); if (again) again.focus(); }
  };
  byId("entry").addEventListener("close", () => { entry = null; });
  /// Why units are not on their firmware, each reason with its next step.
  const troublesOf = (list) => {
    if (!list || !list.length) return null;
    const box = put(make("section", "troubles"), make("h3", "", "Failures by reason"));
    for (const one of list) {
      put(box, put(make("p"), make("b", "", one.units + (one.units === 1 ? " unit: " : " units: ")), make("bdi", "", one.cause || one.code), one.cause && " ", one.cause && make("code", "dim", one.code)),
        one.next_step && make("p", "next", one.next_step));
    }
    return box;
  };
  /// Asks for texts and numbers. `action` gets them by name and throws why they are refused.
  const askFor = (title, text, fields, yes, action) => {
    const dialog = byId("ask"), heading = make("h2", "", title), form = make("form"), flaw = make("p", "flaw"), inputs = {};
    heading.id = "ask-title";
    flaw.setAttribute("role", "alert");
    for (const { name, label, kind, value, least, hint, choices } of fields) {
      const input = make(choices ? "select" : "input");
      if (choices) for (const one of choices) { const option = make("option", "", one.name); option.value = one.id; put(input, option); }
      else { input.type = kind || "text"; input.autocomplete = "off"; if (kind === "number") { input.min = least; input.step = 1; } else input.maxLength = 200; }
      if (value !== undefined) input.value = value;
      input.required = true;
      input.name = name;
      inputs[name] = input;
      put(form, put(make("label", "", label), input, hint && make("small", "dim", hint)));
    }
    const go = make("button", "main", yes);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const values = Object.fromEntries(fields.map(({ name, kind }) => [name, kind === "number" ? Number(inputs[name].value) : inputs[name].value.trim()]));
      enable(go, false);
      say(flaw, "");
      try { await action(values); dialog.close(); } catch (error) { say(flaw, words(error)); enable(go, true); }
    });
    put(form, flaw, put(make("div", "row"), go, press("Cancel", () => dialog.close())));
    dialog.replaceChildren(heading, make("p", "", text), form);
    dialog.showModal();
    Object.values(inputs)[0].focus();
  };

  // ---- Orders ------------------------------------------------------------------------------------------------------
  const orderButtons = new Map(), book = { orders: new Map(), runs: [], choices: [] };
  /// Orders of a bench alone are held and released at the bench that works on them.
  const benchesOf = (o) => o.actions.length ? [] : benches().filter((bench) => bench.run && bench.run.order === o.number && !bench.past && !bench.order_hold);
  const benchOf = (kind, o) => benchesOf(o).find((bench) => offers(kind, bench));
  const decides = (kind, o) => may("approver") && (o.actions.includes(kind) || Boolean(benchOf(kind, o)));
  /// An order, with the hold of its bench as its own.
  const orderOf = (number) => {
    const order = book.orders.get(number), bench = order && benchesOf(order).find((b) => b.hold);
    return bench ? { ...order, state: "held", held_reason: bench.hold.message, held_since: bench.hold.since } : order;
  };
  const holdOrder = (number) => askFor("Hold " + number + "?", "No bench starts another unit of this order until it is released. Units at work are finished.",
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
    await tries(kind + " " + number, "orders/release", order.held_since ? { number, since: order.held_since } : { number });
    refill("orders");
  };
  const refill = (name) => sheets.get(name).fill();
  const decisions = (number) => {
    const parts = { state: make("span"), box: make("span", "do"), release: press("Release", () => decide("release", number)), hold: press("Hold", () => decide("hold", number)) };
    put(parts.box, parts.release, parts.hold);
    return parts;
  };
  const drawDecisions = (number, parts) => {
    const o = orderOf(number);
    if (!o) return;
    say(parts.state, stateOf(o));
    parts.state.className = o.state === "held" ? "held" : "";
    for (const kind of ["release", "hold"]) hide(parts[kind], !decides(kind, o));
    hide(parts.box, parts.release.hidden && parts.hold.hidden);
    for (const kind of ["release", "hold"]) { enable(parts[kind], isLive); parts[kind].setAttribute("aria-label", parts[kind].textContent + " " + shown(number)); }
  };
  const partsOf = (number) => {
    if (!orderButtons.has(number)) orderButtons.set(number, decisions(number));
    return orderButtons.get(number);
  };
  const drawOrderButtons = () => {
    for (const [number, parts] of orderButtons) drawDecisions(number, parts);
    hide(newOrder, !may("approver") || !book.choices.length);
    enable(newOrder, isLive);
    if (entry) entry();
  };
  const newOrder = press("New order", () => askFor("New order", "It is a draft until an approver releases it. Each beacon that a bench claims becomes a unit, up to the number of units.", [
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
    const attempts = press("Show its attempts", () => { find.value = number; choice.value = ""; byId("entry").close(); location.hash = "#/history"; });
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
  });

  // ---- History -----------------------------------------------------------------------------------------------------
  const find = make("input"), choice = make("select");
  find.type = "search"; find.placeholder = "slot, address, name, order, code";
  find.setAttribute("aria-label", "Find attempts"); choice.setAttribute("aria-label", "Outcome");
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
  const visit = () => {
    const open = sheets.get(route().view);
    if (session && open) open.fill();
    draw();
  };
  addEventListener("hashchange", () => { if (/^#token=/.test(location.hash)) start(); else visit(); });

  start();
})();
