"""The appearance of the page: what fits, and what can be read, by everyone."""
import json
from client import Client
from facts import browsing, browses, fact, hold, seen, serve, visit, LIVE

#: In the page: text of too little contrast (WCAG 2.2, 1.4.3, without its exception for large text), with its contrast.
WEAK = r"""(() => {
  const parse = (text) => { const n = text.match(/[\d.]+(?:e-?\d+)?/g).map(Number), f = text.startsWith("color(srgb") ? 255 : 1; return [n[0] * f, n[1] * f, n[2] * f, n[3] ?? 1]; };
  const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const light = (c) => c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const weak = [];
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    const text = [...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join("");
    if (!text || !element.checkVisibility({ visibilityProperty: true }) || !element.getClientRects().length || element.closest("[aria-disabled=true], .unseen, .skip-link, option")) continue;
    const layers = [];
    let opacity = 1;
    for (let e = element; e; e = e.parentElement) { const s = getComputedStyle(e); layers.push(parse(s.backgroundColor)); opacity *= s.opacity; }
    const back = layers.reverse().reduce((below, layer) => over(layer, below), parse(getComputedStyle(document.body).backgroundColor));
    const ink = parse(style.color);
    const [a, b] = [light(over([ink[0], ink[1], ink[2], ink[3] * opacity], back)), light(back)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) weak.push(element.className + " '" + text.slice(0, 20) + "' " + ratio.toFixed(2));
  }
  return [...new Set(weak)];
})()"""
STANDINGS = ("failed", "unknown", "error", "stalled", "running", "waiting", "aborted", "skipped", "not-needed", "passed")


def readable(tab, *where):
    weak = tab.ask(WEAK)
    hold(not weak, *where, weak)


# ---- Legibility ---------------------------------------------------------------------------------------------------------

