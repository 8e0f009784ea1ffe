"""Orders from creation to completion, and early ends."""

import hashlib
import json
import pathlib

from host import ledger
from host.air import BLINKER, SMALL, Air
from host.engine import Engine
from host.plan import scenario
from host.stations import Office, Station

# Half a second per unit, so that it can be interrupted.
SLOW = "{interval_ms: 10, event_ms: 7.5}"


def setting(room, count, firmware=SMALL, stations=1, **more):
    """A work server, an office, beacons and stations."""
    engine = Engine(room).start()
    # Claims of 24 seconds: with six seconds one expired before the end of an update, during a release build.
    pace = more.pop("pace", 5)
    air = Air(room.folder, count, firmware, **more)
    return engine, Office(room, engine), air, [Station(room, engine, f"s{one + 1}", pace=pace).joined() for one in range(stations)]


@scenario("an-order-is-completed")
def order_done(room):
    """From create to done: ledger, journal and beacons agree."""
    engine, office, air, (station,) = setting(room, 12)
    office.order("WO-1", SMALL, "--expected", "12", release=False)
    draft = station.work("WO-1", air.file("air"))
    room.check(draft.wait() != 0 and "nothing-claimed" in draft.codes(), f"a draft was worked at: {draft.last}")
    office.must("release", "WO-1")
    run = station.work("WO-1", air.file("air"), "--follow")
    room.equal(run.wait(), 0, "exit status")
    status = office.status("WO-1")
    room.equal(status["state"], "done", "state of the order")
    room.equal((status["verified"], status["late"], status["results"]), (12, 0, 12), "verified, late, results")
    room.none(ledger.accounts(engine, "WO-1", air, 12))
    room.none(ledger.counts(engine, "WO-1", status))
    room.none(ledger.records(engine, [station]))
    room.none(ledger.repeats([station], SMALL.version))
    again = station.work("WO-1", air.file("air"))
    room.check(again.wait() != 0, "work at an order that is done does not end with success")
    room.check("nothing-claimed" in again.codes(), f"an order that is done: {again.last}")


@scenario("beacons-outside-the-order-stay-unchanged")
def listed(room):
    """An order with a list: other beacons in range are not connected to."""
    engine, office, air, (station,) = setting(room, 10)
    wanted, others = air.beacons[:6], air.beacons[6:]
    office.order("WO-2", SMALL, "--units", air.units("wanted", wanted))
    before = {beacon.number: air.contents(beacon) for beacon in others}
    run = station.work("WO-2", air.file("air"))
    room.equal(run.wait(), 0, "exit status")
    room.equal({one["code"] for one in run.find(event="withheld")}, {"not-in-order"}, "why the others are denied")
    room.equal(len(run.find(event="withheld")), 4, "withheld")
    room.none(ledger.untouched(air, others, before))
    room.none(ledger.accounts(engine, "WO-2", air, 6))
    room.none(ledger.records(engine, [station]))
    room.equal(set(ledger.begun([station])), {beacon.key for beacon in wanted}, "beacons that were changed")
    room.equal(office.status("WO-2")["state"], "done", "state of the order")


@scenario("neighbours-leave-each-other-their-trays")
def neighbours(room):
    """Two benches with all twelve beacons in range; each has six, and the other is named."""
    engine, office, air, stations = setting(room, 12, BLINKER, stations=2, pace=1, link=SLOW)
    first, second = stations
    office.order("WO-3", BLINKER, "--expected", "12")
    left = first.work("WO-3", air.file("left"), "--most", "6", "--no-golden", links=1)
    left.wait_for(event="claimed")
    # A tray that names them: a beacon to which the other is connected is not heard.
    right = second.work("WO-3", air.file("right"), "--no-golden", tray=air.tray("tray"))
    right.wait_for(event="claimed")
    # Six slots of the second are to be tried again, by the bench that has them.
    room.equal((left.wait(), right.wait()), (0, 75), "exit statuses")
    withheld = right.find(event="withheld")
    room.equal(len(withheld), 6, "units that the second is not given")
    named = [one for one in withheld if "claimed by s1" in one["message"]]
    room.check(named and all(one in named or one["code"] == "unit-done" for one in withheld), f"why: {withheld}")
    room.none(ledger.elsewhere(stations))
    room.none(ledger.accounts(engine, "WO-3", air, 12))
    room.none(ledger.records(engine, stations))
    room.none(ledger.repeats(stations, BLINKER.version))
    room.equal([len(ledger.begun([one])) for one in stations], [6, 6], "beacons of each")


