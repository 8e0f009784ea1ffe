"""Beacons that were left in the middle, names that differ between benches, and resumed runs."""

import time

from host import ledger
from host.air import BLINKER, SMALL
from host.plan import scenario
from host.room import until
from scenarios.orders import setting

# Three seconds from the first packet of firmware to the result, so that a unit can be interrupted.
SLOW = "{interval_ms: 20, event_ms: 7.5}"


@scenario("a-beacon-in-its-bootloader-remains-its-benchs")
def neighbours_bootloader(room):
    """A bench is killed in a transfer; its neighbour, whose rule matches all beacons in range, leaves the bootloader
    alone."""
    engine, office, air, (first, second) = setting(room, 1, BLINKER, stations=2, link=SLOW, pace=1)
    office.order("WO-2", BLINKER, "--expected", "1")
    run = first.work("WO-2", air.file("air"), "--no-golden")
    run.wait_for(event="phase", name="transferring")
    run.kill()
    met = ledger.killed_at(first)
    other = second.work("WO-2", air.file("air"), "--no-golden", rule="rssi>-120")
    room.check(other.wait() != 0, "exit status 0 of the neighbour")
    room.check("nothing-claimed" in other.codes(), f"the neighbour: {other.last}")
    room.check(not ledger.begun([second]), "the neighbour has changed the beacon")
    room.equal(first.work("WO-2", air.file("air"), "--no-golden").wait(), 0, "exit status of the first")
    room.none(ledger.accounts(engine, "WO-2", air, 1))
    room.none(ledger.repeats([first, second], BLINKER.version, may_repeat=met))


@scenario("a-unit-is-recognised-by-any-of-its-keys")
def keys(room):
    """The list has an id first and then the address; the tray has the address."""
    engine, office, air, (station,) = setting(room, 2)
    units = room.folder / "units"
    units.write_text("".join(f"id:N-{beacon.number} {beacon.key}\n" for beacon in air.beacons))
    office.order("WO-3", SMALL, "--units", units)
    run = station.work("WO-3", air.file("air"), "--no-golden", tray=air.tray("tray"))
    room.equal(run.wait(), 0, f"exit status ({run.last})")
    room.equal(office.status("WO-3")["verified"], 2, "verified units")
    room.none(ledger.records(engine, [station]))


@scenario("a-slot-without-a-shared-key-is-not-claimed")
def by_name(room):
    """A name is claimed by the address of its beacon, and not at all if no beacon with it is heard."""
    engine, office, air, (station,) = setting(room, 2)
    office.order("WO-4", SMALL, "--expected", "2")
    tray = room.folder / "names.tray.yaml"
    tray.write_text("tray: 1\nslots:\n" + "".join(f"  - {{slot: A{n}, device: 'name:Blinker {n}'}}\n" for n in (1, 2, 3)))
    run = station.work("WO-4", air.file("air"), "--no-golden", tray=tray)
    room.check(run.wait() != 0, "exit status 0 though a slot was not claimed")
    room.none(ledger.accounts(engine, "WO-4", air, 2))
    room.equal(station.rows("SELECT code FROM unit WHERE slot = 'A3'"), [("slot-unclaimable",)], "outcome of the third")


@scenario("a-run-is-resumed-for-its-own-order-only")
def other_order(room):
    """--resume with the tray of a run of another order does not finish that one's firmware under this one's name."""
    engine, office, air, (station,) = setting(room, 1, BLINKER, link=SLOW)
    office.order("WO-5", BLINKER, "--expected", "1")
    office.order("WO-6", BLINKER, "--expected", "1")
    run = station.work("WO-5", air.file("air"), "--no-golden", tray=air.tray("tray"))
    run.wait_for(event="phase", name="transferring")
    run.kill()
    other = station.work("WO-6", air.file("air"), "--no-golden", "--resume", tray=air.tray("tray"))
    room.check(other.wait() != 0, "exit status 0")
    room.check("run-missing" in other.codes() and "WO-5" in str(other.last), f"not refused by name: {other.last}")
    room.equal(office.status("WO-6")["results"], 0, "results of the other order")


@scenario("a-failed-unit-in-its-bootloader-is-found-again")
def failed_in_bootloader(room):
    """A unit fails in the middle and gets another attempt: no rule matches its bootloader, but the journal has it."""
    engine, office, air, (station,) = setting(room, 3, BLINKER, faults={2: ["refuse_execute: 1"]})
    office.order("WO-7", BLINKER, "--expected", "3")
    room.check(station.work("WO-7", air.file("air"), "--no-golden").wait() != 0, "nothing has failed")
    room.equal(office.status("WO-7")["failed"], 1, "failed units")
    office.must("retry", "WO-7")
    for beacon in air.beacons:
        beacon.faults = []
    again = station.work("WO-7", air.file("air"), "--no-golden")
    room.equal(again.wait(), 0, f"exit status of the second try: {again.last}; {again.codes()}")
    room.equal(office.status("WO-7")["state"], "done", "state of the order")
    room.none(ledger.accounts(engine, "WO-7", air, 3))
    room.none(ledger.records(engine, [station]))


