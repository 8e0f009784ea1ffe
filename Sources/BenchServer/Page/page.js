"use strict";
(() => {
  // ---- Words -------------------------------------------------------------------------------------------------------
  const STANDINGS = {
    failed: ["F", "failed"], unknown: ["U", "unknown"], error: ["E", "bench error"], stalled: ["!", "stalled"],
    running: ["R", "at work"], waiting: ["O", "waiting"], aborted: ["A", "aborted"], skipped: ["S", "skipped"],
    "not-needed": ["N", "not needed"], passed: ["P", "passed"],
  };
  const RANKS = Object.keys(STANDINGS);
  const PHASES = {
    connecting: "connecting", "entering-bootloader": "entering the bootloader", preparing: "preparing",
    transferring: "sending firmware", activating: "checks the image", rebooting: "restarts", verifying: "looking at what came up",
  };
  const ROLES = ["viewer", "operator", "approver"];
  const byId = (id) => document.getElementById(id);

  /// What nobody would see, or what turns text around, is written out.
  const shown = (text) => String(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu,
    (c) => c === "\n" ? "\\n" : c === "\t" ? "\\t" : c === "\r" ? "\\r" : "\\u{" + c.codePointAt(0).toString(16) + "}");
  /// The only way by which text gets into the page.
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
  const press = (text, action, name) => {
    const button = make("button", name, text);
    button.type = "button";
    button.addEventListener("click", action);
    return button;
  };
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
  const percent = (share) => (Math.floor(share * 1000 + 1e-9) / 10).toFixed(1) + "\u00a0%";
  const speed = (bytes) => (bytes / 1000).toFixed(1) + " kB/s";
  const mark = (standing) => { const m = make("i", "mark", STANDINGS[standing][0]); m.setAttribute("aria-hidden", "true"); return m; };
  const many = (count, kind) => count + " " + STANDINGS[kind][1] + (kind === "error" && count !== 1 ? "s" : "");
  const known = (standing) => Object.hasOwn(STANDINGS, standing) ? standing : "unknown";

  // ---- What is known -----------------------------------------------------------------------------------------------
  let state = null, position = null, session = null, skew = 0;
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
  const act = async (kind, bench, slot) => {
    // The key stays the same when the answer was lost: nothing is done twice.
    const key = random(), body = slot === undefined ? { bench: bench.id } : { bench: bench.id, slot };
    for (let turn = 0; ; turn += 1) {
      try {
        await send("actions/" + kind, body, { "Idempotency-Key": key, "X-CSRF-Token": session ? session.csrf : "" });
        toast(kind + (slot === undefined ? "" : " " + slot) + ": taken");
        return;
      } catch (error) {
        if (error.status === undefined && turn < 2) { await new Promise((done) => setTimeout(done, 500 * (turn + 1))); continue; }
        if (error.status === 401) signInAgain();
        toast(kind + ": " + error.message + (error.next ? " — " + error.next : ""), true);
        return;
      }
    }
  };

  // ---- Signing in --------------------------------------------------------------------------------------------------
  const signInAgain = () => { session = null; if (!byId("sign-in").open) byId("sign-in").showModal(); };
  const signIn = async (token, name) => {
    session = await send("session", name ? { token, name } : { token });
    if (byId("sign-in").open) byId("sign-in").close();
    bus.post({ kind: "signed-in" });
    begin();
  };
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
  // A browser opens six connections to a server: one tab holds the stream and tells the others.
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
    position = id;
    live();
  };
  const whole = () => ({ kind: "snapshot", id: position, data: state, isLive, lostAt, lostWhy, skew });
  const open = () => {
    clearTimeout(reopening);
    if (stream) stream.close();
    stream = new EventSource("events" + (position ? "?after=" + encodeURIComponent(position) : ""));
    const slow = setTimeout(() => lose("the server does not answer; are many pages of it open?"), 8000);
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
      lose("the page's program is not reached");
      bus.post({ kind: "lost", lostAt, lostWhy });
      try { await ask("session"); } catch (error) {
        if (error.status === 401) { bus.post({ kind: "signed-out" }); begun = false; signInAgain(); return; }
      }
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
        // Two that lead: the one that came later in the alphabet gives way.
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
      case "signed-out": if (!leads) { begun = false; signInAgain(); } break;
      case "signed-in": if (!begun) start(); else ask("session").then((s) => { session = s; draw(); }, () => {}); break;
    }
  });
  const elect = () => {
    leader = null;
    bus.post({ kind: "hello" });
    setTimeout(() => { if (leader === null && !leads) lead(); }, 400 + Math.random() * 200);
  };
  const begin = () => {
    if (begun) { draw(); return; }
    begun = true;
    heard = Date.now();
    if (leads) { open(); draw(); return; }
    if (navigator.locks) {
      bus.post({ kind: "hello" });
      navigator.locks.request("beacon-dfu-stream", () => new Promise(() => lead()));
    } else elect();
    draw();
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
      if (leads) { lose("nothing was heard for 40 s"); open(); } else { lose("the tab that listens says nothing"); if (!navigator.locks) elect(); }
    }
    if (begun && !state && !leads && Date.now() - heard > 5000) lose("another tab listens for this one and says nothing: close a tab of this page");
    tick();
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
      const isHere = link.dataset.view === place.view || (link.dataset.view === "bench" && place.view === "benches");
      if (isHere) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
    }
    say(byId("where"), place.bench ? place.bench.name : "");
    say(byId("who"), !session ? "" : session.wall ? "wall screen" : (session.name ? session.name + ", " : "") + session.role);
    if (state) document.title = shown(state.title);
    if (place.bench) drawBench(place.bench);
    if (place.view === "benches") drawBenches(all);
    const held = all.filter((b) => b.hold).map((b) => b.name + " is held: " + b.hold.message).join(". ");
    if (held !== wasHeld) { wasHeld = held; say(byId("live"), held); }
    tick();
  };
  const tick = () => {
    const link = byId("link"), note = byId("offline");
    const isLost = begun && !isLive && lostAt !== null;
    link.classList.toggle("live", isLive);
    say(link, isLive ? "live" : isLost ? "offline" : "connecting");
    hide(note, !isLost);
    if (isLost) say(note, "Offline since " + day(lostAt).slice(11) + " (" + ago((Date.now() - lostAt) / 1000) + "): " + lostWhy + (state ? ". What is shown is as of then." : ""));
    for (const element of document.querySelectorAll("[data-until]")) say(element, span((Number(element.dataset.until) - now()) / 1000));
    for (const element of document.querySelectorAll("[data-since]")) say(element, ago((now() - Number(element.dataset.since)) / 1000));
  };
  const since = (ms) => { const element = make("span"); element.dataset.since = ms; say(element, ago((now() - ms) / 1000)); return element; };

  // ---- A bench -----------------------------------------------------------------------------------------------------
  const frame = { id: null, tiles: new Map(), hidden: new Set(), words: "", focus: null };
  const build = (bench) => {
    frame.id = bench.id;
    frame.tiles.clear();
    const view = byId("view-bench");
    view.replaceChildren();
    frame.head = make("div", "headline");
    frame.figures = make("div", "figures");
    frame.banners = make("div");
    frame.tools = make("div", "tools");
    frame.chips = make("span");
    frame.find = make("input");
    frame.find.type = "search";
    frame.find.placeholder = "find, or !leave out";
    frame.find.setAttribute("aria-label", "Find units");
    frame.find.value = frame.words;
    frame.find.addEventListener("input", () => { frame.words = frame.find.value; draw(); });
    frame.buttons = make("span");
    frame.buttonsFor = null;
    frame.buttons.className = "do";
    frame.about = make("div", "about");
    put(frame.head, frame.about, frame.buttons);
    put(frame.tools, frame.chips, frame.find);
    frame.map = make("div", "map");
    frame.map.setAttribute("role", "group");
    frame.map.setAttribute("aria-label", "Tray");
    frame.map.addEventListener("keydown", move);
    frame.side = make("aside", "side");
    frame.side.setAttribute("aria-label", "Units, the worst first");
    frame.foot = make("footer", "foot");
    put(view, frame.head, frame.figures, frame.banners, frame.tools, put(make("div", "work"), frame.map, frame.side), frame.foot);
  };
  const same = (element, key) => { if (element.dataset.key === key) return true; element.dataset.key = key; return false; };

  const drawBench = (bench) => {
    if (frame.id !== bench.id) build(bench);
    const list = units(bench), run = bench.run || {};
    byId("view-bench").classList.toggle("silent-bench", Boolean(bench.silent));
    drawHead(bench, run);
    drawFigures(bench, list, run);
    drawBanners(bench, run);
    drawTools(bench);
    drawMap(bench, list);
    drawSide(bench, list);
    drawFoot(bench, run);
    if (byId("details").open && frame.open) drawDetails(bench);
  };
  const drawHead = (bench, run) => {
    if (same(frame.about, JSON.stringify([bench.name, run]))) return;
    frame.about.replaceChildren();
    put(frame.about, make("h1", "", run.order || (run.tray ? run.tray.split("/").pop() : bench.name)),
      run.firmware && make("span", "dim", run.firmware), run.operator && make("span", "dim", run.operator),
      run.session > 1 && make("span", "dim", "session " + run.session), run.simulated && make("span", "dim", "simulated beacons"));
  };
  const drawFigures = (bench, list, run) => {
    const f = bench.figures, all = Math.max(list.length, run.expected || 0);
    if (same(frame.figures, JSON.stringify([f, all, bench.ends, bench.adapters]))) return;
    frame.figures.replaceChildren();
    const pair = (name, value, more) => { const s = make("span", more); if (name) put(s, make("small", "", name)); s.append(value); return s; };
    put(frame.figures, make("span", "big", f.good + " of " + all));
    if (f.counts.failed) put(frame.figures, make("span", "bad", f.counts.failed + " failed"));
    if (f.first_pass_yield !== undefined) put(frame.figures, pair("FPY", percent(f.first_pass_yield)));
    if (bench.ends && !bench.past) {
      const eta = make("span"); eta.dataset.until = bench.ends; say(eta, span((bench.ends - now()) / 1000));
      put(frame.figures, pair("ETA", eta));
    }
    if (f.bytes_per_second > 0) put(frame.figures, pair("", speed(f.bytes_per_second)));
    for (const adapter of bench.adapters) {
      const text = adapter.there ? adapter.links + (adapter.limit === undefined ? "" : "/" + adapter.limit) + " links" : "is gone";
      put(frame.figures, pair(shown(adapter.name), text, adapter.there ? "" : "gone"));
    }
  };
  const drawBanners = (bench, run) => {
    if (same(frame.banners, JSON.stringify([bench.hold, bench.past, bench.silent, bench.ending, run.ended, session && session.role]))) return;
    frame.banners.replaceChildren();
    if (bench.silent) put(frame.banners, put(make("div", "banner silent"), make("b", "", "Not heard"), make("span", "", bench.silent.reason), put(make("span"), "since " + clock(bench.silent.since) + ", ", since(bench.silent.since), " ago")));
    if (bench.past) put(frame.banners, put(make("div", "banner past"), make("b", "", "Past run"), make("span", "", run.ended ? "It ended on " + day(run.ended) + ". Nothing is under way." : "Nothing is under way.")));
    if (bench.ending && !bench.past) put(frame.banners, put(make("div", "banner ending"), make("b", "", "Ending"), make("span", "", "units at work are finished, none is begun")));
    if (bench.hold && !bench.past) {
      const box = put(make("div", "banner hold"), make("b", "", "HELD"), make("span", "", bench.hold.message), put(make("span"), "for ", since(bench.hold.since)), make("span", "grow"));
      box.id = "hold";
      if (may("approver")) { const button = press("Release", () => act("release", bench)); button.id = "release"; put(box, button); }
      else if (session && !session.wall) put(box, make("span", "", "an approver releases it"));
      put(frame.banners, box);
    }
  };
  const drawTools = (bench) => {
    const counts = bench.figures.counts;
    if (!same(frame.chips, JSON.stringify([counts, [...frame.hidden]]))) {
      frame.chips.replaceChildren();
      for (const kind of RANKS.filter((k) => counts[k])) {
        const chip = press("", () => { if (!frame.hidden.delete(kind)) frame.hidden.add(kind); draw(); }, "chip s-" + kind);
        chip.setAttribute("aria-pressed", String(!frame.hidden.has(kind)));
        put(chip, mark(kind), make("span", "", many(counts[kind], kind)));
        put(frame.chips, chip);
      }
    }
    if (!same(frame.buttons, JSON.stringify([session && session.role, bench.hold ? 1 : 0, bench.past, bench.ending]))) {
      frame.buttons.replaceChildren();
      if (may("operator") && !bench.past && !bench.ending) {
        if (!bench.hold) { const hold = press("Hold", () => act("hold", bench)); hold.id = "do-hold"; put(frame.buttons, hold, " "); }
        const stop = press("End run", () => sure("End the run?", "Units at work are finished, none is begun.", "End it", () => act("stop", bench)));
        stop.id = "do-stop";
        put(frame.buttons, stop);
      }
    }
  };
  const matches = (unit) => {
    if (frame.hidden.has(known(unit.standing))) return false;
    const text = [unit.slot, unit.address, unit.name, unit.id, unit.model, unit.code, STANDINGS[known(unit.standing)][1], unit.adapter, unit.phase].filter(Boolean).join(" ").toLowerCase();
    return frame.words.toLowerCase().split(" ").filter(Boolean).every((word) => word.startsWith("!") && word.length > 1 ? !text.includes(word.slice(1)) : text.includes(word));
  };

  /// Rows and columns where labels are places, as A1 to F8; else eight a row.
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
  const drawMap = (bench, list) => {
    const plan = layout(list), size = list.length > 208 ? "lots" : list.length > 96 ? "many" : "few";
    const key = JSON.stringify([plan.width, plan.height, size, plan.at]);
    if (!same(frame.map, key)) {
      frame.map.className = "map " + size + (plan.at ? "" : " flow") + (plan.height <= 3 ? " low" : "");
      frame.map.style.gridTemplateColumns = size === "few" || plan.at ? "repeat(" + plan.width + ", minmax(0, 1fr))" : "";
      frame.tiles.clear();
      frame.map.replaceChildren();
    }
    const seen = new Set();
    list.forEach((unit, index) => {
      seen.add(unit.slot);
      let parts = frame.tiles.get(unit.slot);
      if (!parts) {
        parts = tile(unit);
        frame.tiles.set(unit.slot, parts);
        frame.map.append(parts.element);
        if (plan.at) { parts.element.style.gridRow = plan.at[index][0]; parts.element.style.gridColumn = plan.at[index][1]; }
        if (!frame.focus || !frame.focus.isConnected) { frame.focus = parts.element; parts.element.tabIndex = 0; }
      }
      const isShut = !matches(unit), was = parts.unit;
      if (was === unit && parts.isShut === isShut) return;
      parts.unit = unit; parts.isShut = isShut;
      const kind = known(unit.standing), element = parts.element;
      element.dataset.slot = unit.slot;
      element.className = "tile s-" + kind + (isShut ? " shut" : "") + (unit.percent === 100 ? " is-full" : "");
      say(parts.mark, STANDINGS[kind][0]);
      say(parts.slot, unit.slot);
      say(parts.last, unit.last || "");
      say(parts.part, kind === "running" || kind === "stalled" ? (unit.percent === undefined ? "" : unit.percent + "\u00a0%") : unit.attempts > 1 ? unit.attempts + "×" : "");
      hide(parts.star, !unit.golden);
      parts.bar.style.transform = "scaleX(" + (unit.percent || 0) / 100 + ")";
      element.setAttribute("aria-label", shown(label(unit)));
      element.title = shown(label(unit));
    });
    for (const [slot, parts] of frame.tiles) if (!seen.has(slot)) { parts.element.remove(); frame.tiles.delete(slot); }
  };
  const label = (unit) => [unit.slot, STANDINGS[known(unit.standing)][1], unit.golden && "golden unit", unit.name, unit.address && unit.address.split("/")[0], unit.phase && PHASES[unit.phase], unit.percent !== undefined && unit.phase && unit.percent + " %", unit.code].filter(Boolean).join(", ");

  const drawSide = (bench, list) => {
    const worst = list.map((unit, index) => [RANKS.indexOf(known(unit.standing)), index, unit])
      .filter(([rank, , unit]) => (rank <= RANKS.indexOf("waiting") && (unit.standing !== "waiting" || unit.code)) || unit.standing === "aborted" || unit.standing === "skipped")
      .filter(([, , unit]) => matches(unit)).sort((a, b) => a[0] - b[0] || a[1] - b[1]).slice(0, 120).map((entry) => entry[2]);
    const kept = frame.side.scrollTop;
    frame.lines = frame.lines && frame.lines.bench === bench.id ? frame.lines : { bench: bench.id, made: new Map() };
    const made = new Map();
    const children = [make("h2", "", worst.length ? "Worst first" : "Nothing needs anybody")];
    for (const unit of worst) {
      const before = frame.lines.made.get(unit.slot);
      const entry = before && before.unit === unit ? before : { unit, element: line(unit) };
      made.set(unit.slot, entry);
      children.push(entry.element);
    }
    frame.lines.made = made;
    const focused = frame.side.contains(document.activeElement) ? document.activeElement.dataset.slot : null;
    if (children.length !== frame.side.children.length || children.some((c, i) => i > 0 && c !== frame.side.children[i]) || frame.side.firstChild.textContent !== children[0].textContent) {
      frame.side.replaceChildren(...children);
      frame.side.scrollTop = kept;
      if (focused && made.has(focused)) made.get(focused).element.focus();
    }
  };
  const line = (unit) => {
    const kind = known(unit.standing), element = press("", () => details(unit.slot), "line s-" + kind);
    element.dataset.slot = unit.slot;
    let what = STANDINGS[kind][1];
    if (kind === "running") what = (PHASES[unit.phase] || what) + (unit.phase === "transferring" && unit.percent !== undefined ? " " + unit.percent + " %" : "") + (unit.speed ? " · " + speed(unit.speed) : "") + (unit.seconds_left ? " · " + span(unit.seconds_left) : "");
    if (kind === "stalled") what = "no progress" + (unit.percent === undefined ? "" : " at " + unit.percent + " %");
    if (kind === "waiting") what = "waits for another try: " + unit.code;
    if (unit.code && !["running", "stalled", "waiting"].includes(kind)) what = unit.code;
    put(element, mark(kind), put(make("span", "slot"), make("bdi", "", unit.slot)), make("span", "what", what), make("span", "last", unit.last || ""));
    if (!["running", "stalled", "waiting"].includes(kind)) {
      if (unit.cause) put(element, make("span", "cause", unit.cause));
      if (unit.next_step) put(element, make("span", "next", unit.next_step));
    } else if (unit.attempts > 1) put(element, make("span", "cause dim", "try " + unit.attempts));
    return element;
  };
  const drawFoot = (bench, run) => {
    if (same(frame.foot, JSON.stringify([bench.outbox, bench.catalogue, run.id, run.limited_by, bench.figures.final_yield]))) return;
    frame.foot.replaceChildren();
    const o = bench.outbox, c = bench.catalogue;
    if (o) {
      const box = make("span");
      if (o.waiting) { put(box, make("b", "late", o.waiting + " results wait"), o.since ? " since " + clock(o.since) : ""); } else put(box, "all results are handed in");
      if (o.refused) put(box, ", ", make("b", "late", o.refused + " refused"));
      put(frame.foot, box);
    }
    if (c) { const box = put(make("span"), "catalogue ", make("b", "", c.version)); if (c.fetched) put(box, ", ", since(c.fetched), " old"); put(frame.foot, box); }
    if (bench.figures.final_yield !== undefined) put(frame.foot, make("span", "", "final yield " + percent(bench.figures.final_yield)));
    if (run.limited_by) put(frame.foot, make("span", "", "limited by " + run.limited_by));
    if (run.id) put(frame.foot, make("span", "", "run " + run.id.slice(0, 8)));
  };

  // ---- Details and keys --------------------------------------------------------------------------------------------
  const details = (slot) => {
    const place = route();
    if (!place.bench) return;
    frame.open = slot;
    const dialog = byId("details");
    dialog.dataset.key = "";
    drawDetails(place.bench);
    if (!dialog.open) dialog.showModal();
  };
  const drawDetails = (bench) => {
    const unit = units(bench).find((u) => u.slot === frame.open), dialog = byId("details");
    if (!unit) { dialog.close(); return; }
    if (same(dialog, JSON.stringify([unit, session && session.role]))) return;
    const kind = known(unit.standing), body = make("div", "s-" + kind), heading = make("h2");
    heading.id = "details-title";
    heading.className = "s-" + kind;
    put(heading, mark(kind), make("bdi", "", unit.slot), make("span", "dim", STANDINGS[kind][1] + (unit.golden ? ", golden unit" : "")));
    const facts = make("dl");
    const fact = (name, value, tag) => { if (value !== undefined && value !== "") put(facts, make("dt", "", name), put(make("dd"), make(tag || "bdi", "", value))); };
    fact("cause", unit.cause || unit.code);
    if (unit.cause) fact("code", unit.code, "code");
    fact("it is now", unit.state);
    fact("next step", unit.next_step);
    fact("phase", unit.phase && PHASES[unit.phase]);
    fact("sent", unit.percent === undefined ? undefined : unit.percent + " %" + (unit.speed ? ", " + speed(unit.speed) : "") + (unit.seconds_left ? ", " + span(unit.seconds_left) + " left" : ""));
    fact("address", unit.address, "code");
    fact("name", unit.name);
    fact("id", unit.id);
    fact("model", unit.model);
    fact("version", unit.version || unit.version_from ? (unit.version_from || "?") + " → " + (unit.version || "?") : undefined);
    fact("attempts", unit.attempts);
    fact("adapter", unit.adapter);
    const row = make("div", "row");
    if (may("operator") && !bench.past) {
      const bad = ["failed", "unknown", "error", "aborted", "skipped"].includes(kind), button = (text, action, able) => { const b = press(text, () => act(action, bench, unit.slot)); b.id = "do-" + action; b.disabled = !able; put(row, b); };
      button("Retry", "retry", bad);
      button("Skip", "skip", ["waiting", "running", "stalled"].includes(kind));
      button("Blink", "blink", true);
    }
    put(row, make("span", "grow"), press("Close", () => dialog.close()));
    put(body, heading, facts, row);
    const had = dialog.contains(document.activeElement) ? document.activeElement.id : "";
    dialog.replaceChildren(body);
    if (had && byId(had)) byId(had).focus();
  };
  byId("details").addEventListener("close", () => { const parts = frame.tiles.get(frame.open); frame.open = null; if (parts) parts.element.focus(); });
  const sure = (title, text, yes, action) => {
    const dialog = byId("sure"), heading = make("h2", "", title);
    heading.id = "sure-title";
    const go = press(yes, () => { dialog.close(); action(); }, "main");
    go.id = "sure-yes";
    dialog.replaceChildren(heading, make("p", "", text), put(make("div", "row"), go, press("Do not", () => dialog.close())));
    dialog.showModal();
  };
  const help = () => {
    const dialog = byId("help"), heading = make("h2", "", "Keys and letters"), keys = make("dl"), legend = make("div", "legend");
    heading.id = "help-title";
    for (const [key, text] of [["arrows", "choose a unit"], ["Enter d", "details of the unit"], ["/", "find; !word leaves out"], ["Esc", "show all again"], ["r s b", "retry, skip, blink the chosen unit"], ["p", "hold; an approver goes on with it"], ["?", "this"]]) put(keys, put(make("dt"), make("kbd", "", key)), make("dd", "", text));
    for (const kind of RANKS) put(legend, put(make("span", "s-" + kind), mark(kind), STANDINGS[kind][1]));
    dialog.replaceChildren(heading, keys, legend, put(make("p", "dim"), "★ golden unit · a number with × says how many tries"), put(make("div", "row"), press("Close", () => dialog.close())));
    dialog.showModal();
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
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) {
      if (event.key === "Escape" && event.target === frame.find) { frame.find.value = frame.words = ""; frame.find.blur(); draw(); }
      return;
    }
    if (document.querySelector("dialog[open]")) return;
    const bench = route().bench, slot = document.activeElement && document.activeElement.classList.contains("tile") ? document.activeElement.dataset.slot : undefined;
    const actions = { r: "retry", s: "skip", b: "blink" };
    if (event.key === "?") help();
    else if (event.key === "/" && bench) { event.preventDefault(); frame.find.focus(); }
    else if (event.key === "Escape" && bench) { frame.hidden.clear(); frame.words = frame.find.value = ""; draw(); }
    else if (event.key === "d" && slot !== undefined) details(slot);
    else if (Object.hasOwn(actions, event.key) && slot !== undefined && bench && may("operator")) act(actions[event.key], bench, slot);
    else if (event.key === "p" && bench && !bench.past && may(bench.hold ? "approver" : "operator")) act(bench.hold ? "release" : "hold", bench);
  });

  // ---- Several benches ---------------------------------------------------------------------------------------------
  const drawBenches = (all) => {
    const view = byId("view-benches");
    if (same(view, JSON.stringify(all))) return;
    const cards = make("div", "cards");
    if (!all.length) put(cards, make("p", "note", "No bench is known yet."));
    const rank = (b) => b.hold ? 0 : b.silent ? 1 : b.past ? 3 : 2;
    for (const bench of [...all].sort((a, b) => rank(a) - rank(b))) {
      const run = bench.run || {}, f = bench.figures, list = units(bench), card = make("a", "card" + (bench.silent ? " is-silent" : ""));
      card.href = "#/bench/" + encodeURIComponent(bench.id);
      put(card, put(make("h2"), make("bdi", "", bench.name), make("span", "", [run.order, run.operator].filter(Boolean).join(" · "))));
      const total = Math.max(list.length, run.expected || 0);
      put(card, make("div", "big", total ? f.good + " of " + total : "no run"));
      if (bench.hold) put(card, make("p", "hold", "HELD: " + bench.hold.message));
      if (bench.silent) put(card, put(make("p", "quiet"), "not heard since " + clock(bench.silent.since) + ": " + shown(bench.silent.reason)));
      if (bench.past) put(card, make("p", "past", "past run" + (run.ended ? ", ended on " + day(run.ended) : "")));
      const words = ["failed", "unknown", "error", "stalled", "running"].filter((k) => f.counts[k]).map((k) => many(f.counts[k], k));
      if (f.first_pass_yield !== undefined) words.push("FPY " + percent(f.first_pass_yield));
      const text = put(make("p"), words.join(" · "));
      if (bench.ends && !bench.past) { const eta = make("span"); eta.dataset.until = bench.ends; put(text, " · ETA ", eta); }
      for (const adapter of bench.adapters) text.append(" · " + shown(adapter.name) + " " + (adapter.there ? adapter.links + (adapter.limit === undefined ? "" : "/" + adapter.limit) : "is gone"));
      put(card, text);
      const mini = make("div", "mini" + (list.length > 96 ? " tight" : ""));
      mini.setAttribute("aria-hidden", "true");
      for (const unit of list) put(mini, make("i", "s-" + known(unit.standing), STANDINGS[known(unit.standing)][0]));
      put(card, mini);
      if (bench.outbox && bench.outbox.waiting) put(card, make("p", "dim", bench.outbox.waiting + " results wait" + (bench.outbox.since ? " since " + clock(bench.outbox.since) : "")));
      put(cards, card);
    }
    view.replaceChildren(cards);
  };

  // ---- Orders and history ------------------------------------------------------------------------------------------
  const table = (headings, rows) => {
    const body = make("tbody"), head = make("tr");
    for (const text of headings) { const th = make("th", "", text); th.scope = "col"; put(head, th); }
    for (const cells of rows) {
      const row = make("tr");
      cells.forEach((cell, i) => { const td = make("td"); td.dataset.h = headings[i]; put(td, cell instanceof Node ? cell : make("bdi", "", cell)); put(row, td); });
      put(body, row);
    }
    return put(make("table"), put(make("thead"), head), body);
  };
  const sheet = async (view, title, tools, load) => {
    const box = make("div", "sheet"), place = make("div");
    put(box, make("h1", "", title), tools, place);
    byId(view).replaceChildren(box);
    const fill = async () => {
      try { place.replaceChildren(await load()); } catch (error) {
        if (error.status === 401) signInAgain();
        place.replaceChildren(make("p", "flaw", error.message + (error.next ? ": " + error.next : "")));
      }
    };
    await fill();
    return fill;
  };
  const showOrders = () => sheet("view-orders", "Orders", null, async () => {
    const orders = (await ask("orders")).orders;
    if (!orders.length) return make("p", "note", "No order is known here.");
    return table(["order", "state", "done", "not right", "benches", "firmware", "began"], orders.map((o) => {
      const c = o.counts, good = (c.passed || 0) + (c["not-needed"] || 0), all = Math.max(o.expected || 0, Object.values(c).reduce((a, b) => a + b, 0));
      const done = put(make("span"), good + " of " + all + " "), bar = make("span", "share"), fill = make("i");
      fill.style.transform = "scaleX(" + (all ? good / all : 0) + ")";
      put(done, put(bar, fill));
      const bad = make("span");
      for (const k of ["failed", "unknown", "error", "aborted", "skipped"]) if (c[k]) put(bad, put(make("span", "s-" + k), mark(k), c[k] + " " + STANDINGS[k][1] + " "));
      return [make("b", "", o.number), o.state + (o.held_reason ? ": " + o.held_reason : ""), done, bad, o.benches.join(", "), o.firmware || "", o.began ? day(o.began) : ""];
    }));
  });
  const asked = { text: "", outcome: "" };
  const showHistory = async () => {
    const tools = make("div", "tools"), find = make("input"), choice = make("select");
    find.type = "search"; find.placeholder = "slot, address, name, order, code"; find.value = asked.text;
    find.setAttribute("aria-label", "Find attempts"); choice.setAttribute("aria-label", "How they ended");
    for (const kind of ["", "failed", "unknown", "error", "aborted", "skipped", "not-needed", "passed"]) { const o = make("option", "", kind ? STANDINGS[kind][1] : "all"); o.value = kind; put(choice, o); }
    choice.value = asked.outcome;
    put(tools, find, choice);
    let timer = 0;
    const fill = await sheet("view-history", "History", tools, async () => {
      const rows = (await ask("history?limit=200&text=" + encodeURIComponent(asked.text) + (asked.outcome ? "&outcome=" + asked.outcome : ""))).attempts;
      if (!rows.length) return make("p", "note", "No attempt is known here.");
      return table(["began", "ended", "slot", "address", "name", "version", "seconds", "code", "order", "bench"], rows.map((r) => {
        const kind = r.outcome ? known(r.outcome) : null;
        return [day(r.began), kind ? put(make("span", "s-" + kind), mark(kind), STANDINGS[kind][1] + (r.attempt > 1 ? ", try " + r.attempt : "")) : "cut off", r.slot,
          make("code", "", (r.address || "").split("/")[0]), r.name || "", (r.version_from || "?") + " → " + (r.version || "?"), r.seconds === undefined ? "" : r.seconds.toFixed(1), r.code || "", r.order || "", r.station || ""];
      }));
    });
    const again = () => { asked.text = find.value; asked.outcome = choice.value; clearTimeout(timer); timer = setTimeout(fill, 300); };
    find.addEventListener("input", again);
    choice.addEventListener("change", again);
  };
  const visit = () => {
    const view = route().view;
    if (session && view === "orders") showOrders();
    if (session && view === "history") showHistory();
    draw();
  };
  addEventListener("hashchange", () => { if (/^#token=/.test(location.hash)) start(); else visit(); });

  start().then(() => { if (session) visit(); });
})();