@scenario("benches-that-start-at-once-share-the-beacons-in-range")
def at_once(room):
    """Four benches with the same beacons in range and the same rule, at the same moment: each beacon is claimed by one."""
    engine, office, air, stations = setting(room, 24, stations=4)
    office.order("WO-4", SMALL, "--expected", "24")
    runs = [one.work("WO-4", air.file(one.name), "--most", "6", "--no-golden", "--follow") for one in stations]
    for run in runs:
        run.wait(90)
    room.none(ledger.elsewhere(stations))
    room.none(ledger.accounts(engine, "WO-4", air, 24))
    room.none(ledger.records(engine, stations))
    room.none(ledger.repeats(stations, SMALL.version))
    room.remark("shares " + " ".join(str(len(ledger.begun([one]))) for one in stations))


@scenario("a-stop-rule-holds-the-order-until-a-release")
def stop_rule(room):
    """Two consecutive failures hold the order; a release lets the rest continue; `retry` gives the failed units another
    attempt."""
    bad = {1: ["keep_old_application: 1"], 2: ["keep_old_application: 1"]}
    engine, office, air, (station,) = setting(room, 8, faults=bad)
    office.order("WO-5", SMALL, "--expected", "8", "--hold-after", "2")
    tray = air.tray("tray")
    run = station.work("WO-5", air.file("air"), "--no-golden", tray=tray, links=1)
    status = run.wait()
    order = office.status("WO-5")
    room.equal(order["state"], "held", "state after two failures")
    room.check("consecutive-failures" in (order["held_reason"] or "") or "in a row" in (order["held_reason"] or ""),
               f"reason {order['held_reason']}")
    room.equal(order["failed"], 2, "failed")
    room.check(status != 0, "a run that was held ends with success")
    room.check(run.find(event="held"), f"the run does not say that it is held: {run.last}")
    room.check(order["verified"] <= 2, f"{order['verified']} units were verified after the hold")
    held = station.work("WO-5", air.file("air"), tray=tray)
    room.check(held.wait() != 0 and "order-held" in held.codes(), f"work at a held order: {held.last}")
    room.equal(office.must("release", "WO-5")[-1]["state"], "open", "state after the release")
    station.work("WO-5", air.file("air"), "--no-golden", tray=tray).wait()
    order = office.status("WO-5")
    room.equal((order["verified"], order["failed"], order["state"]), (6, 2, "open"), "verified, failed, state")
    room.none(ledger.accounts(engine, "WO-5", air, 8, may_fail=bad))
    # The holder was bad, not the beacon.
    for beacon in air.beacons:
        beacon.faults = []
    room.equal(office.must("retry", "WO-5")[-1]["units"], 2, "units with another try")
    station.work("WO-5", air.file("air"), "--no-golden", tray=tray).wait()
    room.equal(office.status("WO-5")["state"], "done", "state after the retry")
    room.none(ledger.accounts(engine, "WO-5", air, 8))
    room.none(ledger.records(engine, [station]))


@scenario("a-hold-from-outside-ends-the-run")
def hold_from_outside(room):
    """Running units are finished, no further one is begun."""
    engine, office, air, (station,) = setting(room, 12, BLINKER, link=SLOW)
    office.order("WO-6", BLINKER, "--expected", "12")
    run = station.work("WO-6", air.file("air"), "--no-golden", links=2)
    run.wait_for(event="phase", name="transferring")
    office.must("hold", "WO-6", "--because", "wrong labels")
    status = run.wait(60)
    room.check("order-held" in run.codes() or run.find(event="held"), f"the run does not say order-held: {run.last}")
    held = [one for one in run.find(event="held")]
    room.check(held and "wrong labels" in str(held), f"the reason is not reported: {held}")
    room.check(status != 0, "exit status 0 for a run that was held")
    order = office.status("WO-6")
    room.check(1 <= order["verified"] <= 6, f"{order['verified']} of 12 were verified")
    room.equal(order["claimed"], 0, "claims that are kept without need")
    changed = ledger.begun([station])
    room.equal(len(changed), order["verified"], "beacons that were changed")
    room.none(ledger.records(engine, [station]))
    office.must("release", "WO-6")
    station.work("WO-6", air.file("air"), "--no-golden").wait()
    room.none(ledger.accounts(engine, "WO-6", air, 12))
    room.none(ledger.repeats([station], BLINKER.version))


