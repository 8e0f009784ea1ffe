"""Claims that expire, and wrong clocks."""

import json
import signal
import time

from host import ledger
from host.air import BLINKER, Air
from host.clocks import Clock
from host.plan import scenario
from host.room import until
from scenarios.orders import setting

SLOW = "{interval_ms: 10, event_ms: 7.5}"
# Three seconds from the first packet of firmware to the result.
SLOWER = "{interval_ms: 20, event_ms: 7.5}"


def last_changes(station) -> list[tuple]:
    return station.rows("SELECT change.at, change.step, change.address FROM change ORDER BY change.id")


@scenario("a-bench-that-slept-past-its-claim-does-nothing-more")
def stopped(room):
    """SIGSTOP for longer than the claim, while another takes over; then SIGCONT."""
    # Claims of twelve seconds: shorter ones expire on a busy machine before the first bench is stopped.
    engine, office, air, (first, second) = setting(room, 4, BLINKER, stations=2, link=SLOWER, pace=10)
    # The second flashes the same beacons; a stopped program's links are lost, which a simulation in it cannot know.
    others = Air(room.folder, 4, BLINKER, memory="others")
    office.order("WO-1", BLINKER, "--expected", "4")
    run = first.work("WO-1", air.file("first"), "--no-golden", links=1)
    run.wait_for(event="phase", name="transferring")
    run.signal(signal.SIGSTOP)
    engine.wait_for("SELECT bool_and(lease_until < clock_timestamp()) FROM beacon_dfu.unit WHERE state = 'claimed'", 60,
                    "the claims run out")
    room.none(ledger.untouched(air, air.beacons[1:], {}), "before the other begins")
    takes = second.work("WO-1", others.file("second"), "--no-golden", links=8)
    room.equal(takes.wait(60), 0, "exit status of the second")
    before = len(last_changes(first))
    run.signal(signal.SIGCONT)
    status = run.wait(90)
    further = [row[1:] for row in last_changes(first)[before:]]
    room.check(not further, f"the first continued with {further}")
    room.check("claim-lost" in run.codes(), f"the first gets no report: {run.codes()}")
    room.check(status != 0, "the first ends with success")
    # It may have received a version query.
    changed = [beacon.key for beacon in air.beacons[1:] if not air.is_as_made(beacon)]
    room.check(not changed, f"the first changed beacons that it had not begun: {changed}")
    room.none(ledger.accounts(engine, "WO-1", others, 4))
    room.none(ledger.records(engine, [first, second]))
    standings = engine.sql("SELECT standing, outcome, count(*) FROM beacon_dfu.result WHERE station = 's1' GROUP BY 1, 2")
    room.check(standings and all(row[0] == "late" for row in standings), f"results of the first: {standings}")
    room.remark(f"results of the first: {standings}")


@scenario("a-running-transfer-is-finished-though-its-claim-is-lost")
def one_alone(room):
    """A bench that was suspended in a transfer, and whose unit no other bench took: it continues after renewing its
    claim."""
    engine, office, air, (station,) = setting(room, 2, BLINKER, link=SLOW, pace=10)
    office.order("WO-2", BLINKER, "--expected", "2")
    run = station.work("WO-2", air.file("air"), "--no-golden", links=1)
    run.wait_for(event="phase", name="transferring")
    run.signal(signal.SIGSTOP)
    engine.wait_for("SELECT bool_and(lease_until < clock_timestamp()) FROM beacon_dfu.unit WHERE state = 'claimed'", 60,
                    "the claims run out")
    run.signal(signal.SIGCONT)
    room.equal(run.wait(60), 0, "exit status")
    station.hand_in()
    room.none(ledger.accounts(engine, "WO-2", air, 2))
    room.none(ledger.records(engine, [station]))
    room.none(ledger.repeats([station], BLINKER.version))


@scenario("clocks-that-are-wrong-change-no-claim", needs=("clock",))
def clocks(room):
    """Benches whose clocks are ten minutes ahead and behind, and one in another year: claims last equally long, and the
    error is reported."""
    engine, office, air, stations = setting(room, 12, BLINKER, stations=4, pace=1, link=SLOW)
    office.order("WO-3", BLINKER, "--expected", "12")
    shifts = (0, 600, -600, -40_000_000)
    runs = []
    for index, (station, shift) in enumerate(zip(stations, shifts)):
        beacons = air.beacons[3 * index:3 * index + 3]
        runs.append(station.work("WO-3", air.file(station.name, beacons), "--no-golden", links=1,
                                 environment=Clock(room, station.name, shift).environment))
    claims = {}

    def seen():
        # As soon as each has claims: the first bench may be done before the last one begins.
        for name, seconds in engine.sql("SELECT station, extract(epoch FROM max(lease_until - clock_timestamp())) "
                                        "FROM beacon_dfu.unit WHERE state = 'claimed' GROUP BY station"):
            claims.setdefault(name, float(seconds))
        return len(claims) == 4
    until(seen, 60, "every bench has claims")
    room.check(all(60 < seconds <= 120 for seconds in claims.values()), f"claims in seconds: {claims}")
    room.equal([run.wait(120) for run in runs], [0] * 4, "exit statuses")
    room.equal(["clock-skew" in run.codes() for run in runs], [False, True, True, True], "reported a wrong clock")
    room.none(ledger.accounts(engine, "WO-3", air, 12))
    room.none(ledger.records(engine, stations))
    room.none(ledger.repeats(stations, BLINKER.version))
    room.equal(engine.count("SELECT count(*) FROM beacon_dfu.result WHERE standing <> 'current'"), 0, "late results")
    skews = engine.sql("SELECT name, round(extract(epoch FROM clock_ahead)) FROM beacon_dfu.stations ORDER BY name")
    for (name, found), wanted in zip(skews, shifts):
        room.check(abs(float(found) - wanted) < 5, f"{name} is shown {found} s ahead instead of {wanted}")
    order = engine.sql("SELECT bool_and(n = sequence) FROM ("
                       "SELECT sequence, row_number() OVER (PARTITION BY station ORDER BY number) n FROM beacon_dfu.result) x")
    room.equal(order[0][0], "t", "results are in the order of their numbers")
    room.remark("; ".join(f"{name} {found} s" for name, found in skews))


@scenario("a-clock-that-is-set-during-a-run-changes-no-claim", needs=("clock",))
def clock_set(room):
    """The bench's clock jumps by an hour, forward and back, between claim and end; durations are not affected."""
    engine, office, air, (station,) = setting(room, 3, BLINKER, link=SLOW, pace=1)
    office.order("WO-4", BLINKER, "--expected", "3")
    clock = Clock(room, "s1")
    began = time.monotonic()
    run = station.work("WO-4", air.file("air"), "--no-golden", links=1, environment=clock.environment)
    run.wait_for(event="phase", name="transferring")
    clock.set(3600)
    until(lambda: run.find(event="finished"), 30, "a unit is finished")
    clock.set(-3600)
    room.equal(run.wait(90), 0, "exit status")
    took = time.monotonic() - began
    seconds = [json.loads(row[0])["seconds"] for table in ("session", "attempt") for row in station.rows(f"SELECT record FROM {table}")]
    room.equal(len(seconds), 4, "a session and three attempts")
    room.check(all(0.1 < one < took for one in seconds), f"how long they took: {seconds}, of {took:.1f} s")
    room.none(ledger.accounts(engine, "WO-4", air, 3))
    room.none(ledger.records(engine, [station]))
    room.equal(engine.count("SELECT count(*) FROM beacon_dfu.result WHERE standing <> 'current'"), 0, "late results")
