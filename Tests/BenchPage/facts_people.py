"""Use of the page by people: with a mouse, with keys, with a code."""
import json, time
from client import Client
from facts import browsing, fact, hold, seen, visit, BENCH, LIVE

SENT = ("window.sent = []; (() => { const real = window.fetch; window.fetch = (path, options = {}) => { "
        "if (options.method) window.sent.push([options.method, String(path), options.body]); return real(path, options); }; })()")


def bench_of(state):
    """The only bench of a state."""
    return state["benches"][state["order"][0]]


def agree(tab, press=None):
    """Confirms a dialog after it has been open for a moment: an earlier click was meant for something else."""
    time.sleep(0.35)
    if press:
        press()
    else:
        tab.click("#sure-yes")


# ---- Actions ------------------------------------------------------------------------------------------------------------

@fact
@browsing("held", "approver")
def an_approver_releases_the_shown_hold(server, tab):
    hold(tab.ask("document.getElementById('live').textContent").startswith("line3-bench2 is held"), "a screen reader hears nothing")
    since = bench_of(Client(server, "viewer").get("/state")[2])["hold"]["since"]
    tab.ask(SENT)
    tab.click("#release")
    hold(tab.until(f"!{seen('#hold')}"), "the hold stays")
    hold("approver" in server.wait("action release line3-bench2 -"))
    hold(json.loads(tab.ask("window.sent[0][2]")).get("since") == since, "the hold is not named", tab.ask("window.sent[0][2]"))


@fact
@browsing("held", "operator")
def an_operator_is_told_which_role_releases_a_hold(server, tab):
    hold(not tab.ask(seen("#release")))
    hold("an approver can release it" in tab.ask("document.getElementById('hold').innerText"))


@fact
@browsing()
def an_operator_retries_a_failed_unit(server, tab):
    tab.click(".tile[data-slot=A6]")
    hold(tab.until(seen("#do-retry")))
    yields = "[...document.querySelectorAll('.figures span, .foot span')].map((s) => s.textContent).filter((t) => /FPY|final/.test(t)).join(' ')"
    before = tab.ask(yields)
    hold("FPY" in before and "final yield" in before, before)
    tab.click("#do-retry")
    hold(tab.until("document.getElementById('sure').open") and not server.acted(), "a retry is not confirmed")
    agree(tab)
    server.wait("action retry line3-bench2 A6 operator")
    hold(tab.until("document.querySelector('.tile[data-slot=A6]').classList.contains('s-running')"))
    hold("1 failed" in tab.ask("document.querySelector('.figures').textContent"))
    hold(tab.ask(yields) == before, "yields change before there is a result:", before, "and", tab.ask(yields))
    tab.click("#do-retry")
    hold(not tab.ask("document.getElementById('sure').open") and len(server.acted()) == 1, "a unit at work was retried")
    tab.key("Escape")
    tab.ask("document.querySelector('.tile[data-slot=B5]').focus()")
    tab.key("r")
    hold(tab.until("document.getElementById('sure').open") and len(server.acted()) == 1, "a key opens no dialog")


@fact
@browsing()
def a_refusal_is_shown_with_its_next_step(server, tab):
    tab.click(".tile[data-slot=A8]")
    tab.click("#do-blink")
    hold(tab.until("document.getElementById('toast').textContent.includes('look for it')"))


@fact
@browsing()
def stopping_the_run_asks_first(server, tab):
    tab.click("#do-end")
    hold(tab.until("document.getElementById('sure').open") and not server.acted())
    agree(tab)
    server.wait("action stop line3-bench2 -")
    hold(tab.until(seen(".banner.ending")))