@scenario("a-recalled-file-is-not-installed")
def recalled(room):
    """Claims are refused by name, and no beacon is touched."""
    engine, office, air, (station,) = setting(room, 4)
    office.order("WO-7", SMALL, "--expected", "4")
    before = {beacon.number: air.contents(beacon) for beacon in air.beacons}
    digest = hashlib.sha256(pathlib.Path(SMALL.path).read_bytes()).hexdigest()
    office.must("recall", "--sha256", digest, "--because", "bricks rev B")
    run = station.work("WO-7", air.file("air"))
    room.check(run.wait() != 0, "exit status 0")
    room.check("firmware-recalled" in run.codes(), f"not refused by name: {run.last}")
    room.check("bricks rev B" in str(run.last), f"the reason is not reported: {run.last}")
    room.none(ledger.untouched(air, air.beacons, before))


@scenario("a-recall-stops-units-that-are-not-changed-yet")
def recalled_meanwhile(room):
    """Units that are connected to, over a slow link, learn of the recall and are never changed."""
    engine, office, air, (station,) = setting(room, 2, BLINKER, link="{interval_ms: 1000, event_ms: 900}", pace=1)
    office.order("WO-7", BLINKER, "--expected", "2")
    digest = hashlib.sha256(pathlib.Path(BLINKER.path).read_bytes()).hexdigest()
    run = station.work("WO-7", air.file("air"), "--no-golden", links=2)
    run.wait_for(event="attempt")
    office.must("recall", "--sha256", digest, "--because", "bricks rev B")
    room.check(run.wait(120) != 0, "exit status 0")
    ended = [(one["outcome"], one["code"]) for one in run.find(event="failed") if one.get("slot")]
    room.equal(ended, [("aborted", "firmware-recalled")] * 2, "outcomes of units")
    room.check("bricks rev B" in run.output.read_text(), "the reason is not reported")
    room.check(all(air.is_as_made(beacon) for beacon in air.beacons), "a beacon was changed")


@scenario("golden-units-come-first")
def golden(room):
    """One unit, then a release, then the others."""
    engine, office, air, (station,) = setting(room, 6)
    office.order("WO-8", SMALL, "--expected", "6", "--golden", "1")
    station.work("WO-8", air.file("air")).wait()
    order = office.status("WO-8")
    room.equal((order["state"], order["verified"]), ("held", 1), "state and verified after the first")
    office.must("release", "WO-8")
    station.work("WO-8", air.file("air")).wait()
    room.equal(office.status("WO-8")["state"], "done", "state")
    room.none(ledger.accounts(engine, "WO-8", air, 6))


@scenario("a-following-station-finds-added-units")
def added(room):
    """Units that are listed while a station follows the order are done automatically, and then the order is."""
    engine, office, air, (station,) = setting(room, 6)
    office.order("WO-9", SMALL, "--units", air.units("first", air.beacons[:3]), "--expected", "6")
    run = station.work("WO-9", air.file("air"), "--no-golden", "--follow")
    engine.wait_for("SELECT count(*) = 3 FROM beacon_dfu.unit WHERE state = 'verified'", 60, "the first three are done")
    office.must("order", "add", "WO-9", air.units("more", air.beacons[3:]))
    room.equal(run.wait(60), 0, "exit status")
    room.equal(office.status("WO-9")["state"], "done", "state")
    room.none(ledger.accounts(engine, "WO-9", air, 6))
    room.none(ledger.records(engine, [station]))
    room.none(ledger.repeats([station], SMALL.version))


@scenario("a-tray-of-an-order-names-no-firmware")
def bare_tray(room):
    """The order defines the firmware: a tray has slots only."""
    engine, office, air, (station,) = setting(room, 2)
    office.order("WO-10", SMALL, "--expected", "2")
    tray = air.tray("tray")
    tray.write_text("".join(line for line in tray.read_text().splitlines(keepends=True) if not line.startswith("firmware")))
    run = station.work("WO-10", air.file("air"), "--no-golden", tray=tray)
    room.equal(run.wait(), 0, f"exit status ({run.last.get('message')})")
    room.none(ledger.accounts(engine, "WO-10", air, 2))


