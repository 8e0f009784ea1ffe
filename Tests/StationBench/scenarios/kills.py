"""Benches and their work server killed repeatedly with -9, at random moments."""

import random
import signal
import time

from host import ledger
from host.air import BLINKER
from host.plan import scenario
from host.room import Broken
from scenarios.orders import setting

STATIONS, EACH, KILLS = 3, 40, 20
#: The permitted exit statuses of programs that were not killed: done, some have failed, nothing to do, later perhaps, Ctrl-C.
SOUND = (0, 1, 2, 75, 130)
SLOW = "{interval_ms: 8, event_ms: 6}"


def ended(run, *more):
    """Checks how a program has ended by itself."""
    status = run.wait(90)
    if status not in (*SOUND, *more):
        raise Broken(f"a station ended with {status}, and was not killed; its last event: {run.last}; {run.said()}")


@scenario("twenty-kills-lose-nothing-and-do-nothing-twice", kind="kills", seeds=True)
def killed(room):
    """Three benches share an order while one of the four programs is killed about every second; then all may work to the
    end."""
    numbers = random.Random(room.seed)
    engine, office, air, stations = setting(room, STATIONS * EACH, BLINKER, stations=STATIONS, link=SLOW)
    office.order("WO-1", BLINKER, "--expected", str(STATIONS * EACH))
    runs, met, kills = {}, set(), {"engine": 0}

    def begin(index):
        beacons = air.beacons[index * EACH:(index + 1) * EACH]
        station = stations[index]
        runs[index] = station.work("WO-1", air.file(station.name, beacons), "--no-golden", "--follow",
                                   tray=air.tray(station.name, beacons), links=3)

    for index in range(STATIONS):
        begin(index)
    moments = []
    for _ in range(KILLS):
        time.sleep(numbers.uniform(0.1, 2))
        victim = numbers.randrange(STATIONS + 1)
        moments.append(victim)
        if victim == STATIONS:
            engine.kill(leaving_orphans=numbers.random() < 0.5)
            kills["engine"] += 1
            time.sleep(numbers.uniform(0, 1))
            engine.restart()
        else:
            if not runs[victim].is_running:
                ended(runs[victim])
            runs[victim].kill()
            kills[stations[victim].name] = kills.get(stations[victim].name, 0) + 1
            met |= ledger.killed_at(stations[victim])
            begin(victim)
    deadline = time.monotonic() + 300
    while engine.count("SELECT count(*) FROM beacon_dfu.unit WHERE state IN ('verified', 'failed')") < STATIONS * EACH:
        if time.monotonic() > deadline:
            raise Broken(f"the order does not finish: {engine.sql('SELECT state, count(*) FROM beacon_dfu.units GROUP BY state')}")
        for index, run in runs.items():
            if not run.is_running:
                ended(run)
                begin(index)
        time.sleep(0.5)
    for run in runs.values():
        if run.is_running:
            run.signal(signal.SIGINT)
    for run in runs.values():
        # A program that has just started does not handle Ctrl-C yet.
        ended(run, -signal.SIGINT)
    for station in stations:
        station.hand_in()
    room.none(ledger.accounts(engine, "WO-1", air, STATIONS * EACH), "accounts")
    room.none(ledger.records(engine, stations), "records")
    room.none(ledger.repeats(stations, BLINKER.version, may_repeat=met | ledger.broken_off(stations)), "repeats")
    total = len(ledger.results(engine))
    room.remark(f"{STATIONS * EACH} units, {total} results; killed: {', '.join(f'{name} {count}' for name, count in sorted(kills.items()))}")
