"""The page of all stations: its content and its decisions are the work server's."""

import contextlib
import http.client
import json
import re
import socket
import time

from host.air import BLINKER, SMALL
from host.plan import scenario
from host.room import until
from host.stations import Working
from scenarios.logins import certified
from scenarios.orders import SLOW, setting


class Page:
    """A page, and its client: of a work server, otherwise one that is served at `links`."""

    def __init__(self, room, engine, *more, links=None):
        self.cookie = self.csrf = None
        self.wishes = 0
        self.links = links or self.begin(room, engine, more)
        self.port = int(self.links["viewer"].split("/")[2].split(":")[1])

    def begin(self, room, engine, more):
        words = [room.program, "view", "--port", "0", "--json", "--engine", engine.target("approver1"), "--journal", room.folder / "view.sqlite", *more]
        self.process = Working(room, words, {"PATH": "/usr/bin:/bin", "HOME": str(room.folder)}, room.folder / "view.jsonl")
        return self.process.wait_for(event="page")["links"]

    def ask(self, method, path, body=None, headers=()):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        own = {"Cookie": self.cookie} if self.cookie else {}
        if method != "GET":
            self.wishes += 1
            own |= {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{self.port}", "Idempotency-Key": f"wish-of-test-{self.wishes}"}
            own |= {"X-CSRF-Token": self.csrf} if self.csrf else {}
        connection.request(method, path, json.dumps(body) if body else None, {**own, **dict(headers)})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, json.loads(text) if "json" in (answer.headers["Content-Type"] or "") else text, answer.headers

    def sign_in(self, role):
        _, session, headers = self.ask("POST", "/session", {"token": self.links[role].split("=")[1], "name": "M. Ito"})
        self.cookie, self.csrf = headers["Set-Cookie"].split(";")[0], session["csrf"]

    def bench(self, key):
        return self.ask("GET", "/state")[1]["benches"].get("b:" + key, {})


@scenario("a-held-order-is-released-and-retried-on-the-page")
def deciding(room):
    """A held order is on the page among many others, and can be released and its units retried, whatever is claimed
    meanwhile."""
    engine, office, air, stations = setting(room, 4, stations=2)
    office.order("WO-1", SMALL, "--expected", "4")
    for station, beacons in zip(stations, (air.beacons[:2], air.beacons[2:])):
        room.equal(station.work("WO-1", air.file(station.name, beacons), "--no-golden").wait(), 0, "exit status")
    # Two trays have the same labels; one unit of each has failed, and another has failed and waits for another attempt.
    engine.sql("UPDATE beacon_dfu.work_order SET state = 'open', expected = 9 WHERE number = 'WO-1'")
    engine.sql("UPDATE beacon_dfu.unit SET slot = 'A1' WHERE id IN (SELECT min(id) FROM beacon_dfu.unit GROUP BY station)")
    engine.sql("UPDATE beacon_dfu.unit SET state = 'failed', failures = 1, outcome = 'failed', code = 'battery-low' WHERE slot = 'A1'")
    engine.sql("UPDATE beacon_dfu.unit SET state = 'waiting', outcome = 'failed', code = 'battery-low' WHERE station = 's2' AND slot IS DISTINCT FROM 'A1'")
    office.must("hold", "WO-1", "--because", "wrong labels")
    for number in range(2, 9):
        office.order(f"WO-{number}", SMALL, "--expected", "1")
    page = Page(room, engine)
    room.equal(sorted(page.links), ["approver", "viewer"], "roles")
    page.sign_in("approver")
    until(lambda: page.bench("s1"), 20, "the held order is shown")
    one, two = page.bench("s1"), page.bench("s2")
    room.equal((one["past"], one["actions"]), (False, ["release", "hold", "retry"]), "past and actions")
    room.equal(sorted(unit["standing"] for unit in two["units"].values()), ["failed", "waiting"], "standings at s2")
    waiting = next(unit for unit in two["units"].values() if unit["standing"] == "waiting")
    room.check("waits for another attempt" in waiting["cause"], f"why it waits: {waiting}")

    room.equal(page.ask("POST", "/actions/retry", {"bench": "s2", "slot": "A1"})[0], 202, "retry")
    room.equal(engine.count("SELECT count(*) FROM beacon_dfu.unit WHERE slot = 'A1' AND state = 'failed' AND station = 's1'"), 1, "units of s1 that failed")
    room.equal(engine.count("SELECT count(*) FROM beacon_dfu.unit WHERE slot = 'A1' AND state = 'waiting' AND station = 's2'"), 1, "units of s2 that wait")

    since = one["hold"]["since"]
    status, refusal, _ = page.ask("POST", "/actions/release", {"bench": "s1", "since": since - 1})
    room.equal((status, refusal["code"]), (409, "hold-changed"), "a release of another hold")
    room.equal(page.ask("POST", "/actions/release", {"bench": "s1", "since": since})[0], 202, "release")
    room.equal(office.status("WO-1")["state"], "open", "state of the order")
    room.equal(engine.sql("SELECT DISTINCT person FROM beacon_dfu.events WHERE what IN ('order-released', 'units-retried') AND person LIKE '%page%'"),
               [["M. Ito (page, approver)"]], "who is recorded")
    orders = page.ask("GET", "/orders")[1]
    one = next(order for order in orders["orders"] if order["number"] == "WO-1")
    room.equal((one["benches"], one["actions"]), (["s1", "s2"], ["hold"]), "benches and actions of the order")
    trouble = next(trouble for trouble in one["troubles"] if trouble["code"] == "battery-low")
    room.check(trouble["units"] == 1 and trouble["cause"] and trouble["next_step"], f"why units have failed: {trouble}")
    room.equal(page.ask("POST", "/orders/hold", {"number": "WO-1", "reason": "other labels"})[0], 202, "hold with a reason")
    held = until(lambda: (lambda hold: hold if hold.get("message") == "other labels" else None)(page.bench("s1").get("hold", {})), 20,
                 "the hold and its reason are shown")
    room.equal(page.ask("POST", "/orders/release", {"number": "WO-1", "since": held["since"] - 1})[1]["code"], "hold-changed", "another hold")
    room.equal(page.ask("POST", "/orders/release", {"number": "WO-1", "since": held["since"]})[0], 202, "release of the order")
    choice = next(choice for choice in orders["choices"] if choice["id"].startswith("file:"))
    draft = {"number": "WO-20", "firmware": choice["id"], "expected": 5, "golden": 1, "attempts": 2}
    room.equal(page.ask("POST", "/orders/create", draft)[0], 202, "create")
    room.equal(page.ask("POST", "/orders/create", draft)[1]["code"], "order-exists", "create again")
    room.equal(page.ask("POST", "/orders/create", {**draft, "number": "WO-21", "firmware": "file:00"})[1]["code"], "order-unusable", "other firmware")
    room.equal((office.status("WO-20")["state"], office.status("WO-20")["expected"]), ("draft", 5), "the new order")
    room.equal(page.ask("POST", "/orders/release", {"number": "WO-20"})[0], 202, "release of a draft")
    room.equal(office.status("WO-20")["state"], "golden", "state of the released draft")
    found = page.ask("GET", "/history?text=" + air.beacons[0].key.split("/")[0])[1]["attempts"]
    room.equal(len(found), 1, "results of a beacon")


def yields(page, bench):
    figures = page.bench(bench)["figures"]
    return figures.get("first_pass_yield"), figures.get("final_yield")


@scenario("a-page-of-stations-is-correct")
def truth(room):
    """A bench whose work has ended is idle, and nothing waits; units without slots have their addresses; history has versions, names
    and seconds; another attempt changes no yield before there is a result."""
    engine, office, air, (station,) = setting(room, 4)
    office.order("WO-1", SMALL, "--expected", "6")
    room.equal(station.work("WO-1", air.file("air"), "--no-golden").wait(), 0, "exit status")
    page = Page(room, engine)
    page.sign_in("approver")
    until(lambda: page.bench("s1"), 20, "the order is shown")
    # A silence that would be reported of a bench at work.
    engine.sql("UPDATE beacon_dfu.station SET seen = seen - interval '10 minutes'")
    bench = until(lambda: (lambda b: b if time.time() - b.get("idle", time.time() * 1000) / 1000 > 500 else None)(page.bench("s1")), 20,
                  "the bench is idle")
    room.check("silent" not in bench, f"a bench at rest is missed: {bench.get('silent')}")
    room.equal(bench["outbox"]["waiting"], 0, "results that wait")
    room.check("0 wait" in station.command("deliver").stdout, "deliver finds results")
    slots = sorted(unit["slot"] for unit in bench["units"].values())
    room.equal(slots, sorted(one.key.split("/")[0][-5:] for one in air.beacons), "names of units")

    rows = page.ask("GET", "/history")[1]["attempts"]
    room.equal(len(rows), 4, "results")
    for row in rows:
        lacks = [name for name in ("slot", "name", "version_from", "version", "seconds", "adapter") if row.get(name) is None]
        room.check(not lacks, f"history lacks {lacks}: {row}")
        room.check(row["name"].startswith("Blinker") and row["version_from"] != row["version"] and row["seconds"] > 0, f"{row}")
    room.equal(len(page.ask("GET", "/history?text=" + rows[0]["name"].replace(" ", "%20"))[1]["attempts"]), 1, "results by a name")
    # The text of a station can be anything.
    engine.sql("ALTER TABLE beacon_dfu.result DISABLE TRIGGER USER; UPDATE beacon_dfu.result SET body = '{\"name\": \"\\u0000\", \"attempts\": 7}' "
               "WHERE number = 1; ALTER TABLE beacon_dfu.result ENABLE TRIGGER USER")
    room.equal(page.ask("GET", "/history")[0], 200, "history with a name that cannot be")

    one = air.beacons[0]
    engine.sql(f"UPDATE beacon_dfu.unit SET state = 'failed', failures = 1, has_failed = true, outcome = 'failed', code = 'battery-low' WHERE key = '{one.key}'")
    slot = one.key.split("/")[0][-5:]
    until(lambda: yields(page, "s1") == (0.75, 0.75), 20, "the failed unit counts")
    room.equal(page.ask("POST", "/actions/retry", {"bench": "s1", "slot": slot})[0], 202, "retry")
    until(lambda: page.bench("s1")["units"]["u:" + slot]["standing"] == "waiting", 20, "the unit waits")
    room.equal(yields(page, "s1"), (0.75, 0.75), "yields after a retry")
    room.equal(office.status("WO-1")["yield"], 0.75, "yield of status after a retry")
    # The unit has its firmware: there is a result, and it is not a first pass.
    room.equal(station.work("WO-1", air.file("air"), "--no-golden").wait() in (0, 2), True, "exit status of the retry")
    until(lambda: yields(page, "s1") == (0.75, 1), 20, "the yields have the result")
    room.equal((office.status("WO-1")["first_pass_yield"], office.status("WO-1")["yield"]), (0.75, 1), "yields of status")


def told(run):
    """The links that a run with a page has reported, once all are there: they come line by line."""
    links = dict(re.findall(r"^(\w+): (http\S+)\n", run.errors.read_text(), re.M))
    return links if links.keys() >= {"viewer", "operator", "approver"} else None


@scenario("a-run-shows-its-end-on-its-page")
def ending(room):
    """A viewer sees the finished tray before the page closes, even if its port was taken; the run reports the address and all requests, and
    does not wait for viewers."""
    engine, office, air, (station,) = setting(room, 4, BLINKER, link=SLOW, pace=1)
    office.order("WO-1", BLINKER, "--expected", "4")
    room.equal(station.work("WO-1", air.file("air"), "--follow", "--view").wait(), 64, "exit status of a page for many trays")
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # If another program has the port, the next one is used.
        with contextlib.suppress(OSError):
            taken.bind(("127.0.0.1", 8137))
            taken.listen()
        run = station.work("WO-1", air.file("air"), "--no-golden", "--view", links=1, scan_for=2)
        links = until(lambda: told(run), 30, "links of all roles are reported")
    page = Page(room, engine, links=links)
    page.sign_in("operator")
    until(lambda: run.errors.read_text().count("operator: ") == 2, 10, "the next link is reported")
    room.equal(page.ask("POST", "/actions/hold", {"bench": "bench"})[0], 202, "hold")
    hold = until(lambda: page.bench("bench").get("hold"), 10, "the hold is shown")
    release = {"bench": "bench", "since": hold["since"]}
    room.equal(page.ask("POST", "/actions/release", release)[0], 403, "a release without permission")
    page.sign_in("approver")
    room.equal(page.ask("POST", "/actions/release", release)[0], 202, "release")
    connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=60)
    connection.request("GET", "/events", headers={"Cookie": page.cookie})
    answer, text = connection.getresponse(), b""
    deadline = time.monotonic() + 90
    try:
        while time.monotonic() < deadline and (piece := answer.read1(1 << 16)):
            text += piece
    except http.client.IncompleteRead:
        pass
    began = time.monotonic()
    room.equal(run.wait(), 0, "exit status")
    room.check(time.monotonic() - began < 5, "the run waits for the page")
    room.equal([(one["wish"], one["by"]) for one in run.find(event="wish")],
               [("hold", "M. Ito (page, operator)"), ("release", "M. Ito (page, approver)")], "requests, and their users")
    room.check('"past":true' in text.decode().rsplit("event: ", 1)[1], f"the last that was seen: {text[-300:]}")


