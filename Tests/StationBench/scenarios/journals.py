"""Journals that were copied, restored from a backup, or wanted by two programs; a killed station."""

import hashlib
import json
import shlex
import shutil
import signal
import sqlite3
import threading

from host import ledger
from host.air import BLINKER, SMALL
from host.plan import scenario
from host.room import until
from host.stations import Station
from scenarios.orders import SLOW, setting


def copy(source, target):
    """The journal with all its other files."""
    target.mkdir(exist_ok=True)
    for path in source.glob("journal.sqlite*"):
        shutil.copy2(path, target / path.name)


def refusal(done) -> dict:
    """The failure with which a command with --json ended."""
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return lines[-1] if lines else {}


@scenario("a-copied-journal-is-refused-until-it-has-a-new-identity")
def copied(room):
    """The disk of one bench was copied to a second: refused by name, with a next step; `join --new-journal` makes it
    work."""
    engine, office, air, (first,) = setting(room, 8)
    office.order("WO-1", SMALL, "--expected", "8")
    room.equal(first.work("WO-1", air.file("first", air.beacons[:4]), "--no-golden").wait(), 0, "exit status of the first")
    second = Station(room, engine, "s2")
    copy(first.folder, second.folder)
    done = second.join("--json")
    failure = refusal(done)
    room.check(done.returncode != 0, "a copied journal may join")
    room.equal(failure.get("code"), "journal-copied", "code")
    room.check("s1" in failure.get("message", ""), f"the station is not named: {failure}")
    room.check("new-journal" in (failure.get("next_step") or ""), f"next step: {failure.get('next_step')}")
    # Without joining again: the record of `join` was copied as well.
    shutil.copy2(first.folder / "station.yaml", second.folder / "station.yaml")
    room.equal(second.join("--new-journal").returncode, 0, "join --new-journal")
    room.check(second.incarnation() != first.incarnation(), "the journal has the same name as before")
    run = second.work("WO-1", air.file("second", air.beacons[4:]), "--no-golden")
    room.equal(run.wait(), 0, "exit status of the second")
    room.none(ledger.accounts(engine, "WO-1", air, 8))
    there = ledger.results(engine)
    room.equal(sum(row[1] == "s2" for row in there.values()), 4, "results of the second")
    room.equal(len(there), 8, "results")


@scenario("a-journal-from-a-backup-is-refused-until-it-has-a-new-identity")
def restored(room):
    """The journal is restored to an earlier state: refused by name, with a next step, before anything is done."""
    engine, office, air, (station,) = setting(room, 9)
    office.order("WO-2", SMALL, "--expected", "9")
    backup = room.folder / "backup"
    station.work("WO-2", air.file("one", air.beacons[:3]), "--no-golden").wait()
    copy(station.folder, backup)
    station.work("WO-2", air.file("two", air.beacons[3:6]), "--no-golden").wait()
    for path in station.folder.glob("journal.sqlite*"):
        path.unlink()
    copy(backup, station.folder)
    before = {beacon.number: air.contents(beacon) for beacon in air.beacons}
    run = station.work("WO-2", air.file("three", air.beacons[6:]), "--no-golden")
    room.check(run.wait() != 0, "a journal from a backup is worked with")
    room.check("journal-restored" in run.codes(), f"not refused by name: {run.last}")
    room.check("new-journal" in (run.last.get("next_step") or ""), f"next step: {run.last.get('next_step')}")
    room.none(ledger.untouched(air, air.beacons, before))
    done = station.command("deliver", "--json")
    room.equal(refusal(done).get("code"), "journal-restored", "code of `deliver`")
    room.equal(station.join("--new-journal").returncode, 0, "join --new-journal")
    room.equal(station.work("WO-2", air.file("three", air.beacons[6:]), "--no-golden").wait(), 0, "exit status afterwards")
    room.none(ledger.accounts(engine, "WO-2", air, 9))
    room.equal(len(ledger.results(engine)), 9, "results")