@fact
@browsing()
def only_what_the_bench_offers_is_drawn(server, first):
    # A tab that listens to another takes its state from there.
    with visit(server.address, first.context) as tab:
        hold(tab.until(LIVE))
        state = Client(server, "viewer").get("/state")[2]

        def offer(*names):
            bench_of(state)["actions"] = list(names)
            tab.ask("new BroadcastChannel('beacon-dfu').postMessage({ kind: 'snapshot', from: 'x', id: '0.1', isLive: true, skew: 0, "
                    f"data: {json.dumps(state)} }})")

        tab.click(".tile[data-slot=A6]")
        hold(tab.until(seen("#do-blink")))
        offer("hold", "blink")
        hold(tab.until(f"!{seen('#do-retry')} && !{seen('#do-skip')} && {seen('#do-blink')} && !{seen('#do-end')} && {seen('#do-hold')}"))
        offer()
        hold(tab.until(f"!{seen('#do-blink')} && !{seen('#do-hold')}"))
        tab.key("Escape")
        tab.ask(SENT)
        for key in "prsb":
            tab.key(key)
        hold(tab.ask("window.sent.length") == 0, "a key does what no button offers")


# ---- While beacons work -------------------------------------------------------------------------------------------------

@fact
@browsing()
def a_button_of_a_unit_takes_a_click_while_beacons_work(server, tab):
    def change():
        server.tell("churn 1")
        hold(tab.until("document.getElementById('details').textContent.includes('turn 0 of')"), "no change has come")

    tab.click(".tile[data-slot=A6]")
    hold(tab.until(seen("#do-blink")))
    tab.click("#do-blink", change)
    server.wait("action blink line3-bench2 A6")


@fact
@browsing()
def a_line_takes_a_click_while_beacons_work(server, tab):
    def change():
        server.tell("churn 1")
        hold(tab.until("document.querySelector('.side').textContent.includes('turn 0 of')"), "no change has come")

    tab.click(".line[data-slot=B5]", change)
    hold(tab.until("document.getElementById('details').open"), "the click is lost")
    hold(tab.ask("document.querySelector('#details-title bdi').textContent") == "B5")


@fact
@browsing("stations", "viewer")
def a_card_takes_a_click_and_keeps_focus_and_place_while_beacons_work(server, tab):
    tab.size(1280, 400)
    card = ".card[href$=line3-bench1]"
    tab.ask(f"document.querySelector({card!r}).focus()")
    place = tab.ask("document.querySelector('.cards').scrollTop")
    hold(place > 0, "there is nothing to scroll")
    server.tell("churn 1")
    server.wait("churned")
    tab.ask("new Promise((done) => setTimeout(done, 600))")
    hold(tab.ask("(document.activeElement.href || '').endsWith('line3-bench1')"), "the focus is lost to", tab.ask("document.activeElement.tagName"))
    hold(tab.ask("document.querySelector('.cards').scrollTop") == place, "the page jumps")

    def change():
        # All are held, and the order of the cards is another.
        server.tell("hold")
        hold(tab.until("[...document.querySelectorAll('.card')].filter((c) => c.textContent.includes('for a test')).length === 6"), "no change has come")

    # The focused element loses the focus to the pressed one, which is not a release.
    tab.ask("document.querySelector('nav a').focus()")
    tab.click(card, change)
    hold(tab.until("location.hash === '#/bench/line3-bench1'"), "the click is lost")


# ---- Keys ---------------------------------------------------------------------------------------------------------------

@fact
@browsing()
def keys_choose_find_and_act(server, tab):
    tab.ask("document.querySelector('.tile[data-slot=A1]').focus()")
    tab.key("ArrowRight")
    hold(tab.ask("document.activeElement.dataset.slot") == "A2")
    tab.key("ArrowDown")
    hold(tab.ask("document.activeElement.dataset.slot") == "B2")
    tab.key("b")
    server.wait("action blink line3-bench2 B2 operator")
    tab.key("d")
    hold(tab.until("document.getElementById('details').open"))
    tab.key("Escape")
    hold(tab.until("!document.getElementById('details').open"))
    tab.key("/")
    hold(tab.until("document.activeElement.matches('input')"), "the field of the filter has no focus")
    tab.ask("document.activeElement.value = 'failed !battery'; document.activeElement.dispatchEvent(new Event('input'))")
    hold(tab.until("document.querySelectorAll('.tile:not(.shut)').length === 1"))
    hold(tab.ask("document.querySelector('.tile:not(.shut)').dataset.slot") == "A6")


