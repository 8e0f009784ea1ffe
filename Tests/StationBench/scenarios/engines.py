"""The work server is killed, full, read-only, or replaced by its standby."""

import pathlib
import signal
import subprocess
import time

from host import ledger
from host.air import BLINKER, SMALL, Air
from host.engine import Engine, own, unprivileged
from host.plan import scenario
from host.room import Skipped, children, kill, until
from host.stations import Office, Station
from scenarios.orders import SLOW, setting


@scenario("a-killed-work-server-keeps-acknowledged-results")
def killed(room):
    """kill -9 in the middle of deliveries, three times: of all its processes, and of the first one alone."""
    engine, office, air, stations = setting(room, 60, stations=2)
    office.order("WO-1", SMALL, "--expected", "60")
    halves = [air.beacons[:30], air.beacons[30:]]
    runs = [station.work("WO-1", air.file(station.name, half), "--no-golden", "--lease", "24h", links=3)
            for station, half in zip(stations, halves)]
    refusals, kills = 0, 0
    for share in (6, 20, 40):
        engine.wait_for(f"SELECT count(*) >= {share} FROM beacon_dfu.result", 90, f"{share} results")
        engine.kill(leaving_orphans=kills == 1)
        kills += 1
        for station in stations:
            station.acknowledged = station.outbox()
        refusals += engine.restart()
        there = ledger.results(engine)
        lost = [key for station in stations for key in station.acknowledged if key not in there]
        room.check(not lost, f"{len(lost)} acknowledged results are gone after kill {kills}")
    statuses = [run.wait(180) for run in runs]
    for station in stations:
        station.hand_in()
    room.equal(statuses, [0, 0], "exit statuses")
    room.none(ledger.accounts(engine, "WO-1", air, 60))
    room.none(ledger.records(engine, stations))
    room.none(ledger.repeats(stations, SMALL.version))
    room.remark(f"{kills} kills, {refusals} restarts refused, {len(ledger.results(engine))} results")


@scenario("a-read-only-server-does-not-stop-the-tray")
def read_only(room):
    """default_transaction_read_only: flashing continues, results wait, and come later."""
    engine, office, air, (station,) = setting(room, 8)
    office.order("WO-2", SMALL, "--expected", "8")
    run = station.work("WO-2", air.file("air"), "--no-golden", "--lease", "24h", links=2)
    run.wait_for(event="phase", name="transferring")
    engine.sql("ALTER SYSTEM SET default_transaction_read_only = on")
    engine.sql("SELECT pg_reload_conf()")
    room.equal(run.wait(120), 0, "exit status")
    room.check("engine-read-only" in run.codes(), f"the reason is not reported: {run.codes()}")
    room.equal(sum(air.holds(beacon) for beacon in air.beacons), 8, "beacons with the firmware")
    refused = station.work("WO-2", air.file("air"))
    refused.wait()
    room.check("engine-read-only" in refused.codes(), f"a new tray: {refused.last}")
    engine.sql("SET default_transaction_read_only = off; ALTER SYSTEM RESET default_transaction_read_only;")
    engine.sql("SELECT pg_reload_conf()")
    until(lambda: station.command("deliver").returncode in (0, 2), 60, "results are handed in")
    room.none(ledger.accounts(engine, "WO-2", air, 8))
    room.none(ledger.records(engine, [station]))


@scenario("a-full-disk-of-the-server-does-not-stop-the-tray", needs=("root",))
def disk_full(room):
    """A small file system runs full in the middle of a tray: results wait, and come when there is space."""
    folder = room.folder / "small"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=120m,mode=755", "tmpfs", folder], capture_output=True, text=True)
    if done.returncode != 0:
        raise Skipped(f"no tmpfs here: {done.stderr.strip()}")
    room.callback(subprocess.run, ["umount", "-l", str(folder)], check=False)
    own(folder)
    subprocess.run(["cp", "-a", room.bench.template.data, folder / "data"], check=True)
    engine = Engine(room, folder=folder).start()
    office, air = Office(room, engine), Air(room.folder, 24, SMALL)
    station = Station(room, engine).joined()
    office.order("WO-3", SMALL, "--expected", "24")
    run = station.work("WO-3", air.file("air"), "--no-golden", "--lease", "24h", links=2)
    run.wait_for(event="phase", name="transferring")
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as full:
        try:
            while True:
                full.write(bytes(4096))
        except OSError:
            pass
    status = run.wait(180)
    held = sum(air.holds(beacon) for beacon in air.beacons)
    room.equal(held, 24, "beacons with the firmware")
    room.equal(status, 0, "exit status")
    waiting = len(station.outbox("waiting")) + len(station.outbox("sent"))
    room.remark(f"{waiting} results waited; codes {sorted(run.codes())}")
    room.check(waiting > 0, "nothing had to wait: the disk was not full")
    filler.unlink()

    def handed_in():
        # It may stop only now, because its last attempt to recover found no space.
        if engine.process.poll() is not None:
            engine.restart()
            room.remark("the work server had stopped")
        return station.command("deliver").returncode in (0, 2)
    until(handed_in, 60, "results are handed in")
    room.none(ledger.accounts(engine, "WO-3", air, 24))
    room.none(ledger.records(engine, [station]))