@fact
@browses
def every_text_has_contrast_in_light_and_dark():
    for scene, role in (("mixed", "operator"), ("held", "approver"), ("stations", "viewer"), ("past", "viewer"), ("silent", "operator")):
        with serve(scene) as server, visit(server.sign_in(role)) as tab:
            hold(tab.until(LIVE))
            # No colour is measured during a transition.
            tab.prefer(prefers_color_scheme="dark", prefers_reduced_motion="reduce")
            hold(tab.ask("matchMedia('(prefers-color-scheme: dark)').matches"))
            for scheme in ("dark", "light"):
                tab.prefer(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
                readable(tab, scene, scheme)
                for selector, dialog in (("#help-open", "help"), (".tile.s-failed", "details")) if scene == "mixed" else ():
                    tab.click(selector)
                    hold(tab.until(f"document.getElementById('{dialog}').open"))
                    readable(tab, dialog, scheme)
                    tab.key("Escape")
                if scene == "mixed":
                    tab.click(".chip.s-passed")
                    tab.until("document.querySelector('.tile.shut')")
                    readable(tab, "a chip that is off", scheme)
                    tab.click(".chip.s-passed")
            if scene == "stations":
                tab.click(".card[href$=line2-bench1]")
                hold(tab.until("document.querySelector('.figures .gone')"))
                for scheme in ("light", "dark"):
                    tab.prefer(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
                    readable(tab, "an adapter that is gone", scheme)
                server.close()
                hold(tab.until("document.body.classList.contains('offline')"))
                readable(tab, "offline")


@fact
@browsing("stations", "approver")
def the_dialogs_of_orders_have_contrast(server, tab):
    tab.ask("location.hash = '#/orders'")
    hold(tab.until(seen("#new-order")))
    opens = {name: f"[...document.querySelectorAll('.opener')].find((e) => e.textContent === '{name}').click()" for name in ("WO-2026-1119", "WO-2026-1123")}
    opens["New order"] = "document.querySelector('#new-order').click()"
    opens["Hold"] = "document.querySelector('[aria-label=\"Hold WO-2026-1123\"]').click()"
    for name, press in opens.items():
        tab.ask(press)
        hold(tab.until("document.querySelector('dialog[open]')"), name)
        if name == "New order":
            tab.ask("document.querySelector('#ask [name=number]').value = 'WO-2026-1119'; document.querySelector('#ask [name=expected]').value = '24'")
            tab.key("Enter")
            hold(tab.until("document.querySelector('#ask .flaw').textContent"), "nothing is refused")
        for scheme in ("dark", "light"):
            tab.prefer(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
            hold(tab.ask(f"matchMedia('(prefers-color-scheme: {scheme})').matches"))
            readable(tab, name, scheme)
        tab.key("Escape")
        hold(tab.until("!document.querySelector('dialog[open]')"), name, "stays open")


@fact
@browsing("held", "approver")
def figures_hold_and_reason_are_legible_from_three_widths_away(server, tab):
    tall = """(() => { const pen = document.createElement("canvas").getContext("2d");
        return [...document.querySelectorAll(".figures span, .figures small, #hold b, #hold .why")].map((e) => {
            const s = getComputedStyle(e); pen.font = [s.fontWeight, s.fontSize, s.fontFamily].join(" "); return [e.textContent, pen.measureText("H").actualBoundingBoxAscent]; }); })()"""
    for width, height in ((1280, 720), (1920, 1080), (3840, 2160)):
        tab.size(width, height)
        hold(tab.until(f"innerWidth === {width}"))
        # A 200th of the distance: four metres from a screen of 1.2 m are 20 mm, which is a 60th of it.
        small = [(text, capital) for text, capital in tab.ask(tall) if capital < width / 60]
        hold(not small, f"at {width} px capitals are lower than {width / 60:.1f} px:", small)
        hold(tab.ask("document.documentElement.scrollWidth") <= width and tab.ask("document.documentElement.scrollHeight") <= height, "it does not fit", width)
        hold(tab.ask("(() => { const m = document.querySelector('.map'); return m.scrollHeight <= m.clientHeight + 2; })()"), "the map has to be scrolled at", width)


@fact
@browsing()
def states_differ_without_their_colours(server, tab):
    shape = """(element) => { const s = getComputedStyle(element), edge = parseFloat(s.borderTopWidth) ? s.borderTopStyle : "";
        return [s.clipPath, parseFloat(s.borderTopLeftRadius), edge, s.backgroundColor === "rgba(0, 0, 0, 0)"].join(" "); }"""
    # A tile of each kind in turn: only its class determines its shape.
    shapes = tab.ask(f"""(() => {{ const shape = {shape}, tile = document.querySelector(".tile"), was = tile.className;
        const found = {json.dumps(STANDINGS)}.map((kind) => {{ tile.className = "tile s-" + kind; return shape(tile.querySelector(".mark")); }});
        tile.className = was; return found; }})()""")
    hold(len(set(shapes)) == len(STANDINGS), "tiles of the same shape:", [k for k, s in zip(STANDINGS, shapes) if shapes.count(s) > 1])
    tab.click("#help-open")
    hold(tab.until("document.getElementById('help').open"))
    letters = tab.ask("[...document.querySelectorAll('.legend .mark')].map((m) => m.textContent)")
    hold(len(set(letters)) == len(letters) == len(STANDINGS), letters)
    # The page matches the legend.
    pairs = tab.ask("[...document.querySelectorAll('.tile, .line, .chip')].map((e) => [[...e.classList].find((c) => c.startsWith('s-')), e.querySelector('.mark').textContent])")
    legend = dict(tab.ask("[...document.querySelectorAll('.legend > span')].map((e) => [e.className, e.querySelector('.mark').textContent])"))
    hold(pairs and all(legend[kind] == letter for kind, letter in pairs), pairs)


@fact
@browses
def states_differ_in_forced_colours():
    for scene, marks in (("mixed", ".tile .mark, .chip .mark, .line .mark"), ("stations", ".mini i")):
        with serve(scene) as server, visit(server.sign_in("operator")) as tab:
            hold(tab.until(LIVE))
            tab.prefer(forced_colors="active", prefers_reduced_motion="reduce")
            hold(tab.ask("matchMedia('(forced-colors: active)').matches"))
            readable(tab, scene)
            kinds = tab.ask(f"[...document.querySelectorAll({marks!r})].map((m) => [m.closest('[class*=s-]').className.match(/s-[a-z-]+/)[0], "
                            "getComputedStyle(m.closest('.tile') || m).backgroundColor])")
            colours = {kind: colour for kind, colour in kinds}
            hold(len(set(colours.values())) == len(colours) > 4, scene, colours)
            hold(tab.ask("[...document.querySelectorAll('nav a')].map((a) => getComputedStyle(a).outlineStyle)") == ["solid", "none", "none"], "which page it is")


# ---- Layout -------------------------------------------------------------------------------------------------------------


@fact
@browsing("many")
def five_hundred_units_fit_and_are_drawn_in_time(server, tab):
    hold(tab.ask("document.querySelectorAll('.tile').length") == 500)
    hold(tab.ask("(() => { const m = document.querySelector('.map'); return m.scrollHeight <= m.clientHeight + 2; })()"), "the map has to be scrolled")
    cut = tab.ask("[...document.querySelectorAll('.tile .slot')].filter((s) => s.scrollWidth > s.clientWidth + 1).map((s) => s.textContent)")
    hold(not cut, "labels are cut:", cut[:5])
    tab.ask("window.long = []; new PerformanceObserver((l) => window.long.push(...l.getEntries().map((e) => e.duration))).observe({ type: 'longtask' })")
    server.tell("churn 8")
    server.wait("churned")
    # The median of the changes: a busy machine stretches single ones.
    usual = sorted([0] * 8 + (tab.ask("window.long") or []))[-4]
    hold(usual < 400, f"a change of all units takes {usual} ms")
    server.tell("without")
    hold(tab.until("document.querySelectorAll('.tile').length === 499"))
    server.tell("whole")
    hold(tab.until("document.querySelectorAll('.tile').length === 500"))
    (bench,) = Client(server, "viewer").get("/state")[2]["benches"].values()
    slots = [bench["units"][key]["slot"] for key in bench["slots"]]
    hold(tab.ask("[...document.querySelectorAll('.tile')].map((t) => t.dataset.slot)") == slots, "units that come late are not in their places")


@fact
@browsing()
def the_page_fits_screen_and_phone(server, tab):
    # A tab of a server with several benches has the longest words.
    tab.ask("document.querySelector('nav a').textContent = 'Benches'")
    for width, height in ((1280, 720), (390, 844)):
        tab.size(width, height)
        hold(tab.until(f"innerWidth === {width}"))
        hold(tab.ask("document.documentElement.scrollWidth") <= width, "something is wider than", width)
        rows = tab.ask("new Set([...document.querySelectorAll('.top > *')].filter((e) => e.getClientRects().length && e.className !== 'grow').map((e) => { const r = e.getBoundingClientRect(); return Math.round((r.top + r.bottom) / 6); })).size")
        hold(rows == 1, "the top has", rows, "rows at", width)
    tab.size(1280, 720)
    hold(tab.ask("document.documentElement.scrollHeight") <= 720, "the page has to be scrolled")
    small = tab.ask("[...document.querySelectorAll('.tile')].filter((t) => parseFloat(getComputedStyle(t.querySelector('.slot')).fontSize) < 20).map((t) => t.dataset.slot)")
    hold(not small, "labels are smaller than 20 px:", small)


@fact
@browsing()
def the_page_shows_the_tray_and_breaks_no_rule_of_its_policy(server, tab):
    hold(tab.ask("document.querySelectorAll('.tile').length") == 48)
    hold("33 of 48" in tab.ask("document.querySelector('.figures').textContent"))
    hold(tab.ask("location.hash") == "#/", "the token stays in the address")
    hold(not tab.problems(), tab.problems())


@fact
@browsing("stations", "approver")
def words_in_a_row_of_an_order_have_room(server, tab):
    tab.ask("location.hash = '#/orders'")
    hold(tab.until(seen("#view-orders .held")))
    lines = tab.ask("""(() => { const range = document.createRange(), of = (node) => { range.selectNodeContents(node); return new Set([...range.getClientRects()].map((r) => Math.round(r.top / 4))).size; };
        return [of(document.querySelector('#view-orders .held')), ...[...document.querySelectorAll('#view-orders tbody .whole')].map(of)]; })()""")
    hold(lines[0] <= 2 and set(lines[1:]) == {1}, lines)
    hold(tab.ask("document.querySelector('.sheet').scrollWidth <= document.querySelector('.sheet').clientWidth"), "the orders are wider than the screen")


@fact
@browsing("past")
def a_past_run_is_marked_and_offers_no_action(server, tab):
    hold(tab.ask("document.querySelector('.banner.past b').textContent") == "Past run")
    tab.click(".tile.s-failed")
    hold(tab.until("document.getElementById('details').open"))
    hold(tab.ask("[...document.querySelectorAll('#do-retry, #do-skip, #do-blink, #do-hold, #do-end, #release')].filter((b) => b.getClientRects().length).length") == 0)


@fact
@browsing("stations", "viewer")
def several_stations_are_cards_the_held_first_and_each_opens(server, tab):
    hold(tab.ask("document.querySelectorAll('.card').length") == 6)
    hold("HELD" in tab.ask("document.querySelector('.card').innerText"))
    tab.click(".card")
    hold(tab.until("document.querySelectorAll('.tile').length === 48 && !document.getElementById('view-bench').hidden"))
    hold(tab.ask("document.getElementById('do-hold').hidden"), "a viewer is offered to act")


@fact
@browsing("floor", "approver")
def a_bench_whose_work_has_ended_is_idle_and_its_units_have_names(server, tab):
    text = tab.ask("document.querySelector('.card[href$=line2-bench1]').innerText")
    hold("idle, last seen at" in text and "o contact since" not in text and "wait" not in text, text)
    hold("1 result waits" in tab.ask("document.querySelector('.card[href$=line2-bench2]').innerText"), "a result that waits is not shown")
    tab.click(".card[href$=line2-bench1]")
    hold(tab.until("document.querySelectorAll('.tile').length === 24"))
    hold("idle, last seen at" in tab.ask("document.querySelector('.about').innerText"))
    hold(not tab.ask("document.querySelectorAll('.silent-bench, .late').length"), "a bench at rest is missed")
    # A label cut to its first letter could be read as the unit's status.
    for width, height in ((1280, 720), (390, 844)):
        tab.size(width, height)
        hold(tab.until(f"innerWidth === {width}"))
        cut = tab.ask("[...document.querySelectorAll('.tile .slot')].filter((s) => s.scrollWidth > s.clientWidth + 1).map((s) => s.textContent)")
        hold(not cut, "labels are cut at", width, cut[:5])
    labels = tab.ask("[...document.querySelectorAll('.tile')].map((t) => [t.querySelector('.slot').textContent, t.querySelector('.last').textContent])")
    hold(all(len(label) == 5 and ":" in label and not last for label, last in labels), labels[:4])


@fact
@browsing()
def a_silent_run_greys_only_its_bench(server, tab):
    server.tell("silence")
    hold(tab.until("document.querySelector('#view-bench.silent-bench .banner.silent:not([hidden])')"))
    hold(tab.ask("document.getElementById('link').textContent") == "live")
    server.tell("speak")
    hold(tab.until("!document.querySelector('.silent-bench')"))


@fact
@browses
def lines_of_a_run_become_a_bench():
    with serve("pipe") as server:
        for line in (
            {"event": "batch-started", "schema": 1, "run": "r", "session": 1, "units": 2, "expected": None, "tray": "t.yaml", "adapters": ["hci0"], "simulated": True},
            {"event": "found", "schema": 1, "slot": "A1", "device": "F0:0D:BE:AC:01:00/random", "name": "KB", "id": None},
            {"event": "attempt", "schema": 1, "slot": "A1", "attempt": 1, "adapter": "hci0", "device": "F0:0D:BE:AC:01:00/random"},
            {"event": "links", "schema": 1, "adapter": "hci0", "links": 1, "limit": 7},
        ):
            server.tell(json.dumps(line))
        server.tell("no JSON at all")
        with visit(server.sign_in("viewer")) as tab:
            hold(tab.until("document.querySelector('.tile.s-running')") and tab.until("document.querySelector('.figures').textContent.includes('1/7 links')"))
            server.process.stdin.close()
            hold(tab.until("document.querySelector('.banner.silent:not([hidden])')"), "the end of the lines is not seen")


@fact
@browsing("stations", "approver")
def a_print_has_no_controls_and_keeps_together_what_belongs_together(server, tab):
    tab.ask("location.hash = '#/orders'")
    hold(tab.until("document.querySelector('#view-orders tbody tr') && document.querySelector('.plot circle')"))
    tab.call("Emulation.setEmulatedMedia", media="print")
    shown = tab.ask("[...document.querySelectorAll('button, input, select, nav')].filter((e) => e.getClientRects().length && !e.matches('.opener')).map((e) => e.outerHTML.slice(0, 60))")
    hold(not shown, shown)
    split = tab.ask("[...document.querySelectorAll('figure, tbody tr')].filter((e) => getComputedStyle(e).breakInside !== 'avoid').length")
    hold(not split and tab.ask("getComputedStyle(document.querySelector('thead')).display === 'table-header-group'"), split)
    hold(tab.ask("getComputedStyle(document.querySelector('.sheet')).overflow === 'visible' && getComputedStyle(document.querySelector('main')).display === 'block'"))


@fact
@browsing()
def plots_have_axes_a_ceiling_and_their_values_as_text(server, tab):
    tab.click(".course summary")
    hold(tab.until("document.querySelector('.speed > svg .ceiling') && document.querySelector('.speed > svg').getAttribute('aria-label').includes('Ceiling')"), "there is no ceiling")
    texts = "[...document.querySelectorAll('%s > svg text')].map((e) => e.textContent)"
    found = tab.ask(texts % ".speed")
    hold("kB/s, all units together" in found and "0:00" in found and "200" in found, found)
    label = tab.ask("document.querySelector('.speed > svg').getAttribute('aria-label')")
    hold("at most" in label and "Ceiling of 2 adapters" in label, label)
    tab.ask("location.hash = '#/orders'")
    hold(tab.until("document.querySelector('.yields > svg circle')"))
    found = tab.ask(texts % ".yields")
    hold("100 %" in found and "WO-2026-1123" in found and "share of units that passed" in found, found)
    tab.ask("(() => { const s = document.querySelector('.yields select'); s.value = 'runs'; s.dispatchEvent(new Event('change')); })()")
    hold(tab.until("document.querySelector('.yields figcaption').textContent.startsWith('Yields over runs')"))
    tab.click(".yields summary")
    hold("31 of 35" in tab.ask("document.querySelector('.yields table').textContent"), "the values are not in the table")
    readable(tab, "plots")