@fact
@browsing("mixed", "approver")
def a_key_that_is_held_down_acts_once(server, tab):
    def strokes(count):
        for turn in range(count):
            tab.call("Input.dispatchKeyEvent", type="keyDown", key="p", text="p", autoRepeat=turn > 0 or count == 5)
    strokes(4)
    hold(tab.until(seen("#hold")), "the bench is not held")
    strokes(5)
    hold(not tab.until("document.getElementById('sure').open", 1), "a key that is held down requests the opposite")
    hold(len(server.acted()) == 1, server.acted())


@fact
@browsing("held", "approver")
def release_and_skip_by_key_ask_first(server, tab):
    tab.key("p")
    hold(tab.until("document.getElementById('sure').open"), "a hold is released by one key")
    hold("image-refused" in tab.ask("document.getElementById('sure').textContent") and not server.acted(), server.acted())
    # An accidental key does nothing.
    hold(tab.ask("document.activeElement.id") == "sure-no", "the answer that acts has the focus")
    tab.key("Enter")
    hold(tab.until("!document.getElementById('sure').open") and not server.acted(), server.acted())
    tab.key("p")
    hold(tab.until("document.getElementById('sure').open"), "a hold needs only one key")
    agree(tab, lambda: (tab.ask("document.getElementById('sure-yes').focus()"), tab.key("Enter")))
    server.wait("action release")
    hold(tab.until("!document.getElementById('sure').open"))
    tab.ask("document.querySelector('.tile.s-waiting').focus()")
    tab.key("s")
    hold(tab.until("document.getElementById('sure').open"), "a unit is skipped by one key")
    tab.key("Escape")
    hold(tab.until("!document.getElementById('sure').open") and len(server.acted()) == 1, server.acted())


@fact
@browsing("held", "approver")
def input_for_the_page_does_not_answer_a_dialog(server, tab):
    # A press right after it has opened, as of the second click of two.
    answered = tab.ask("(() => { dispatchEvent(new KeyboardEvent('keydown', { key: 'p' })); const d = document.getElementById('sure'); "
                       "const wasOpen = d.open; document.getElementById('sure-yes').click(); return [wasOpen, d.open]; })()")
    hold(answered == [True, True], answered)
    time.sleep(0.4)
    tab.ask("document.getElementById('sure-yes').focus()")
    tab.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r", autoRepeat=True, windowsVirtualKeyCode=13)
    hold(tab.ask("document.getElementById('sure').open") and not server.acted(), "a key that was held down has answered")
    agree(tab)
    server.wait("action release")


@fact
@browsing()
def the_selection_stays_accessible_by_keyboard(server, tab):
    tab.ask("document.querySelector('.chip.s-passed').focus()")
    tab.key("Enter")
    hold(tab.until("document.querySelector('.tile[data-slot=A1]').classList.contains('shut')"))
    hold(tab.ask("document.activeElement.className").startswith("chip s-passed"), "the chip has lost the focus")
    reach = "[...document.querySelectorAll('.tile')].filter((t) => t.tabIndex === 0 && !t.classList.contains('shut')).length"
    hold(tab.ask(reach) == 1, "tiles that Tab reaches:", tab.ask(reach))


# ---- Signing in and out -------------------------------------------------------------------------------------------------

ENTER = "document.getElementById('code').value = {!r}; document.querySelector('#sign-in-form button').click()"


@fact
@browsing(role=None)
def a_wrong_code_is_refused_and_a_right_one_is_accepted(server, tab):
    hold(tab.until("document.getElementById('sign-in').open"))
    tab.ask(ENTER.format("0" * 40))
    hold(tab.until("document.getElementById('sign-in-flaw').textContent.includes('wrong')"))
    tab.ask(ENTER.format(server.tokens["viewer"].upper()))
    hold(tab.until("document.querySelectorAll('.tile').length === 48"))
    hold(tab.ask("document.cookie") == "", "a script can read the cookie")


