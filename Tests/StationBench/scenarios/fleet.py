"""Five stations, one order of 500 units, and everything that goes wrong in a shift."""

import random
import signal
import time

from host import ledger
from host.air import SMALL, Air
from host.engine import Engine
from host.network import Network
from host.plan import scenario
from host.room import Broken
from host.stations import Office, Station

STATIONS, EACH, SHARED = 5, 100, 10
UNITS = STATIONS * EACH
PACE = 60
# Ten minutes in a station's own time.
CUT = 600 / PACE
FAULTS = ("keep_old_application: 1", "cut_after_packet: 30", "power_loss_in_object: 1", "refuse_execute: 1", "corrupt_checksum: 1",
          "lose_flash_write: 10", "silence_from_packet: 25", "lose_notification: 4", "slow_bootloader_ms: 2000",
          "cut_before_packet: 12")


class Fleet:
    """The stations at their trays. All are on one machine, so that two cannot connect to one beacon at once, as on the air; each has a
    path of its own to the work server, which can be cut."""

    def __init__(self, room):
        self.room = room
        self.numbers = random.Random(room.seed)
        self.network = Network(room, doors=STATIONS)
        self.engine = Engine(room, address=",".join(self.network.doors), namespace=self.network.hub,
                             settings={"log_min_messages": "error"}).start()
        faulty = self.numbers.sample(range(1, UNITS + 1), UNITS // 50)
        self.faults = {number: [fault] for number, fault in zip(faulty, FAULTS)}
        self.air = Air(room.folder, UNITS, SMALL, faults=self.faults)
        self.office = Office(room, self.engine)
        self.office.order("WO-1", SMALL, "--expected", str(UNITS))
        self.host = self.network.host()
        self.stations = []
        for index, door in enumerate(self.network.doors):
            target = f"host={door} port=5432 dbname=beacons user=bench{index + 1}"
            self.stations.append(Station(room, self.engine, f"s{index + 1}", host=self.host, pace=PACE, target=target).joined())
        self.runs = {}
        self.met = set()
        self.events = []

    def beacons(self, index) -> list:
        """A tray: its own beacons, and the first ones of the next tray, which are in range."""
        own = self.air.beacons[index * EACH:(index + 1) * EACH]
        following = ((index + 1) % STATIONS) * EACH
        return own + self.air.beacons[following:following + SHARED]

    def begin(self, index):
        station = self.stations[index]
        beacons = self.beacons(index)
        self.runs[index] = station.work("WO-1", self.air.file(station.name, beacons), "--no-golden", "--follow",
                                        tray=self.air.tray(station.name, beacons), links=24)

    def settled(self) -> int:
        """Finished units; -1 without an answer."""
        try:
            return self.engine.count("SELECT count(*) FROM beacon_dfu.unit WHERE state IN ('verified', 'failed')")
        except Broken:
            return -1

    def plan(self):
        """The events at certain counts of finished units, in an order from the seed."""
        numbers = self.numbers
        victim, lonely = numbers.sample(range(STATIONS), 2)
        shares = sorted(numbers.uniform(0.02, 0.7) for _ in range(4))
        deeds = [lambda: self.kill(victim), lambda: self.cut(lonely), lambda: self.restart(False), lambda: self.restart(True)]
        numbers.shuffle(deeds)
        return [(int(share * UNITS), deed) for share, deed in zip(shares, deeds)]

    def note(self, words):
        self.events.append(f"{time.monotonic() - self.began:.0f} s {words}")

    def kill(self, index):
        self.note(f"kill {self.stations[index].name}")
        self.runs.pop(index).kill()
        self.stations[index].kills += 1
        self.met |= ledger.killed_at(self.stations[index])
        self.later.append((time.monotonic() + self.numbers.uniform(0.2, 4), lambda: self.begin(index)))

    def cut(self, index):
        self.note(f"cut {self.stations[index].name}")
        door = self.network.doors[index]
        self.network.shut(self.host, door)
        self.later.append((time.monotonic() + CUT, lambda: (self.note("mend"), self.network.open(self.host, door))))

    def restart(self, hard):
        self.note("kill engine" if hard else "restart engine")
        self.engine.kill() if hard else self.engine.stop()
        self.later.append((time.monotonic() + self.numbers.uniform(0, 2), self.engine.start))

    def play(self, deadline):
        """Runs until every unit has finished, and all events have happened."""
        self.began = time.monotonic()
        self.later = []
        for index in range(STATIONS):
            self.begin(index)
        deeds = self.plan()
        while True:
            for item in [one for one in self.later if one[0] <= time.monotonic()]:
                self.later.remove(item)
                item[1]()
            # Stations that follow an order end by themselves when it is done, which may be between these two looks.
            ended = [index for index, run in self.runs.items() if not run.is_running]
            settled = self.settled()
            if 0 <= settled < UNITS:
                self.must_work(ended)
            if deeds and settled >= deeds[0][0]:
                deeds.pop(0)[1]()
            if settled >= UNITS and not deeds and not self.later:
                return
            if time.monotonic() - self.began > deadline:
                raise Broken(f"{settled} of {UNITS} units are settled after {deadline} s; {self.events}; {self.standing()}")
            time.sleep(0.5)

    def must_work(self, ended):
        """A station that ended by itself leaves its units unclaimed, and the order would not end."""
        for index in ended:
            run = self.runs[index]
            raise Broken(f"{self.stations[index].name} ended by itself with {run.wait(10)}: {run.last}; {run.said()}; {self.events}")

    def standing(self) -> str:
        """The last event of every station, and the open units of each."""
        stations = [f"{self.stations[index].name}: {run.last}" for index, run in self.runs.items()]
        try:
            units = [row for row in ledger.units(self.engine, "WO-1").items() if row[1]["state"] not in ("verified", "failed")]
        except Broken as error:
            units = error
        return f"{'; '.join(stations)}; open: {units}"

    def reasons(self, key) -> str:
        """The messages of stations about a failed unit."""
        said = [f"{station.name}: {one['message']}" for station in self.stations for run in station.runs
                for one in run.find(event="failed", device=key) if one.get("code") not in ("lease-short", "claim-lost")]
        return f" [{'; '.join(said)}]" if said else ""

    def finish(self):
        """Ctrl-C for all stations; then the remaining results are handed in."""
        for run in self.runs.values():
            if run.is_running:
                run.signal(signal.SIGINT)
        for run in self.runs.values():
            run.wait(60)
        for station in self.stations:
            station.hand_in()


@scenario("a-fleet-accounts-for-every-unit", kind="fleet", needs=("namespaces",), seeds=True)
def fleet(room):
    """500 units, 2 % with faults; a station killed, one cut off for ten of its minutes, the work server killed and
    restarted."""
    fleet = Fleet(room)
    fleet.play(400)
    seconds = time.monotonic() - fleet.began
    fleet.finish()
    judge(room, fleet)
    found = ledger.units(fleet.engine, "WO-1")
    states = {state: sum(unit["state"] == state for unit in found.values()) for state in ("verified", "failed")}
    attempts = ledger.begun(fleet.stations)
    again = sum(len([one for one in steps if "update" in one[1]]) > 1 for steps in attempts.values())
    late = fleet.engine.count("SELECT count(*) FROM beacon_dfu.result WHERE standing = 'late'")
    total = len(ledger.results(fleet.engine))
    room.remark(f"{UNITS} units in {seconds:.0f} s: {states['verified']} verified, {states['failed']} failed; {total} results, "
                f"{late} late; {again} beacons sent firmware again; {', '.join(fleet.events)}")


def judge(room, fleet):
    """All that has to hold at the end."""
    flaws = list(ledger.accounts(fleet.engine, "WO-1", fleet.air, UNITS, may_fail=fleet.faults))
    room.none((flaw + fleet.reasons(flaw.split()[0]) for flaw in flaws), "accounts")
    room.none(ledger.counts(fleet.engine, "WO-1", fleet.office.status("WO-1")), "counts")
    room.none(ledger.records(fleet.engine, fleet.stations), "records")
    faulty = {fleet.air.beacons[number - 1].key for number in fleet.faults}
    room.none(ledger.repeats(fleet.stations, SMALL.version, may_repeat=faulty | fleet.met | ledger.broken_off(fleet.stations)), "repeats")
