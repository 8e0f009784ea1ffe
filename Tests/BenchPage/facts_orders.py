"""Orders and history, as people use them."""
from client import Client
from facts import browsing, browses, fact, hold, seen, serve, visit, BENCH, LIVE


@fact
@browsing()
def orders_and_history_are_there(server, tab):
    tab.ask("location.hash = '#/orders'")
    hold(tab.until("document.querySelector('#view-orders tbody tr') && document.querySelector('#view-orders').textContent.includes('WO-2026-1119')"))
    hold(not tab.ask(seen("#view-orders .do button")), "an operator is offered what an approver decides")
    tab.ask("location.hash = '#/history'")
    hold(tab.until("document.querySelectorAll('#view-history tbody tr').length > 30"))
    tab.ask("(() => { const s = document.querySelector('#view-history select'); s.value = 'failed'; s.dispatchEvent(new Event('change')); })()")
    hold(tab.until("document.querySelectorAll('#view-history tbody tr').length === 2"))


@fact
@browsing("mixed", "approver")
def an_approver_holds_and_releases_an_order(server, tab):
    tab.ask("location.hash = '#/orders'")
    for text, action in (("Hold", "hold"), ("Release", "release")):
        button = f"#view-orders button[aria-label='{text} WO-2026-1123']"
        hold(tab.until(seen(button)), "there is no", text)
        tab.click(button, lambda: (server.tell("step"), tab.ask("new Promise((done) => setTimeout(done, 400))")))
        server.wait(f"action {action} {BENCH} - approver")


@fact
@browses
def an_open_order_offers_hold_and_a_held_one_release():
    rows = """[...document.querySelectorAll('#view-orders .sheet > table tbody tr')].map((tr) => [tr.querySelector('.opener').textContent, tr.querySelector('[data-h=state]').textContent,
        [...tr.querySelectorAll('.do button')].filter((b) => b.getClientRects().length).map((b) => b.textContent).join()])"""
    # Of the stations, some benches with this order are held, and the order is not; of a bench alone, its hold is the order's.
    for scene, number, state, others in (("stations", "WO-2026-1123", "open", {"WO-2026-1119": "Release"}), ("held", "WO-2026-1123", "held: 3 units", {}), ("mixed", "WO-2026-1123", "open", {})):
        with serve(scene) as server, visit(server.sign_in("approver")) as tab:
            hold(tab.until(LIVE))
            tab.ask("location.hash = '#/orders'")
            hold(tab.until("[...document.querySelectorAll('#view-orders tbody .do button')].some((b) => b.getClientRects().length)"))
            found = {order: (words, buttons) for order, words, buttons in tab.ask(rows)}
            hold(found[number][0].startswith(state) and found[number][1] == ("Hold" if state == "open" else "Release"), scene, found)
            hold(all(buttons == others.get(order, "") for order, (_, buttons) in found.items() if order != number), scene, found)
            if scene == "held":
                tab.click("#view-orders tbody .do button:not([hidden])")
                hold(tab.until(f"({rows})[0].slice(1).join() === 'open,Hold'"), "the row does not follow its bench", tab.ask(rows)[0])


@fact
@browsing()
def an_open_history_follows_the_work(server, tab):
    tab.ask("location.hash = '#/history'")
    hold(tab.until("document.querySelectorAll('#view-history tbody tr').length > 30"))
    hold(not tab.ask("document.querySelector('#view-history tbody').textContent.includes('F8')"))
    hold(Client(server, "approver").post("/actions/skip", {"bench": BENCH, "slot": "F8"})[0] == 202)
    hold(tab.until("document.querySelector('#view-history tbody').textContent.includes('F8')"), "the history stays as it was")


@fact
@browsing()
def a_late_answer_to_an_earlier_search_is_dropped(server, tab):
    tab.ask("(() => { const real = window.fetch; window.fetch = async (path, options) => { const answer = await real(path, options); "
            "if (String(path).includes('text=battery-low')) { await new Promise((d) => setTimeout(d, 1500)); window.late = true; } return answer; }; })()")
    tab.ask("location.hash = '#/history'")
    hold(tab.until("document.querySelectorAll('#view-history tbody tr').length > 30"))
    for text in ("battery-low", "image-refused"):
        tab.ask(f"(() => {{ const f = document.querySelector('#view-history input'); f.value = '{text}'; f.dispatchEvent(new Event('input')); }})();"
                "new Promise((done) => setTimeout(done, 600))")
    hold(tab.until("window.late"))
    tab.ask("new Promise((done) => setTimeout(done, 300))")
    slots = tab.ask("[...document.querySelectorAll('#view-history tbody td:nth-child(3)')].map((td) => td.textContent)")
    hold(slots == ["A6"], slots)