@scenario("user-errors-are-refused-with-a-next-step")
def refusals(room):
    """Each refusal has a code of its own and a next step; none is reported as a bug of the program."""
    engine, office, air, (station,) = setting(room, 1)
    office.order("WO-11", SMALL, "--expected", "1")
    units = air.units("units", air.beacons)
    wrong = {
        "order-exists": ("order", "create", "WO-11", "--firmware", SMALL.path, "--expected", "1"),
        "order-state": ("release", "WO-11"),
        "order-unknown": ("release", "WO-99"),
        "order-full": ("order", "add", "WO-11", air.units("two", air.beacons + Air(room.folder, 1, first=77).beacons)),
    }
    for code, words in wrong.items():
        done = office.run(*words)
        failure = json.loads(done.stdout.splitlines()[-1])
        room.equal(failure.get("code"), code, f"code of {' '.join(map(str, words[:2]))}")
        step = failure.get("next_step") or ""
        room.check(step and "report it" not in step, f"next step of {code}: {step}")
    office.must("order", "create", "WO-12", "--firmware", SMALL.path, "--units", units)
    failure = json.loads(office.run("order", "add", "WO-12", units).stdout.splitlines()[-1])
    room.equal(failure.get("code"), "unit-exists", "code of a unit that is there")
    room.check("report it" not in (failure.get("next_step") or ""), f"next step: {failure.get('next_step')}")
    # A login that may claim may not decide.
    forbidden = room.run([room.program, "release", "WO-12", "--json", "--engine", engine.target("bench1")],
                         env=station.environment())
    room.check(forbidden.returncode != 0, "a station may release an order")
    room.equal(json.loads(forbidden.stdout.splitlines()[-1]).get("code"), "engine-not-allowed", "code of a station that decides")


@scenario("an-order-with-missing-units-is-completed")
def short_order(room):
    """Two beacons are missing for good: the order expects fewer, and is done."""
    engine, office, air, (station,) = setting(room, 4)
    office.order("WO-13", SMALL, "--expected", "6")
    station.work("WO-13", air.file("air"), "--no-golden").wait()
    room.equal(office.status("WO-13")["state"], "open", "state with four of six")
    too_few = office.run("order", "expect", "WO-13", 3)
    room.equal(json.loads(too_few.stdout)["code"], "expected-too-few", "code of fewer than there are")
    room.equal(office.must("order", "expect", "WO-13", 4)[-1]["expected"], 4, "units that it expects")
    room.equal(office.status("WO-13")["state"], "done", "state")
    # A unit that was listed and never came is removed first.
    extra = Air(room.folder, 1, first=77).beacons
    office.order("WO-14", SMALL, "--units", air.units("listed", air.beacons + extra))
    station.work("WO-14", air.file("air"), "--no-golden").wait()
    room.equal(json.loads(office.run("order", "expect", "WO-14", 4).stdout)["code"], "expected-too-few", "code with five listed")
    room.equal(office.must("order", "remove", "WO-14", extra[0].key)[-1]["units"], 1, "units taken out")
    room.equal(office.run("order", "remove", "WO-14", extra[0].key).returncode, 2, "exit status of a second time")
    office.must("order", "expect", "WO-14", 4)
    room.equal(office.status("WO-14")["state"], "done", "state")


@scenario("unusable-input-is-not-ordered")
def unusable(room):
    """A file that is not a package, meaningless numbers, a list with an error, a catalogue that contradicts itself."""
    engine, office, air, (station,) = setting(room, 1)
    junk = room.folder / "junk.zip"
    junk.write_text("no package")
    catalogue = room.folder / "catalogue"
    catalogue.mkdir()
    (catalogue / "a.yaml").write_text("catalogue: 1\nmodels:\n  - {model: C, kind: suota, firmwear: []}\n")
    two = room.folder / "two.txt"
    two.write_text("id:1\nid:2\n")
    create = ("order", "create", "WO-15", "--firmware", SMALL.path)
    wrong = [
        (65, ("order", "create", "WO-15", "--firmware", junk, "--expected", "1")),
        (64, (*create, "--expected", "0")), (64, (*create, "--expected", "1", "--golden", "-1")),
        (64, (*create, "--expected", "1", "--attempts", "0")), (1, (*create, "--units", two, "--expected", "1")),
        (65, ("publish", catalogue)), (2, ("init-db",)),
    ]
    for status, words in wrong:
        done = office.run(*words)
        room.equal(done.returncode, status, f"exit status of {' '.join(map(str, words[:2] + words[-2:]))} ({done.stdout[-300:]})")
    room.equal(engine.count("SELECT count(*) FROM beacon_dfu.work_order"), 0, "orders")
    room.equal(engine.count("SELECT count(*) FROM beacon_dfu.catalogue_version"), 0, "catalogues")
    office.must(*create, "--units", two)
    # A password in a connection string is refused; a login with that word in its name is not.
    engine.sql("CREATE ROLE password_bot LOGIN IN ROLE beacon_dfu_viewer")
    target = engine.target("password_bot")
    for status, text in ((0, target), (64, target + " password=secret"), (64, "postgresql://bench1:secret@db.plant/beacons")):
        done = room.run([room.program, "status", "--json", "--engine", text], env=station.environment())
        room.equal(done.returncode, status, f"exit status with {text}")
        room.check("secret" not in done.stdout + done.stderr, f"the password is shown: {done.stdout}{done.stderr}")