def followed(room, count, pace=60):
    """A work server with a standby that follows it, an office, beacons, and a station that has both addresses."""
    primary = Engine(room, "primary").start()
    spare = primary.copy("spare").start()
    both = f"host={primary.sockets},{spare.sockets} port=5432,5432 dbname=beacons user=bench1 target_session_attrs=read-write"
    station = Station(room, primary, target=both, pace=pace).joined()
    return primary, spare, Office(room, primary), Air(room.folder, count, SMALL), station


@scenario("a-standby-gets-what-it-lacks")
def standby(room):
    """The primary dies with results that its standby never had; the station sends them again automatically."""
    # So many that the standby stops receiving long before the last one.
    primary, spare, office, air, station = followed(room, 24)
    office.order("WO-4", SMALL, "--expected", "24")
    run = station.work("WO-4", air.file("air"), "--no-golden", "--lease", "24h", links=2)
    primary.wait_for("SELECT count(*) >= 3 FROM beacon_dfu.result", 60, "results")
    spare.wait_for("SELECT count(*) >= 3 FROM beacon_dfu.result", 30, "the standby follows")
    # The standby receives nothing any more.
    spare.sql("ALTER SYSTEM SET primary_conninfo = ''", database="postgres")
    spare.sql("SELECT pg_reload_conf()", database="postgres")
    spare.wait_for("SELECT count(*) = 0 FROM pg_stat_wal_receiver", 30, "the standby stops receiving")

    def lacking():
        there = ledger.results(spare)
        return sum(key not in there for key in station.outbox())
    until(lambda: lacking() >= 4, 60, "acknowledged results that the standby lacks")
    primary.kill()
    # Counted before the promotion: the station sends results again as soon as the standby accepts them.
    lacked = lacking()
    room.check(lacked > 0, "the standby lacked nothing")
    spare.sql("SELECT pg_promote()", database="postgres")
    status = run.wait(120)
    station.hand_in()
    # If the run has not noticed it, the next heartbeat does.
    late = station.command("deliver", "--json")
    room.equal(status, 0, "exit status")
    room.check("results-resent" in run.codes() or "results-resent" in late.stdout, "repeated results are not reported")
    room.none(ledger.records(spare, [station]))
    room.none(ledger.accounts(spare, "WO-4", air, 24))
    room.none(ledger.repeats([station], SMALL.version))
    room.remark(f"the standby lacked {lacked} acknowledged results; reported in the run: {'results-resent' in run.codes()}")


@scenario("a-frozen-primary-does-not-hide-its-standby")
def frozen(room):
    """The primary's processes stop, as on a disk that hangs: it accepts connections and never answers. Benches continue
    with the standby."""
    primary, spare, office, air, station = followed(room, 4, pace=1)
    office.order("WO-5", SMALL, "--expected", "4")
    spare.wait_for("SELECT count(*) = 1 FROM beacon_dfu.work_order WHERE state = 'open'", 30, "the standby has the order")
    for pid in (primary.process.pid, *children(primary.process.pid)):
        kill(pid, signal.SIGSTOP)
        # They do not notice that the primary is gone.
        room.callback(kill, pid)
    spare.sql("SELECT pg_promote()", database="postgres")
    run = station.work("WO-5", air.file("air"), "--no-golden")
    room.equal(run.wait(), 0, f"exit status: {run.last}")
    room.none(ledger.accounts(spare, "WO-5", air, 4))
    room.none(ledger.records(spare, [station]))
    room.remark(f"ended after {time.monotonic() - run.began:.0f} s")


