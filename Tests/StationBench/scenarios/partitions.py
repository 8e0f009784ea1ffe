"""The network fails, at each critical moment: every bench is a machine of its own, in a network namespace."""

import time

from host import ledger
from host.air import BLINKER, Air
from host.engine import Engine
from host.network import Network
from host.plan import scenario
from host.room import until
from host.stations import Office, Station

NEEDS = ("namespaces",)
# A unit takes some seconds, so that the network can fail in the middle of it.
SLOW = "{interval_ms: 10, event_ms: 7.5}"
# From the first packet of firmware to the result it takes three seconds, so that the network fails before that.
SLOWER = "{interval_ms: 20, event_ms: 7.5}"


def plant(room, count, stations=1, pace=60, link=SLOW, firmware=BLINKER, **more):
    """A work server, an office and stations on machines of their own."""
    network = Network(room)
    engine = Engine(room, address=network.address, namespace=network.hub).start()
    air = Air(room.folder, count, firmware, link=link, **more)
    benches = [Station(room, engine, f"s{one + 1}", host=network.host(), pace=pace).joined() for one in range(stations)]
    return network, engine, Office(room, engine), air, benches


def ended(room, engine, station, air, order, count):
    """All units verified, each sent firmware once, every result in the work server, and once."""
    room.none(ledger.accounts(engine, order, air, count))
    room.none(ledger.records(engine, [station]))
    room.none(ledger.repeats([station], air.firmware.version))
    twice = engine.sql("SELECT key, count(*) FROM beacon_dfu.result GROUP BY key HAVING count(*) > 1")
    room.check(not twice, f"results more than once: {twice}")
    room.equal(engine.count("SELECT count(*) FROM beacon_dfu.result WHERE standing <> 'current'"), 0, "results that move nothing")


@scenario("a-partition-before-the-claim-costs-nothing", needs=NEEDS)
def before_claim(room):
    """Without the work server nothing is claimed and nothing is touched; a following station continues automatically."""
    # Claims of twelve seconds, which a busy machine renews in time.
    network, engine, office, air, (station,) = plant(room, 4, pace=10)
    office.order("WO-1", BLINKER, "--expected", "4")
    before = {beacon.number: air.contents(beacon) for beacon in air.beacons}
    network.cut(station.host)
    run = station.work("WO-1", air.file("air"), "--no-golden", "--follow")
    began = time.monotonic()
    run.wait_for(40, event="failed", code="engine-unreachable")
    room.remark(f"reported after {time.monotonic() - began:.1f} s")
    room.none(ledger.untouched(air, air.beacons, before))
    network.mend(station.host)
    room.equal(run.wait(90), 0, "exit status")
    ended(room, engine, station, air, "WO-1", 4)


@scenario("a-partition-after-the-claim-stops-units-that-have-not-begun", needs=NEEDS)
def after_claim(room):
    """A claim of 120 s is too short once it cannot be renewed: no unit is sent to its bootloader. Later all are done,
    once."""
    network, engine, office, air, (station,) = plant(room, 6)
    office.order("WO-2", BLINKER, "--expected", "6")
    run = station.work("WO-2", air.file("air"), "--no-golden", "--follow", links=1)
    run.wait_for(event="batch-started")
    network.cut(station.host)
    cut = time.time() * 1000
    # Two minutes of the claim are two seconds; nothing may be begun in its last minute.
    time.sleep(6)
    late = station.rows(f"SELECT step, address FROM change WHERE at > {cut + 2000} AND step IN ('enter-bootloader')")
    room.check(not late, f"begun though the claim was over: {late}")
    network.mend(station.host)
    mended = time.monotonic()
    room.equal(run.wait(150), 0, "exit status")
    room.remark(f"done {time.monotonic() - mended:.0f} s after the network was back")
    room.none(ledger.accounts(engine, "WO-2", air, 6))
    room.none(ledger.records(engine, [station]))
    # On a busy machine a claim of two seconds may expire before an activation.
    room.none(ledger.repeats([station], BLINKER.version, may_repeat=ledger.broken_off([station])))


@scenario("a-partition-in-a-transfer-loses-no-unit", needs=NEEDS)
def in_transfer(room):
    """A claim of a day suffices: the tray is finished without the work server, and the results come when it is back."""
    network, engine, office, air, (station,) = plant(room, 6, link=SLOWER)
    office.order("WO-3", BLINKER, "--expected", "6")
    run = station.work("WO-3", air.file("air"), "--no-golden", "--lease", "24h", links=3)
    run.wait_for(event="phase", name="transferring")
    network.cut(station.host)
    status = run.wait(120)
    room.equal(status, 0, "exit status of a run whose units have passed")
    room.equal(sum(air.holds(beacon) for beacon in air.beacons), 6, "beacons with the firmware")
    waiting = len(station.outbox("waiting")) + len(station.outbox("sent"))
    room.equal(waiting, 6, "results that wait")
    away = station.command("deliver", "--json")
    room.check(away.returncode != 0, "deliver without a network ends with success")
    network.mend(station.host)
    until(lambda: station.command("deliver", "--json").returncode in (0, 2), 60, "results are handed in")
    ended(room, engine, station, air, "WO-3", 6)


