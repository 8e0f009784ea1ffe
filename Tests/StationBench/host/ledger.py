"""Consistency between the work server's record, the journals of the stations, and the beacons.

Each check returns the problems, in words, or nothing if everything is right.
"""

import collections


def units(engine, order) -> dict[str, dict]:
    """The order's units by key."""
    rows = engine.sql("SELECT key, state, coalesce(station, ''), coalesce(outcome, ''), coalesce(code, ''), attempts, failures "
                      f"FROM beacon_dfu.units WHERE order_number = '{order}'")
    names = ("state", "station", "outcome", "code", "attempts", "failures")
    return {row[0]: dict(zip(names, row[1:])) for row in rows}


def results(engine) -> dict[str, tuple]:
    """All results by id: hash, station, key, outcome, standing."""
    rows = engine.sql("SELECT id, encode(sha256, 'hex'), station, key, outcome, standing FROM beacon_dfu.result")
    return {row[0]: tuple(row[1:]) for row in rows}


def accounts(engine, order, air, expected, may_fail=()):
    """Every unit is verified, and its beacon has the firmware; or it has failed, with a reason. Numbers in `may_fail` are of beacons with
    faults."""
    found = units(engine, order)
    if len(found) != expected:
        yield f"the order has {len(found)} units instead of {expected}"
    for key, unit in sorted(found.items()):
        beacon = air.by_key.get(key)
        if not beacon:
            yield f"{key} is a unit and no beacon"
            continue
        if unit["state"] == "verified":
            if not air.holds(beacon):
                yield f"{key} is verified, and its beacon does not hold the image"
        elif unit["state"] == "failed":
            if not unit["code"]:
                yield f"{key} has failed without a reason"
            if beacon.number not in may_fail:
                yield f"{key} has failed ({unit['code']}), and has no fault"
        else:
            yield f"{key} is {unit['state']}, of {unit['station'] or 'no station'}: {unit['outcome']} {unit['code']}"
    for beacon in air.beacons:
        if air.holds(beacon) and found.get(beacon.key, {}).get("state") != "verified" and beacon.number not in may_fail:
            yield f"{beacon.key} holds the image, and the order does not know it"


def counts(engine, order, said: dict):
    """`status` agrees with the tables."""
    found = collections.Counter(unit["state"] for unit in units(engine, order).values())
    for state in ("verified", "failed", "waiting"):
        if said[state] != found[state]:
            yield f"status says {said[state]} {state}, and there are {found[state]}"


def records(engine, stations, may_wait=False):
    """Every acknowledged row of a journal is in the work server with its hash, and every result there is a journal's."""
    there = results(engine)
    own = {}
    for station in stations:
        for state in ("waiting", "sent", "refused"):
            rows = station.outbox(state)
            own.update(rows)
            if rows and (state == "refused" or not may_wait):
                yield f"{len(rows)} results of {station.name} are {state}"
        acknowledged = station.outbox()
        own.update(acknowledged)
        for key, digest in acknowledged.items():
            if key not in there:
                yield f"{key} of {station.name} was acknowledged, and is not in the work server"
            elif there[key][0] != digest:
                yield f"{key} of {station.name} has another hash in the work server"
        numbers = [row[0] for row in station.rows("SELECT number FROM outbox WHERE kind = '@engine' ORDER BY number")]
        if numbers != list(range(1, len(numbers) + 1)):
            yield f"the numbers of {station.name} have gaps: {numbers[:20]}"
    for key, row in there.items():
        if key not in own:
            yield f"{key} of {row[1]} is in the work server, and in no journal"


def begun(stations) -> dict[str, list]:
    """The attempts at each beacon, by key and in time: station, its steps, outcome, the version before, code."""
    by_key = collections.defaultdict(list)
    for station in stations:
        rows = station.rows("SELECT unit.device, attempt.began, attempt.outcome, attempt.version_before, "
                            "group_concat(change.step, ' '), attempt.code "
                            "FROM change JOIN attempt ON attempt.id = change.attempt JOIN unit ON unit.id = attempt.unit "
                            "GROUP BY attempt.id ORDER BY attempt.id")
        for device, moment, outcome, before, steps, code in rows:
            by_key[device].append((moment, station.name, steps.split(), outcome, before, code))
    return {key: [one[1:] for one in sorted(attempts, key=lambda one: one[0])] for key, attempts in by_key.items()}


def repeats(stations, version, may_repeat=()):
    """No beacon that had the firmware was changed; none got it twice without need.

    Keys in `may_repeat` had problems: a killed station, a fault, a lost claim."""
    for key, attempts in begun(stations).items():
        for name, steps, _, before, _ in attempts:
            if before == str(version):
                yield f"{key} had version {before}, and {name} did {' '.join(steps)}"
        sent = [one for one in attempts if "update" in one[1]]
        passed = [one for one in attempts if one[2] == "passed"]
        after = attempts[attempts.index(passed[0]) + 1:] if passed else []
        if any("update" in one[1] for one in after):
            yield f"{key} had passed, and was changed afterwards by {', '.join(one[0] for one in after)}"
        if len(passed) > 1:
            yield f"{key} was installed {len(passed)} times, by {', '.join(one[0] for one in passed)}"
        if len(sent) > 1 and key not in may_repeat:
            yield f"{key} was sent firmware {len(sent)} times: {[(one[0], one[2], one[4]) for one in sent]}"


def killed_at(station) -> set[str]:
    """The beacons that a killed station was updating: its attempts have no outcome."""
    return {row[0] for row in station.rows(
        "SELECT unit.device FROM attempt JOIN unit ON unit.id = attempt.unit "
        "WHERE attempt.outcome IS NULL OR attempt.outcome = 'aborted'")}


def broken_off(stations) -> set[str]:
    """The beacons whose update was aborted because a claim had expired, which is why it may be repeated."""
    rows = set()
    for station in stations:
        rows |= {row[0] for row in station.rows(
            "SELECT unit.device FROM attempt JOIN unit ON unit.id = attempt.unit "
            "WHERE attempt.code IN ('claim-lost', 'lease-short')")}
    return rows


def untouched(air, beacons, before):
    """Beacons that are unchanged; `before` has the contents by number."""
    for beacon in beacons:
        if air.contents(beacon) != before.get(beacon.number, (b"", b"")):
            yield f"{beacon.key} has changed"


def elsewhere(stations):
    """Beacons at which more than one station has begun something."""
    for key, attempts in begun(stations).items():
        names = {one[0] for one in attempts}
        if len(names) > 1:
            yield f"{key} was changed by {' and '.join(sorted(names))}"