@fact
@browsing()
def a_row_opens_by_click_and_key_with_the_words_of_a_failure(server, tab):
    tab.ask("location.hash = '#/history'")
    hold(tab.until("document.querySelectorAll('#view-history tbody tr').length > 30"))
    row = "[...document.querySelectorAll('#view-history tbody tr')].find((tr) => tr.children[2].textContent === 'A6')"
    tab.ask(row + ".id = 'failed-row'")
    hold(tab.until(seen("#failed-row td:nth-child(3)")))
    tab.click("#failed-row td:nth-child(3)")
    words = "document.getElementById('entry').open && document.getElementById('entry').textContent"
    hold(tab.until(words))
    text = tab.ask(words)
    hold("the beacon refused the image" in text and "compare the label" in text and "image-refused" in text, text)
    tab.key("Escape")
    hold(tab.until("!document.getElementById('entry').open"))
    tab.ask("document.querySelector('#failed-row button').focus()")
    tab.key("Enter")
    hold(tab.until(words), "Enter does not open the row")
    tab.key("Escape")
    tab.ask("location.hash = '#/orders'")
    hold(tab.until("document.querySelector('#view-orders tbody .opener')"))
    tab.click("#view-orders tbody .opener")
    hold(tab.until(words))
    text = tab.ask(words)
    hold("31 of 35" in text and "sent from its beginning only once" in text and "change its battery" in text, text)


@fact
@browsing("stations", "approver")
def an_approver_creates_holds_and_releases_an_order(server, tab):
    tab.ask("location.hash = '#/orders'")
    hold(tab.until(seen("#new-order")))
    tab.click("#new-order")
    hold(tab.until("document.getElementById('ask').open && document.activeElement.name === 'number'"))
    tab.ask("document.querySelector('#ask [name=number]').value = 'WO-2026-1119'; document.querySelector('#ask [name=expected]').value = '24'")
    tab.key("Enter")
    hold(tab.until("document.querySelector('#ask .flaw').textContent.includes('already exists')"), "the refusal is not shown")
    tab.ask("document.querySelector('#ask [name=number]').value = 'WO-2026-1130'; document.querySelector('#ask [name=number]').focus()")
    tab.key("Enter")
    row = "[...document.querySelectorAll('#view-orders tbody tr')].find((tr) => tr.textContent.includes('WO-2026-1130'))"
    hold(tab.until(row + ".textContent.includes('draft')"), "the order is not there")
    for text, state in (("Release", "open"), ("Hold", "held: wrong labels"), ("Release", "open")):
        button = f"#view-orders button[aria-label='{text} WO-2026-1130']"
        hold(tab.until(seen(button)), "there is no", text)
        tab.click(button)
        if text == "Hold":
            hold(tab.until("document.getElementById('ask').open"))
            tab.key("Enter")
            hold(tab.ask("document.getElementById('ask').open"), "a hold without a reason")
            tab.ask("document.querySelector('#ask input').value = 'wrong labels'")
            tab.key("Enter")
        hold(tab.until(f"{row}.textContent.includes('{state}')"), "the order is not", state)


@fact
@browsing("stations", "operator")
def an_operator_cannot_decide_on_orders(server, tab):
    tab.ask("location.hash = '#/orders'")
    hold(tab.until("document.querySelector('#view-orders tbody tr')"))
    hold(not tab.ask(seen("#new-order")) and not tab.ask(seen("#view-orders .do button")))
    client = Client(server, "operator")
    for path, body in (("create", {"number": "X", "firmware": "tray", "expected": 1, "golden": 0, "attempts": 1}),
                       ("hold", {"number": "WO-2026-1123", "reason": "x"}), ("release", {"number": "WO-2026-1119"})):
        status, _, answer = client.post("/orders/" + path, body)
        hold(status == 403 and answer["code"] == "role-missing", path, status, answer)