@scenario("a-journal-is-used-by-one-program")
def two_programs(room):
    """A second program with the same journal is refused, with the first one's name; the first is not disturbed."""
    # Slow: the first works while two other programs start and are refused.
    engine, office, air, (station,) = setting(room, 6, BLINKER, link=SLOW)
    office.order("WO-3", BLINKER, "--expected", "6")
    run = station.work("WO-3", air.file("first", air.beacons[:3]), "--no-golden", links=1)
    run.wait_for(event="attempt")
    other = station.work("WO-3", air.file("second", air.beacons[3:]), "--no-golden")
    room.check(other.wait(30) != 0, "two programs work with one journal")
    room.check(any("journal" in code for code in other.codes()), f"not refused by name: {other.last}")
    room.check(str(run.process.pid) in str(other.last), f"the first is not named: {other.last}")
    delivery = station.command("deliver", "--json")
    room.check(delivery.returncode != 0, "deliver takes the journal of a run")
    room.equal(run.wait(60), 0, "exit status of the first")
    room.none(ledger.untouched(air, air.beacons[3:], {}))
    room.remark(str(other.last.get("code")))


@scenario("a-name-belongs-to-one-bench")
def name_taken(room):
    """Another login may not join under a station's name, and another's journal does not count as its own: a bench is
    renamed by an option."""
    engine, office, air, (station,) = setting(room, 1)
    thief = Station(room, engine, "s1", login="bench2", folder=room.folder / "thief")
    failure = refusal(thief.join("--json"))
    room.equal(failure.get("code"), "station-taken", "code")
    room.check(failure.get("next_step"), "there is no next step")
    room.equal(station.join().returncode, 0, "the station itself joins again")
    renamed = Station(room, engine, "line1", login=station.login, folder=station.folder)
    room.equal(refusal(renamed.join("--json")).get("code"), "station-folder-taken", "code of another name in the same folder")
    room.equal(renamed.join("--new-journal").returncode, 0, "the bench is renamed")
    (station.folder / "station.yaml").write_text("station: line1\nengi")
    room.equal(refusal(renamed.command("deliver", "--json")).get("code"), "station-invalid", "code of a file that was cut")
    room.equal(renamed.join().returncode, 0, "joining creates it again")
    room.equal(renamed.command("deliver").returncode, 2, "and nothing waits")


@scenario("a-killed-station-resumes-where-it-was")
def killed(room):
    """kill -9 in the middle of transfers; --resume finishes, and no beacon is lost or begun twice without need."""
    engine, office, air, (station,) = setting(room, 10, BLINKER, link="{interval_ms: 5, event_ms: 4}")
    office.order("WO-4", BLINKER, "--expected", "10")
    tray = air.tray("tray")
    run = station.work("WO-4", air.file("air"), "--no-golden", tray=tray, links=3)
    until(lambda: len(run.find(event="finished")) >= 3, 60, "three units are finished")
    run.kill()
    met = ledger.killed_at(station)
    again = station.work("WO-4", air.file("air"), "--no-golden", "--resume", "--follow", tray=tray, links=3)
    room.equal(again.wait(120), 0, "exit status")
    room.none(ledger.accounts(engine, "WO-4", air, 10))
    room.none(ledger.records(engine, [station]))
    room.none(ledger.repeats([station], BLINKER.version, may_repeat=met))
    room.remark(f"killed at {len(met)} beacons")


@scenario("a-killed-station-with-a-rule-loses-no-beacon")
def killed_with_rule(room):
    """The same without a tray: a beacon that was left in its bootloader has no name that a rule could match."""
    engine, office, air, (station,) = setting(room, 6, BLINKER, link="{interval_ms: 5, event_ms: 4}")
    office.order("WO-5", BLINKER, "--expected", "6")
    run = station.work("WO-5", air.file("air"), "--no-golden", links=2)
    until(lambda: len(run.find(event="phase", name="transferring")) >= 2, 60, "two units are sent firmware")
    run.kill()
    met = ledger.killed_at(station)
    again = station.work("WO-5", air.file("air"), "--no-golden", "--follow", links=2)
    stopper = threading.Timer(150, lambda: again.is_running and again.signal(signal.SIGINT))
    stopper.start()
    again.wait(200)
    stopper.cancel()
    room.none(ledger.accounts(engine, "WO-5", air, 6))
    room.none(ledger.records(engine, [station]))
    room.none(ledger.repeats([station], BLINKER.version, may_repeat=met))