@scenario("one-ctrl-c-ends-a-station-that-waits-for-its-server")
def leaving(room):
    """Its units are done and the work server is unreachable: one Ctrl-C ends the wait and the program, and no further tray
    is begun."""
    engine, office, air, (station,) = setting(room, 4, BLINKER, link=SLOW, pace=1)
    office.order("WO-6", BLINKER, "--expected", "4")
    run = station.work("WO-6", air.file("air"), "--no-golden", "--follow", links=2)
    run.wait_for(event="attempted")
    engine.kill()
    until(lambda: len(run.find(event="attempted")) == 4, 30, "all units have had their turn")
    # The run is over, and the sender has reached no work server.
    time.sleep(2)
    run.signal(signal.SIGINT)
    room.equal((run.wait(20), len(run.find(event="batch-started"))), (130, 1), "exit status and runs")
    engine.start()
    room.equal(station.command("deliver").returncode, 0, "exit status of deliver")
    room.none(ledger.accounts(engine, "WO-6", air, 4))
    room.none(ledger.records(engine, [station]))
    room.none(ledger.repeats([station], BLINKER.version))


POOL = pathlib.Path("/usr/sbin/pgbouncer")


@scenario("a-connection-pool-is-reported-and-works")
def pooled(room):
    """PgBouncer with transaction pooling: `doctor` reports it, hints do not come, work continues."""
    if not POOL.exists():
        raise Skipped(f"there is no {POOL}")
    engine, office, air, (station,) = setting(room, 4)
    folder = room.folder / "pool"
    folder.mkdir()
    own(folder)
    (folder / "users").write_text('"bench1" ""\n')
    (folder / "pool.ini").write_text(
        f"[databases]\n* = host={engine.sockets} port=5432\n[pgbouncer]\nlisten_addr =\nlisten_port = 5432\nunix_socket_dir = {folder}\n"
        f"auth_type = trust\nauth_file = {folder}/users\npool_mode = transaction\ndefault_pool_size = 2\n")
    with (folder / "log").open("ab") as log:
        room.start(unprivileged([POOL, "-q", folder / "pool.ini"]), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    target = f"host={folder} port=5432 dbname=beacons user=bench1"
    until(lambda: station.command("doctor", "--engine", target).returncode in (0, 1), 30, "the pool answers")
    told = station.command("doctor", "--engine", target, "--json").stdout
    room.check("engine-pooled" in told, f"doctor does not report the pool: {told}")
    room.check("engine-pooled" not in station.command("doctor", "--json").stdout, "doctor reports a pool if there is none")
    office.order("WO-8", SMALL, "--expected", "4")
    station.target = target
    room.equal(station.work("WO-8", air.file("air"), "--no-golden", links=4).wait(), 0, "exit status")
    room.none(ledger.accounts(engine, "WO-8", air, 4))
    room.none(ledger.records(engine, [station]))


@scenario("an-old-station-hands-in-and-gets-no-work")
def old_station(room):
    """The work server upgrades to calls that the program does not support, in the middle of a run; the program is newer
    than another work server."""
    engine, office, air, (station,) = setting(room, 8, BLINKER, link="{interval_ms: 5, event_ms: 4}")
    office.order("WO-9", BLINKER, "--expected", "8")
    run = station.work("WO-9", air.file("air"), "--no-golden", "--lease", "24h", links=2)
    run.wait_for(event="phase", name="transferring")
    upgraded = "UPDATE beacon_dfu.schema_version SET least_protocol = {0}, most_protocol = {1}"
    engine.sql(upgraded.format(2, 2))
    run.wait(120)
    held = sum(air.holds(beacon) for beacon in air.beacons)
    room.check(held >= 2, "units that ran were not finished")
    until(lambda: station.command("deliver", "--json").returncode in (0, 2), 60, "results are handed in")
    room.equal(office.status("WO-9")["verified"], held, "verified units")
    again = station.work("WO-9", air.file("air"), "--no-golden")
    room.check(again.wait() != 0 and "program-too-old" in again.codes(), f"not refused by name: {again.last}")
    engine.sql(upgraded.format(0, 0))
    again = station.work("WO-9", air.file("air"), "--no-golden")
    room.check(again.wait() != 0 and "engine-too-old" in again.codes(), f"not refused by name: {again.last}")
    engine.sql(upgraded.format(1, 1))
    room.check(station.work("WO-9", air.file("air"), "--no-golden").wait() in (0, 2), "exit status once they speak the same")
    room.none(ledger.accounts(engine, "WO-9", air, 8))
    room.none(ledger.records(engine, [station]))
    room.none(ledger.repeats([station], BLINKER.version))