@scenario("the-page-has-figures-with-their-token")
def figures(room):
    """/metrics equals the output of `metrics`; its token is valid for nothing else. A token or a key that others may read
    is refused."""
    engine, office, _, _ = setting(room, 1)
    office.order("WO-1", SMALL, "--expected", "1")
    token = room.folder / "token"
    token.write_text("0123456789abcdef\n")
    certificate, key = certified(room, "floor.plant")
    key.chmod(0o640)
    for path, more in (token, ("--metrics-token-file", token)), (key, ("--certificate", certificate, "--key", key)):
        done = room.run([room.program, "view", "--port", "0", "--json", "--bench", "--journal", room.folder / "view.sqlite", *more],
                        env={"PATH": "/usr/bin:/bin", "HOME": str(room.folder)}, seconds=20)
        failure = json.loads(done.stdout.splitlines()[-1])
        room.equal((done.returncode, failure["code"]), (65, "secret-exposed"), f"a secret that others may read: {path.name}")
        room.check(str(path) in failure["message"] and "chmod 600" in failure["next_step"], f"{failure}")
    token.chmod(0o600)
    page = Page(room, engine, "--metrics-token-file", token)
    room.equal(page.ask("GET", "/metrics")[0], 401, "without a token")
    shown = {"Authorization": "Bearer 0123456789abcdef"}
    status, text, headers = page.ask("GET", "/metrics", headers=shown)
    room.equal(status, 200, "status")
    room.check(headers["Content-Type"].startswith("text/plain; version=0.0.4"), headers["Content-Type"])
    room.check('beacon_dfu_orders{state="golden"} 1' in text or 'beacon_dfu_orders{state="open"} 1' in text, text[:400])
    room.equal(page.ask("GET", "/state", headers=shown)[0], 401, "the state by that token")
    page.sign_in("viewer")
    room.equal(page.ask("GET", "/metrics")[0], 200, "for a signed-in user")