@scenario("a-verdict-stays-if-no-other-attempt-is-granted")
def verdict_stays(room):
    """--retry-failed of a unit that needs a review first: its reason is still in the journal afterwards."""
    engine, office, air, (station,) = setting(room, 1, BLINKER, faults={1: ["keep_old_application: 1"]})
    office.order("WO-8", BLINKER, "--expected", "1")
    station.work("WO-8", air.file("air"), "--no-golden", tray=air.tray("tray")).wait()
    was = station.rows("SELECT outcome, code FROM unit")
    room.equal(was[0][0], "failed", "outcome of the first try")
    station.work("WO-8", air.file("air"), "--no-golden", "--retry-failed", tray=air.tray("tray")).wait()
    room.equal(station.rows("SELECT outcome, code FROM unit"), was, "the journal's verdict afterwards")


@scenario("waiting-results-are-handed-in-before-a-claim")
def results_first(room):
    """The work server is unreachable while units pass; the next command hands them in under their claims, and they
    count."""
    engine, office, air, (station,) = setting(room, 3, BLINKER, link=SLOW)
    office.order("WO-9", BLINKER, "--expected", "4")
    run = station.work("WO-9", air.file("air"), "--no-golden", "--lease", "24h", tray=air.tray("tray"))
    run.wait_for(event="phase", name="transferring")
    engine.kill()
    run.wait(120)
    room.equal(len(station.outbox("waiting")) + len(station.outbox("sent")), 3, "results that wait")
    engine.restart()
    station.work("WO-9", air.file("air"), "--no-golden", tray=air.tray("tray")).wait()
    room.equal(engine.count("SELECT count(*) FROM beacon_dfu.result WHERE standing <> 'current'"), 0, "results that came late")
    room.equal(office.status("WO-9")["verified"], 3, "verified units")
    room.none(ledger.records(engine, [station]))
    room.none(ledger.repeats([station], BLINKER.version))


@scenario("a-restarted-bench-continues-offline-with-its-claims")
def anew_offline(room):
    """Units are claimed for a day, the work server becomes unreachable, the program is killed and started again: the tray
    is finished."""
    engine, office, air, (station,) = setting(room, 4, BLINKER, link=SLOW)
    office.order("WO-10", BLINKER, "--expected", "4")
    tray = air.tray("tray")
    run = station.work("WO-10", air.file("air"), "--no-golden", "--lease", "24h", tray=tray, links=1)
    run.wait_for(event="phase", name="transferring")
    engine.kill()
    run.kill()
    met = ledger.killed_at(station)
    again = station.work("WO-10", air.file("air"), "--no-golden", "--resume", tray=tray, links=4)
    room.equal(again.wait(120), 0, f"exit status: {again.last}")
    room.equal(sum(air.holds(beacon) for beacon in air.beacons), 4, "beacons with the firmware")
    fresh = station.work("WO-10", air.file("air"), "--no-golden", tray=tray)
    room.equal(fresh.wait(60), 75, "exit status of a new run without a work server")
    engine.restart()
    until(lambda: station.command("deliver", "--json").returncode in (0, 2), 60, "results are handed in")
    room.none(ledger.accounts(engine, "WO-10", air, 4))
    room.none(ledger.records(engine, [station]))
    room.none(ledger.repeats([station], BLINKER.version, may_repeat=met))


@scenario("no-station-is-offline-longer-than-permitted")
def offline_limit(room):
    """The work server's policy shortens a claim for a day, and reports it; the journal has the remaining time."""
    engine, office, air, (station,) = setting(room, 2, BLINKER, link=SLOW, pace=1)
    office.must("policy", "--max-offline", "90s")
    office.order("WO-11", BLINKER, "--expected", "2")
    run = station.work("WO-11", air.file("air"), "--no-golden", "--lease", "24h")
    # While they work: a unit with a result has no lease.
    run.wait_for(event="phase", name="transferring")
    ends = [row[0] for row in station.rows("SELECT lease_end FROM claim")]
    left = [end / 1000 - time.clock_gettime(time.CLOCK_BOOTTIME) for end in ends]
    longest = engine.count("SELECT coalesce(ceil(max(extract(epoch FROM lease_until - clock_timestamp()))), 0) FROM beacon_dfu.unit")
    room.check(0 < longest <= 90, f"a lease of {longest} s")
    room.check(len(left) == 2 and all(0 < seconds <= 90 for seconds in left), f"the journal's leases: {left} s")
    room.equal(run.wait(), 0, "exit status")
    room.check("lease-capped" in run.codes(), f"the shorter claim is not reported: {run.codes()}")