@scenario("deliver-reports-the-outcome-of-results")
def delivered(room):
    """Its exit status and its counts: nothing, sent again, set aside for good, not allowed, and an unreachable work
    server."""
    engine, office, air, (station,) = setting(room, 3)
    office.order("WO-6", SMALL, "--expected", "3")
    station.work("WO-6", air.file("air"), "--no-golden").wait()

    def deliver(*more):
        done = station.command("deliver", "--json", *more)
        return done.returncode, refusal(done)

    def lose():
        engine.sql("""SET session_replication_role = replica; DELETE FROM beacon_dfu.result; DELETE FROM beacon_dfu.refused_result;
                      UPDATE beacon_dfu.journal SET contiguous = 0, highest = 0;""")

    def told(status, results, set_aside, words):
        found, last = deliver()
        room.equal((found, last.get("results"), last.get("set_aside"), last.get("waiting")), (status, results, set_aside, 0), words)

    told(2, 0, 0, "nothing waits")
    lose()
    told(0, 3, 0, "the work server has lost three results")
    lose()
    engine.sql("REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA beacon_dfu FROM beacon_dfu_station, PUBLIC")
    engine.sql("GRANT EXECUTE ON FUNCTION beacon_dfu.greet TO beacon_dfu_station")
    status, last = deliver()
    room.equal((status, last.get("code")), (77, "engine-not-allowed"), "a station that may only send heartbeats")
    engine.sql("GRANT EXECUTE ON FUNCTION beacon_dfu.deliver TO beacon_dfu_station")
    body = '{"outcome":"shiny"}'
    with sqlite3.connect(station.journal) as journal:
        journal.execute("UPDATE outbox SET body = ?, body_sha256 = ? WHERE number = 2", (body, hashlib.sha256(body.encode()).hexdigest()))
    told(1, 2, 1, "one of three is no result")
    told(2, 0, 0, "afterwards nothing is wanted again")
    engine.kill()
    status, last = deliver()
    room.equal((status, last.get("code")), (75, "engine-unreachable"), "an unreachable work server")


@scenario("a-copy-of-a-bench-does-not-get-its-units", needs=("root",))
def copied_bench(room):
    """A disk image with its name, login and files on another machine: the units that the bench claimed for a shift remain
    the bench's."""
    engine, office, air, (station,) = setting(room, 2, BLINKER, link="{interval_ms: 5, event_ms: 4}")
    office.order("WO-12", BLINKER, "--expected", "2")
    run = station.work("WO-12", air.file("air"), "--no-golden", "--lease", "24h", links=1)
    run.wait_for(event="phase", name="transferring")
    run.signal(signal.SIGSTOP)
    image = room.folder / "image"
    copy(station.folder, image)
    # The bench was silent for an hour.
    engine.sql("UPDATE beacon_dfu.station SET seen = now() - interval '1 hour'")
    identity = room.folder / "machine-id"
    identity.write_text("00112233445566778899aabbccddeeff\n")
    other = Station(room, engine, "s1", folder=image)
    said = []
    for words in (["join", "s1", "--new-journal", "--engine", other.target],
                  ["work", "WO-12", "--rule", "name=Blinker*", "--adapter", f"sim:{air.file('air')}", "--cache", image / "cache"]):
        line = shlex.join(map(str, [room.program, *words, "--journal", other.journal, "--json"]))
        done = room.run(["unshare", "--mount", "sh", "-c", f"mount --bind {identity} /etc/machine-id && exec {line}"],
                        env=other.environment())
        room.check(done.returncode != 0, f"{words[0]} of the copy ends with success")
        said.append(refusal(done).get("code"))
    room.check("station-taken" in said, f"codes of the copy: {said}")
    run.signal(signal.SIGCONT)
    room.equal(run.wait(120), 0, "exit status of the bench itself")
    room.none(ledger.accounts(engine, "WO-12", air, 2))
    room.none(ledger.repeats([station], BLINKER.version))