@scenario("a-partition-before-the-delivery-holds-results-back", needs=NEEDS)
def before_delivery(room):
    """The last unit is verified when the network is gone for half a minute: the run waits, and hands in."""
    network, engine, office, air, (station,) = plant(room, 3, pace=1, link=SLOWER)
    office.order("WO-4", BLINKER, "--expected", "3")
    run = station.work("WO-4", air.file("air"), "--no-golden", links=3)
    # From the beginning of their verification to the results it is a moment only, in which a busy machine cuts nothing.
    run.wait_for(event="phase", name="transferring")
    network.cut(station.host)
    until(lambda: len(run.find(event="finished")) == 3, 60, "all units finish")
    time.sleep(12)
    room.check(run.is_running, "the run does not wait for the work server")
    network.mend(station.host)
    mended = time.monotonic()
    room.equal(run.wait(90), 0, "exit status")
    room.remark(f"handed in {time.monotonic() - mended:.0f} s after the network was back")
    ended(room, engine, station, air, "WO-4", 3)
    room.equal(office.status("WO-4")["state"], "done", "state of the order")


@scenario("a-lost-answer-causes-a-duplicate-and-no-second-result", needs=NEEDS)
def lost_answer(room):
    """The work server commits and its answers do not arrive: the station sends again, and one result is kept."""
    # In real time: before each half minute's first delivery a station sends a heartbeat, and that answer would be lost
    # instead.
    network, engine, office, air, (station,) = plant(room, 3, pace=1, link=SLOWER)
    office.order("WO-5", BLINKER, "--expected", "3")
    run = station.work("WO-5", air.file("air"), "--no-golden", links=3)
    run.wait_for(event="phase", name="transferring")
    network.deafen(station.host)
    engine.wait_for("SELECT count(*) > 0 FROM beacon_dfu.result", 60, "a result is committed")
    committed = engine.count("SELECT count(*) FROM beacon_dfu.result")
    room.check(not station.outbox(), f"{len(station.outbox())} results were acknowledged without an answer")
    until(lambda: "engine-unreachable" in run.codes(), 30, "the station gives up on the answer")
    network.mend(station.host)
    room.equal(run.wait(120), 0, "exit status")
    until(lambda: station.command("deliver", "--json").returncode in (0, 2), 60, "results are handed in")
    ended(room, engine, station, air, "WO-5", 3)
    tries = station.rows("SELECT max(tries) FROM outbox WHERE kind = '@engine'")[0][0]
    room.check(tries >= 2, f"sent {tries} times only: nothing was a duplicate")
    room.remark(f"{committed} committed without an answer, sent up to {tries} times")


@scenario("a-partition-lets-another-bench-take-over", needs=NEEDS)
def taken_over(room):
    """A bench is cut off before it begins; another gets its beacons, and the first touches none of them afterwards."""
    network, engine, office, air, (first, second) = plant(room, 4, stations=2)
    # Only the first one's claims have to expire soon.
    second.pace = 10
    office.order("WO-6", BLINKER, "--expected", "4")
    run = first.work("WO-6", air.file("first"), "--no-golden", links=1)
    run.wait_for(event="claimed")
    network.cut(first.host)
    cut = time.time() * 1000
    other = Air(room.folder, 4, BLINKER, memory="others")
    runs = second.work("WO-6", other.file("second"), "--no-golden", "--follow")
    room.equal(runs.wait(120), 0, "exit status of the second")
    # The claim cannot be renewed, so it waits; then it learns that the units are another's.
    run.wait_for(60, event="held")
    network.mend(first.host)
    room.check(run.wait(120) != 0, "exit status 0 of a bench that lost its units")
    until(lambda: first.command("deliver", "--json").returncode in (0, 2), 60, "results are handed in")
    late = first.rows(f"SELECT step, address FROM change WHERE at > {cut + 2500} AND step <> 'configure'")
    room.check(not late, f"the first continued after its claim: {late}")
    room.none(ledger.accounts(engine, "WO-6", other, 4))
    room.none(ledger.records(engine, [first, second]))
    kept = engine.sql("SELECT standing, count(*) FROM beacon_dfu.result WHERE station = 's1' GROUP BY standing")
    room.check(all(row[0] == "late" for row in kept), f"results of the first: {kept}")
    room.remark(f"late results {kept}")


@scenario("a-half-open-connection-hides-a-hold-for-seconds-only", needs=NEEDS)
def half_open(room):
    """Packets vanish silently, and the order is held meanwhile: the station abandons its connections and finds the hold."""
    network, engine, office, air, (station,) = plant(room, 16, pace=1, link="{interval_ms: 20, event_ms: 4}")
    office.order("WO-7", BLINKER, "--expected", "16")
    run = station.work("WO-7", air.file("air"), "--no-golden", "--lease", "30m", links=1)
    run.wait_for(event="phase", name="transferring")
    network.shut(station.host, network.address)
    office.must("hold", "WO-7", "--because", "wrong labels")
    time.sleep(4)
    network.open(station.host, network.address)
    opened = time.monotonic()
    until(lambda: run.find(event="held") or not run.is_running, 40, "the station learns of the hold")
    room.remark(f"reported {time.monotonic() - opened:.0f} s after packets arrived again")
    run.wait(60)
    room.check("wrong labels" in str(run.find(event="held")), f"the reason is not reported: {run.find(event='held')}")
    order = office.status("WO-7")
    room.check(0 < order["verified"] < 16, f"{order['verified']} of 16 were verified")
    room.equal(len(ledger.begun([station])), order["verified"], "beacons that were changed")
    room.none(ledger.records(engine, [station]))
