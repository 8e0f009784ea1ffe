"""The performance and the cost of the work server and a station."""

import pathlib
import re
import shutil
import signal
import time

from host import ledger
from host.air import SMALL, Air
from host.engine import BINARIES, Engine
from host.network import Network
from host.plan import scenario
from host.room import Broken, until
from host.stations import Office, Station

CLIENTS = 16
LIVE = 16_000
SECONDS = 15
# About the size of a result of the program.
BODY = 2500


def stocked(room, waiting) -> Engine:
    """A work server with a large order, 16 stations, and 16 000 live leases."""
    engine = Engine(room, settings={"max_connections": "60", "shared_buffers": "128MB"}).start()
    engine.sql(f"""
        BEGIN;
        SET LOCAL search_path = beacon_dfu;
        INSERT INTO work_order (number, state, expected, is_listed, units)
        VALUES ('WO', 'open', {LIVE + waiting}, true, {LIVE + waiting});
        INSERT INTO unit (order_number, key, selector) SELECT 'WO', k, k FROM (
          SELECT 'F0:' || regexp_replace(lpad(upper(to_hex(n)), 10, '0'), '(..)(?=.)', '\\1:', 'g') || '/random' AS k
          FROM generate_series(1, {LIVE + waiting}) n) x;
        INSERT INTO unit_alias SELECT 'WO', key, id FROM unit;
        COMMIT;""")
    engine.sql("VACUUM ANALYZE", seconds=120)
    for client in range(CLIENTS):
        engine.sql(f"SELECT beacon_dfu.greet(1, 'c{client}', {name(client)}, 'bench', 'bench', 0, 0, NULL, NULL, '{{}}', 0)",
                   user="bench1")
        for _ in range(LIVE // CLIENTS // 1000):
            engine.sql(f"SELECT count(*) FROM beacon_dfu.claim(1, 'WO', 'c{client}', {name(client)}, NULL, NULL, 1000, 3600000)",
                       user="bench1")
    live = engine.count("SELECT count(*) FROM beacon_dfu.unit WHERE state = 'claimed'")
    room.equal(live, LIVE, "live leases before")
    return engine


def name(client) -> str:
    return f"md5('c' || {client})::uuid"


def pgbench(room, engine, script) -> tuple[float, float, int]:
    """Transactions per second, milliseconds each, and their number."""
    path = room.folder / "script.sql"
    path.write_text(script)
    said = room.must([BINARIES / "pgbench", "-n", "-M", "prepared", "-h", engine.sockets, "-p", "5432", "-U", "bench1",
                      "-c", CLIENTS, "-j", "2", "-T", SECONDS, "-D", "seq=0", "-f", path, "beacons"], seconds=SECONDS + 60)
    failed = re.search(r"number of failed transactions: (\d+)", said)
    room.check(not failed or failed[1] == "0", f"failed transactions: {said}")
    rate = float(re.search(r"tps = ([\d.]+)", said)[1])
    latency = float(re.search(r"latency average = ([\d.]+)", said)[1])
    return rate, latency, int(re.search(r"actually processed: (\d+)", said)[1])


CLAIM = """SELECT key AS k, epoch AS e FROM beacon_dfu.claim(1, 'WO', 'c' || :client_id::int, md5('c' || :client_id::int)::uuid,
 NULL, NULL, 1, 3600000) WHERE kind = 'grant' \\gset
"""
DELIVER = f"""\\set seq :seq + 1
SELECT answer AS a FROM (
 SELECT '{{"client":' || :client_id::int || ',"n":' || :seq::bigint || ',"pad":"' || repeat('x', {BODY}) || '"}}' AS body) b,
 LATERAL beacon_dfu.deliver('c' || :client_id::int, md5('c' || :client_id::int)::uuid,
 ARRAY [gen_random_uuid()::text], ARRAY [:seq]::bigint[],
 ARRAY ['WO'], ARRAY [:k]::text[], ARRAY [:e]::bigint[], ARRAY ['passed'], ARRAY [NULL]::text[], ARRAY [body],
 ARRAY [encode(sha256(convert_to(body, 'UTF8')), 'hex')], ARRAY [0]::bigint[]) \\gset
"""


@scenario("claims-per-second-over-16000-leases", kind="measure")
def claims(room):
    """16 clients claim one unit at a time; every grant is one client's."""
    engine = stocked(room, 60_000)
    rate, latency, count = pgbench(room, engine, CLAIM)
    claimed = engine.count("SELECT count(*) FROM beacon_dfu.unit WHERE state = 'claimed' AND attempts = 1 AND epoch = 1")
    room.equal(claimed, LIVE + count, "units with one claim each")
    room.remark(f"{rate:.0f} claims/s, {latency:.1f} ms each, {count} distinct, {CLIENTS} clients")


@scenario("claims-and-deliveries-per-second-over-16000-leases", kind="measure")
def deliveries(room):
    """16 clients claim a unit and hand its result in, 2.5 kB, one at a time."""
    engine = stocked(room, 60_000)
    rate, latency, count = pgbench(room, engine, CLAIM + DELIVER)
    room.equal(engine.count("SELECT count(*) FROM beacon_dfu.result WHERE standing = 'current'"), count, "results")
    room.equal(engine.count("SELECT count(*) FROM beacon_dfu.unit WHERE state = 'verified'"), count, "verified units")
    size = engine.count("SELECT pg_total_relation_size('beacon_dfu.result') / greatest(count(*), 1) FROM beacon_dfu.result")
    room.remark(f"{rate:.0f} claims and deliveries/s, {latency:.1f} ms a pair, {count} results, {size} bytes per result on disk")


@scenario("bytes-on-the-wire-per-unit", kind="measure", needs=("namespaces",))
def wire(room):
    """The traffic between a station and the work server: at the start of a run, and for each unit."""
    network = Network(room)
    engine = Engine(room, address=network.address, namespace=network.hub).start()
    office, air = Office(room, engine), Air(room.folder, 120, SMALL)
    station = Station(room, engine, host=network.host(), pace=1).joined()
    office.order("WO-1", SMALL, "--expected", "120")
    sums = []
    for beacons in (air.beacons[:4], air.beacons[4:20], air.beacons[20:120]):
        before = network.traffic(station.host)
        began = time.monotonic()
        room.equal(station.work("WO-1", air.file("air", beacons), "--no-golden", links=25).wait(), 0, "exit status")
        sent, got = (after - was for after, was in zip(network.traffic(station.host), before))
        sums.append((len(beacons), sent, got, time.monotonic() - began))
    (few, sent_few, got_few, _), (many, sent_many, got_many, seconds) = sums[1:]
    sent, got = (sent_many - sent_few) / (many - few), (got_many - got_few) / (many - few)
    room.none(ledger.accounts(engine, "WO-1", air, 120))
    bodies = engine.count("SELECT avg(octet_length(body::text))::int FROM beacon_dfu.result")
    room.remark(f"a unit: {sent:.0f} bytes sent, {got:.0f} received (result bodies {bodies}); "
                f"a run with {few}: {sent_few} and {got_few}; "
                f"the first with {sums[0][0]} and the file: {sums[0][1]} and {sums[0][2]}; {many} units in {seconds:.0f} s")


def memory(pid, field) -> int:
    """Kilobytes of a process."""
    return int(re.search(rf"{field}:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1])


@scenario("memory-of-a-station-over-many-units", kind="measure")
def memory_curve(room, units=10_000, seconds=1500, each=100):
    """One process follows an order for 10 000 units, or 25 minutes; the beacons are reset after each tray, and their units
    with them."""
    engine = Engine(room).start()
    office, air = Office(room, engine), Air(room.folder, each, SMALL)
    station = Station(room, engine, pace=20).joined()
    # One more unit than there are beacons: the order never finishes.
    office.order("WO-1", SMALL, "--expected", str(each + 1))
    run = station.work("WO-1", air.file("air"), "--no-golden", "--follow", tray=air.tray("tray"), links=40)
    began, done, curve, trays = time.monotonic(), 0, [], 0
    while done < units and time.monotonic() - began < seconds:
        until(lambda: len(run.find(event="batch-finished")) > trays or not run.is_running, 120, "a tray is finished", pause=0.02)
        if not run.is_running:
            raise Broken(f"the station ended with {run.wait()}: {run.last}")
        trays += 1
        shutil.rmtree(air.memory, ignore_errors=True)
        engine.sql("UPDATE beacon_dfu.unit SET state = 'waiting' WHERE state = 'verified'")
        done = engine.count("SELECT count(*) FROM beacon_dfu.result WHERE outcome = 'passed'")
        curve.append((done, memory(run.process.pid, "VmRSS") // 1024))
    peak = memory(run.process.pid, "VmHWM") // 1024
    run.signal(signal.SIGINT)
    run.wait(60)
    room.none(ledger.records(engine, [station]))
    room.check(done >= each, f"only {done} units")
    steps = curve[:: max(1, len(curve) // 12)] + curve[-1:]
    room.remark(f"{done} units in {trays} trays, peak {peak} MB; units: MB " + " ".join(f"{count}:{size}" for count, size in steps))
    half = curve[len(curve) // 2]
    if len(curve) >= 10:
        growth = (curve[-1][1] - half[1]) / max(1, curve[-1][0] - half[0]) * 1000
        room.remark(f"second half: {growth:+.1f} MB per thousand units")
