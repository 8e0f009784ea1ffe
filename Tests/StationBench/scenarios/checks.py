"""Each check can fail: the program's promises are broken deliberately, and the checks report it."""

import sqlite3

from host import ledger
from host.air import SMALL
from host.plan import scenario
from scenarios.orders import setting


@scenario("every-check-can-fail")
def can_fail(room):
    """A finished order that is broken in one way after the other."""
    engine, office, air, (station,) = setting(room, 6)
    office.order("WO-1", SMALL, "--expected", "6")
    before = {beacon.number: air.contents(beacon) for beacon in air.beacons}
    room.equal(station.work("WO-1", air.file("air"), "--no-golden").wait(), 0, "exit status")

    def accounts():
        return list(ledger.accounts(engine, "WO-1", air, 6))

    def records():
        return list(ledger.records(engine, [station]))

    def repeats():
        return list(ledger.repeats([station], SMALL.version))

    room.equal((accounts(), records(), repeats()), ([], [], []), "problems of a correct state")
    room.check(list(ledger.untouched(air, air.beacons, before)), "beacons that were updated count as untouched")

    air.tamper(air.beacons[0])
    room.check(accounts(), "a changed image is not noticed")
    air.tamper(air.beacons[0])
    room.equal(accounts(), [], "problems once it is changed back")

    superuser(engine, f"UPDATE beacon_dfu.unit SET state = 'waiting' WHERE key = '{air.beacons[1].key}'")
    room.check(len(accounts()) == 2, f"a unit that waits, and has the image: {accounts()}")
    room.check(list(ledger.counts(engine, "WO-1", {"verified": 6, "failed": 0, "waiting": 0})), "a wrong count is not noticed")
    superuser(engine, "UPDATE beacon_dfu.unit SET state = 'failed', code = NULL WHERE state = 'waiting'")
    room.check(any("without a reason" in flaw for flaw in accounts()), "a failure without a reason is not noticed")
    superuser(engine, "UPDATE beacon_dfu.unit SET state = 'verified'")
    superuser(engine, f"DELETE FROM beacon_dfu.unit WHERE key = '{air.beacons[2].key}'")
    room.check(len(accounts()) == 2, f"a unit that is gone: {accounts()}")

    superuser(engine, "DELETE FROM beacon_dfu.result WHERE sequence = 2")
    room.check(any("is not in the work server" in flaw for flaw in records()), "a result that is gone is not noticed")
    superuser(engine, "UPDATE beacon_dfu.result SET sha256 = sha256('x') WHERE sequence = 3")
    room.check(any("another hash" in flaw for flaw in records()), "a result that was changed is not noticed")
    superuser(engine, "UPDATE beacon_dfu.result SET id = gen_random_uuid() WHERE sequence = 4")
    room.check(any("in no journal" in flaw for flaw in records()), "a result without a journal is not noticed")

    with sqlite3.connect(station.journal) as journal:
        journal.execute("UPDATE outbox SET state = 'waiting' WHERE number = 5")
        journal.execute("DELETE FROM outbox WHERE number = 1")
        journal.execute("UPDATE attempt SET version_before = '1' WHERE id = 1")
        journal.execute("INSERT INTO attempt SELECT 100, unit, 2, session, began, address, adapter, file, sha256, version_before, "
                        "version_after, verified, outcome, code, record FROM attempt WHERE id = 2")
        journal.execute("INSERT INTO change SELECT 1000, 100, at, step, address, part, parts, sha256 FROM change "
                        "WHERE step = 'update' AND attempt = 2")
    room.check(any("are waiting" in flaw for flaw in records()), "a result that waits is not noticed")
    room.check(any("gaps" in flaw for flaw in records()), "a gap is not noticed")
    found = repeats()
    for words in ("had version 1", "had passed, and was changed afterwards", "was installed 2 times", "was sent firmware 2 times"):
        room.check(any(words in flaw for flaw in found), f"not noticed: {words}")
    room.check(not any("sent firmware" in flaw for flaw in ledger.repeats([station], SMALL.version, may_repeat=set(air.by_key))),
               "what may be repeated counts as repeated")


def superuser(engine, text):
    """Changes what no login can change, as the administrator of the server."""
    engine.sql(f"BEGIN; SET LOCAL session_replication_role = replica; {text}; COMMIT;")


@scenario("a-record-is-neither-changed-nor-deleted")
def stays(room):
    """Not by a station, and not by an administrator of the work server."""
    engine, office, air, (station,) = setting(room, 2)
    office.order("WO-2", SMALL, "--expected", "2")
    station.work("WO-2", air.file("air"), "--no-golden").wait()
    for user in ("bench1", "approver1", "admin"):
        for text in ("DELETE FROM beacon_dfu.result", "UPDATE beacon_dfu.result SET outcome = 'failed'",
                     "TRUNCATE beacon_dfu.result", "DELETE FROM beacon_dfu.event"):
            done = engine._psql(text, user, "beacons", 20)
            room.check(done.returncode != 0, f"{user} may {text}")
    room.equal(engine.count("SELECT count(*) FROM beacon_dfu.result WHERE outcome = 'passed'"), 2, "results")