@fact
@browsing(role=None)
def a_sign_in_on_the_orders_shows_them(server, tab):
    tab.open(server.address + "#/orders")
    hold(tab.until("document.getElementById('sign-in').open"))
    tab.ask(ENTER.format(server.tokens["viewer"]))
    hold(tab.until("document.querySelector('#view-orders tbody tr')"), "the orders stay empty")


@fact
@browsing()
def signing_out_leaves_nothing_on_the_screen(server, tab):
    with visit(server.address, tab.context) as other:
        hold(other.until(LIVE))
        tab.click("#sign-out")
        for one in (tab, other):
            hold(one.until("document.getElementById('sign-in').open && !document.querySelector('main').innerText.includes('A6')"), "something stays")
        hold(tab.ask("fetch('session').then((r) => r.status)") == 401, "the session lives on")
        tab.ask(ENTER.format(server.tokens["approver"]))
        for one in (tab, other):
            hold(one.until(LIVE + " && !document.getElementById('sign-in').open"), "signing in again fails")


@fact
@browsing()
def an_unsupported_sign_out_is_not_requested_again(server, tab):
    tab.ask("(() => { const real = window.fetch; window.fetch = (path, options = {}) => "
            "options.method === 'DELETE' ? Promise.resolve(new Response('{}', { status: 404 })) : real(path, options); })()")
    tab.click("#sign-out")
    hold(tab.until(f"!{seen('#sign-out')}") and tab.ask(LIVE + " !== null"))


# ---- Scanning -----------------------------------------------------------------------------------------------------------

@fact
@browsing("scan")
def an_operator_scans_labels_into_slots(server, tab):
    hold(tab.until("document.activeElement.id === 'scan-code'"), "a scanner would type into nothing")
    hold(tab.ask("document.querySelector('.scan .prompt').textContent").startswith("Scan the label for A6."))
    for letter in "lamp7":
        tab.key(letter)
    tab.key("Enter")
    hold(tab.until("document.querySelector('.scan .prompt').textContent.startsWith('Scan the label for A7.')"))
    hold(tab.ask("document.activeElement.id === 'scan-code' && !document.activeElement.value"), "the field is not ready for the next label")
    hold(tab.ask("document.querySelector('.tile.is-next').dataset.slot === 'A7' && document.querySelector('.said').textContent.includes('lamp7')"))
    hold(not tab.ask(seen("#scan-yes")))
    tab.size(390, 844)
    hold(tab.ask("document.querySelector('#scan-code').getBoundingClientRect().width > 250"), "the field is too narrow on a phone")
    tab.size(1280, 720)
    tab.ask("document.querySelector('.tile').focus()")
    for letter in "bsr":
        tab.key(letter)
    hold(tab.ask("document.activeElement.value") == "bsr" and len(server.acted()) == 1, "a scanner presses keys of the page")
    tab.ask("document.querySelector('#scan-code').value = 'unheard'")
    tab.key("Enter")
    hold(tab.until(seen("#scan-yes")), "nobody asks about a refused label")
    tab.click("#scan-yes")
    hold(tab.until("document.querySelector('.tile.is-next').dataset.slot === 'A8'"))
    tab.click("#scan-undo")
    hold(tab.until("document.querySelector('.tile.is-next').dataset.slot === 'A7'"))
    tab.click("#scan-end")
    hold(tab.until("document.getElementById('sure').open"))
    agree(tab)
    hold(tab.until("document.querySelector('.said').textContent.includes('end')"), "the prompt is not told to end")


@fact
@browsing("scan", "viewer")
def a_viewer_watches_the_scanning(server, tab):
    hold(tab.until("document.querySelector('.scan .prompt')") and not tab.ask(seen("#scan-code")))
    status, _, answer = Client(server, "viewer").post("/actions/scan", {"bench": BENCH, "text": "x"})
    hold(status == 403 and answer["code"] == "role-missing", status, answer)
    status, _, answer = Client(server, "operator").post("/actions/scan", {"bench": BENCH, "text": "x\x1b"})
    hold(status == 400, status, answer)
