"""Beacons that are updated after a session with a password or a PIN: KBeacons and Feasycom's; and Orange Beacon Tags, which are
only set. The words are explained in `host/plan.py`, the settings in `peripherals/kbeacon.py`, `fbeacon.py` and `orange_tag.py`."""

import calendar
import re
import sys
import time
from pathlib import Path

from host import packages
from host.plan import Beacon, End, Heard, Press, Printed, Run, Scenario, Start, Such, at_least
from scenarios import IMAGE_BYTES, PACKAGE, PUBLIC_ADDRESS, SLOW_FLASH, ended, finished, flash, tray_file

sys.path.append(str(Path(__file__).parent / "peripherals"))
import kbeacon_records  # noqa: E402: its beacons' records

PASSWORD, PIN = "Bench-07", "270815"
RECORDS = 45


def secrets(**vendors: str) -> str:
    """Stores the passwords of vendors where no other user can read them."""
    lines = "".join(f'  {vendor}: "{secret}"\\n' for vendor, secret in vendors.items())
    return f"(umask 077; printf 'secrets: 1\\nvendors:\\n{lines}' >/tmp/secrets.yaml); "


def spoken(command: str, words: str = "", kkm: str = PASSWORD, feasycom: str = PIN) -> str:
    return f"{secrets(kkm=kkm, feasycom=feasycom)}{command} --secrets /tmp/secrets.yaml {words}"


def fails(code: str, status: int = 1) -> dict:
    line = {"event": "failed", "code": code, "exit": status, "next_step": Such("a sentence", bool)}
    return {"exit": (status,), "lines": [line]}


def kbeacon(address: str, generation: int, mtu: int = 247, name: str = "target", flash=(0, 0), drop_at=(),
            public: bool = False, **settings) -> Beacon:
    return Beacon(name, address, mode="kbeacon", mtu=mtu, interval_ms=100, flash=list(flash), drop_at=list(drop_at),
                  public=public, kbeacon={"generation": generation, "password": PASSWORD, **settings})


def busy(times: int) -> dict:
    return {"getPara": [0x010C, times]}


def info(address: str) -> str:
    return f"beacon-dfu info --device {address} --adapter hci0 --json --log-level trace"


def blink(address: str) -> str:
    return f"beacon-dfu blink --device {address} --for 1 --adapter hci0 --json --log-level trace"


def recorded(address: str, words: str = "") -> str:
    """Reads records into a file, and prints it."""
    command = f"beacon-dfu history-read --device {address} --out /tmp/records.csv --adapter hci0 --json --log-level trace"
    return f"{spoken(command, words)}; status=$?; cat /tmp/records.csv; exit $status"


def thousandths(parts: int) -> float:
    """Of 256ths; halves are rounded up."""
    return (parts * 1000 + 128) // 256 / 1000


def table(kind: str, numbers) -> dict:
    """The file with these records, and the report on it; the first record has the number 0."""
    rows = []
    for number in numbers:
        moment = time.gmtime(kbeacon_records.FIRST_TIME + kbeacon_records.PERIOD * number)
        cells = [number + 1, calendar.timegm(moment), time.strftime("%Y-%m-%dT%H:%M:%SZ", moment)]
        found = kbeacon_records.values(kind, number)
        whole = {"humidity": 0, "co2": 1}.get(kind, len(found))
        cells += found[:whole] + tuple(thousandths(one) for one in found[whole:])
        rows.append(",".join(str(cell) for cell in cells))
    said = {"event": "history-read", "kind": kind, "records": len(rows), "total": RECORDS, "unread": RECORDS}
    return {"lines": [said], "text": [re.escape("\n" + "\n".join(rows) + "\n")]}


def histories(generation: int, place: str) -> list[Scenario]:
    """45 records in each shape of an answer, and of each kind; from either end, from a number, and up to a count."""
    def scenario(name: str, number: int, kind: str = "humidity", words: str = "", numbers=range(RECORDS), **settings) -> Scenario:
        address = f"DD:34:02:06:{place}:{number:02X}"
        words = f"--kind {kind} {words}"
        return Scenario(f"kbeacon-{generation}-history-{name}", [
            kbeacon(address, generation, records={kind: RECORDS}, **settings)], [
            Run("history", recorded(address, words), **table(kind, numbers))])

    shapes = [
        scenario("inline", 0x00, record_shape="inline", at_once=12, in_frame=12),
        scenario("report", 0x10, record_shape="report", in_frame=20, shape="report"),
        scenario("split", 0x20, record_shape="split", in_frame=20, shape="split"),
        scenario("small", 0x30, mtu=23, record_shape="split"),
        scenario("again", 0x40, record_shape="report", misplaces=True, chatty=True, mtu=60),
        scenario("newest", 0x50, words="--newest-first --count 30", numbers=range(44, 14, -1)),
        scenario("from", 0x60, words="--from 11 --count 25", numbers=range(10, 35)),
    ]
    if generation == 1:
        return shapes
    return shapes + [
        # Several frames per request, whose end is late, immediate, or with the other cause.
        scenario("frames", 0x70, record_shape="report", after=1.0),
        scenario("frames-at-once", 0x80, record_shape="report", after=0.0),
        scenario("frames-done", 0x90, record_shape="split", end=0),
        *(scenario(kind, number, kind) for number, kind in zip(range(0xA0, 0x100, 0x10), ("alarm", "pir", "light", "voc", "co2"))),
    ]


def written(address: str, maker: str, **settings) -> str:
    """Writes a file of settings, and sends it to the beacon."""
    lines = "".join(f"{name}: {value}\\n" for name, value in {"settings": 1, "maker": maker, **settings}.items())
    return (f"printf '{lines}' >/tmp/settings.yaml; "
            + spoken(f"beacon-dfu config write /tmp/settings.yaml --device {address} --adapter hci0 --json --log-level trace"))


def session(generation: int, name: str, version: str = "1", takes_updates: bool = True) -> dict:
    """The session in the output of `info`."""
    wanted = dict(kind="kbeacon", generation=generation, name=name, takes_updates=takes_updates, tx_power_min=-40,
                  tx_power_max=4, serial="214815" if generation == 2 else None)
    return {"event": "info", "session": Such(f"{wanted}, version {version}", lambda found: found and all(
        found.get(key) == value for key, value in wanted.items()) and found["version"].lstrip("V") == version)}


def is_updated(beacon: str, address: str, name: str, version: str = "2") -> list:
    """Into the bootloader over the session's link, through it, and queried again after it."""
    return [Heard(beacon, "session", opened=True),
            Heard(beacon, "entry", session=True, allowed=True),
            Heard(beacon, "advertising", mode="bootloader", address=f"{address[:-1]}{int(address[-1], 16) + 1:X}"),
            Heard(beacon, "image", hash_ok=True, bytes=IMAGE_BYTES),
            Heard(beacon, "settings", name=name, version=version),
            Heard(beacon, "advertising", mode="kbeacon", address=address),
            Heard(beacon, "session", opened=True)]


def factory_name(generation: int, address: str) -> str:
    family = "PU200" if generation == 1 else "KBPro"
    return f"{family}_{int(address[9:].replace(':', ''), 16) % 1_000_000:06}"


def of_generation(generation: int, place: str) -> list[Scenario]:
    def address(number: int) -> str:
        return f"DD:34:02:06:{place}:{number:02X}"

    def named(number: int) -> str:
        return factory_name(generation, address(number))

    name = f"kbeacon-{generation}"
    return [
        Scenario(f"{name}-info", [kbeacon(address(0x00), generation, says_mtu=247)], [
            Run("info", spoken(info(address(0x00))), lines=[session(generation, named(0x00))]),
            Heard("target", "session", opened=True, form="long")]),
        # At MTU 23 the digest is folded, and commands and answers come in pieces of 17 bytes.
        Scenario(f"{name}-small", [kbeacon(address(0x10), generation, mtu=23, shape="report", misplaces=True)], [
            Run("info", spoken(info(address(0x10))), lines=[session(generation, named(0x10))]),
            Heard("target", "session", opened=True, form="folded")]),
        Scenario(f"{name}-blink", [kbeacon(address(0x20), generation, shape="split")], [
            Run("blink", spoken(blink(address(0x20))), lines=[{"event": "blinked", "seconds": 1}]),
            Heard("target", "ring", type=2, milliseconds=at_least(1000), flashes=[None, None])]),
        Scenario(f"{name}-flashes", [kbeacon(address(0xF0), generation)], [
            Run("blink", spoken(blink(address(0xF0)), "--led-on 100 --led-off 400"), lines=[
                {"event": "blinked", "led_on_ms": 100, "led_off_ms": 400}]),
            Heard("target", "ring", type=2, flashes=[100, 400])]),
        Scenario(f"{name}-flash", [kbeacon(address(0x30), generation, shape="report", says_mtu=247)], [
            Run("flash", spoken(flash(address(0x30))), limit=120, lines=[finished(retries=0)]),
            *is_updated("target", address(0x30), named(0x30))]),
        # Its text for the version is in no package, and its settings are lost.
        Scenario(f"{name}-flash-lost", [kbeacon(
            address(0x40), generation, called="Hall 3", causes=busy(2), keeps=False, versions={"1": "6.20", "2": "6.21"})], [
            Run("flash", spoken(flash(address(0x40)), "--expect-version 6.21"), limit=120, lines=[finished()]),
            *is_updated("target", address(0x40), named(0x40), "6.21")]),
        # Its session still reports the old version; its revision, which does not verify anything, has the new one.
        Scenario(f"{name}-unproven", [kbeacon(address(0xE0), generation, versions={"2": "1"}, revision="2")], [
            Run("flash", spoken(flash(address(0xE0))), limit=120, **fails("version-mismatch"))]),
        # Its digest shows the client that the password is wrong: nothing follows, and no other attempt.
        Scenario(f"{name}-password", [kbeacon(address(0x50), generation)], [
            Run("flash", spoken(flash(address(0x50)), kkm="Bench-08"), **fails("password-wrong")),
            Heard("target", "walked-away")]),
        Scenario(f"{name}-refused", [kbeacon(address(0x60), generation, fault="refused")], [
            Run("flash", spoken(flash(address(0x60))), **fails("authentication-refused"))]),
        Scenario(f"{name}-without-dfu", [kbeacon(address(0x70), generation, takes_updates=False)], [
            Run("flash", spoken(flash(address(0x70))), **fails("no-dfu-on-this-hardware"))]),
        Scenario(f"{name}-busy", [kbeacon(address(0x80), generation, causes=busy(1000))], [
            Run("flash", spoken(flash(address(0x80))), **fails("beacon-busy", 75))]),
        # Actions that it cannot do, and ones that it omits.
        Scenario(f"{name}-unable", [kbeacon(address(0xC0), generation, causes={"ring": [0x0104, 1]})], [
            Run("blink", spoken(blink(address(0xC0))), **fails("not-supported"))]),
        Scenario(f"{name}-failing", [kbeacon(address(0xD0), generation, causes={"ring": [0x0107, 1]})], [
            Run("blink", spoken(blink(address(0xD0))), **fails("refused-by-device"))]),
        Scenario(f"{name}-silent", [kbeacon(address(0xA0), generation, fault="silent")], [
            Run("info", spoken(info(address(0xA0))), lines=[{"event": "info", "session": Such(
                "none", lambda found: found["kind"] is None and found["code"])}])]),
        # The bootloader's link is lost once; its application is queried only after the image.
        Scenario(f"{name}-cut", [kbeacon(address(0xB0), generation, drop_at=[12000])], [
            Run("flash", spoken(flash(address(0xB0))), limit=120, lines=[finished(retries=at_least(1))]),
            *is_updated("target", address(0xB0), named(0xB0))]),
        # It enters its bootloader only without a session.
        Scenario(f"{name}-entry", [kbeacon(address(0x90), generation, entry="fresh", chatty=True)], [
            Run("flash", spoken(flash(address(0x90))), limit=120, lines=[finished()]),
            Heard("target", "entry", session=True, allowed=False),
            Heard("target", "entry", session=False, allowed=True),
            Heard("target", "image", hash_ok=True, bytes=IMAGE_BYTES)]),
    ]


KBEACONS = [
    *of_generation(1, "D1"),
    *of_generation(2, "D2"),
    # Their adverts, and their names in scan responses; a battery may be above 100 %.
    Scenario("kbeacon-scan", [kbeacon("DD:34:02:06:D3:40", 1, name="first", battery=109),
                              kbeacon("DD:34:02:06:D3:50", 2, name="second", versions={"1": "6.20"})], [
        Run("scan", "beacon-dfu scan --adapter hci0 --json --for 12", limit=20, lines=[
            {"event": "beacon", "kind": "kkm", "name": factory_name(1, "DD:34:02:06:D3:40"), "battery": 100},
            {"event": "beacon", "kind": "kkm", "name": factory_name(2, "DD:34:02:06:D3:50"), "battery": 97,
             "version": "6.20"}])]),
    Scenario("kbeacon-factory", [kbeacon("DD:34:02:06:D3:60", 2, password="0" * 16)], [
        Run("info", info("DD:34:02:06:D3:60"), lines=[session(2, factory_name(2, "DD:34:02:06:D3:60"))])]),
    # The bootloader's address does not follow from a public one: it is found by its given name.
    Scenario("kbeacon-2-public", [kbeacon("DD:34:02:06:D3:20", 2, public=True)], [
        Run("flash", PUBLIC_ADDRESS + spoken(flash("$A")), limit=120, lines=[
            {"event": "connected", "device": "DD:34:02:06:D3:21"}, finished(retries=0)]),
        *is_updated("target", "DD:34:02:06:D3:20", factory_name(2, "DD:34:02:06:D3:20"))]),
    # A unit whose name is lost is not found by it again, so the operator has to be informed.
    Scenario("kbeacon-2-settings", [kbeacon("DD:34:02:06:D3:30", 2, called="Hall 3", keeps=False)], [
        Run("flash", spoken(flash("DD:34:02:06:D3:30"), "--keep-settings-proof"), limit=120, lines=[
            finished(), {"event": "warning", "code": "settings-changed", "message": Such(
                "... Hall 3 ...", lambda text: "Hall 3" in text)}])]),
    # Its name suggests the second generation, whose query it does not answer.
    Scenario("kbeacon-1-asked-otherwise", [kbeacon("DD:34:02:06:D3:00", 1, called="KBPro_130816")], [
        Run("info", spoken(info("DD:34:02:06:D3:00")), lines=[session(1, "KBPro_130816")]),
        Heard("target", "asked-otherwise")]),
    # Nothing in its adverts shows its generation.
    Scenario("kbeacon-2-named", [kbeacon("DD:34:02:06:D3:10", 2, called="Hall 3", battery=109, shape="split")], [
        Run("info", spoken(info("DD:34:02:06:D3:10")), lines=[session(2, "Hall 3")])]),
]

# Models that restart for their update, and that stay; their containers, and the resulting versions.
BP102, BP108N = 21, 40
CONTAINERS = {BP102: "bp102.fbu", BP108N: "bp108n.fbu"}
UPDATED = 841


def fbeacon(address: str, model: int, mtu: int = 247, name: str = "target", flash=(0, 0), **settings) -> Beacon:
    return Beacon(name, address, mode="fbeacon", mtu=mtu, version="830", interval_ms=100, flash=list(flash),
                  fbeacon={"model": model, "pin": PIN, "image": [*packages.payload(CONTAINERS[model]), UPDATED], **settings})


def container(model: int) -> str:
    return f"/bench/{CONTAINERS[model]}"


def takes(beacon: str, model: int) -> list:
    """Everything has arrived, and it advertises the new version from then on."""
    size, _ = packages.payload(CONTAINERS[model])
    return [Heard(beacon, "pin", right=True), Heard(beacon, "enter", restores=False),
            Heard(beacon, "image", bytes=size, hash_ok=True, filled_up=True),
            Heard(beacon, "advertising", mode="fbeacon", version=UPDATED)]


def of_model(name: str, model: int, place: str) -> list[Scenario]:
    def address(number: int) -> str:
        return f"DD:34:02:06:{place}:{number:02X}"

    def flashed(number: int, words: str = "", **secrets: str) -> str:
        return spoken(flash(address(number), container(model)), words, **secrets)

    shown = {"event": "finished", "verified": "version"}
    return [
        Scenario(f"{name}-flash", [fbeacon(address(0x00), model)], [
            Run("flash", flashed(0x00), limit=120, lines=[{**shown, "retries": 0}]), *takes("target", model)]),
        Scenario(f"{name}-small", [fbeacon(address(0x10), model, mtu=23)], [
            Run("flash", flashed(0x10), limit=120, lines=[{**shown, "retries": 0}]), *takes("target", model)]),
        # It requests two packets again, its answer to a third is lost, and the first EOT gets none.
        Scenario(f"{name}-again", [fbeacon(address(0x20), model, faults={"naks": [2, 5], "mute": [7], "deaf": 1})], [
            Run("flash", flashed(0x20), limit=120, lines=[shown]),
            Heard("target", "duplicate", number=7, ack_was_lost=True),
            Heard("target", "image", hash_ok=True, filled_up=True)]),
        # Nothing can be resumed: it is entered again.
        Scenario(f"{name}-cut", [fbeacon(address(0x70), model, drops=6)], [
            Run("flash", flashed(0x70), limit=120, lines=[{**shown, "retries": at_least(1)}]),
            Heard("target", "link-dropped"), *takes("target", model)]),
        # Here the other digit restores the defaults.
        Scenario(f"{name}-digit", [fbeacon(address(0x30), model, restores=0)], [
            Run("flash", flashed(0x30), limit=120, lines=[shown]), *takes("target", model)]),
        Scenario(f"{name}-pin", [fbeacon(address(0x40), model)], [
            Run("flash", flashed(0x40, feasycom="000000"), **fails("password-wrong")),
            Heard("target", "pin", right=False)]),
        # It lacks the mark of open containers: nothing is written to it.
        Scenario(f"{name}-vendor", [fbeacon(address(0x50), model, open=False)], [
            Run("flash", flashed(0x50), **fails("not-an-open-fbeacon"))]),
        Scenario(f"{name}-cancelled", [fbeacon(address(0x60), model, faults={"cancels": 4})], [
            Run("flash", flashed(0x60), limit=120, **fails("transfer-cancelled", 75)),
            Heard("target", "cancelled", by="device")]),
    ]


FBEACONS = [*of_model("fbeacon-restarts", BP102, "D4"), *of_model("fbeacon-stays", BP108N, "D5")]


def unit(kind, last: int, what: int, **settings) -> tuple[str, tuple]:
    """A slot of a tray: beacon, address, and firmware."""
    slot, address = f"A{last}", f"DD:34:02:06:D6:{last * 16:02X}"
    firmware = PACKAGE if kind is kbeacon else container(what)
    return slot, (kind(address, what, name=slot, flash=SLOW_FLASH, **settings), address, firmware)


def tray(name: str, slots: dict, failing: dict | None = None, compared: tuple = ()) -> Scenario:
    """All in parallel, over as many links. `failing` has the code of each failing slot; the settings of the `compared`
    are read before and after."""
    failing = failing or {}
    status = int(bool(failing))
    units = slots | {slot: one for slot, (one, _) in failing.items()}
    return Scenario(name, [one for one, *_ in units.values()], [
        Run("batch", tray_file(units) + spoken(
            "beacon-dfu batch /tmp/tray.yaml --adapter hci0 --journal /tmp/journal.sqlite --json --no-golden"),
            limit=300, exit=(status,), lines=[
                {"event": "batch-finished", "exit": status},
                *(ended(slot, "passed", verified="version") for slot in slots),
                *({"event": "settings-compared", "slot": slot, "kept": at_least(1), "changed": 0} for slot in compared),
                *({"event": "failed", "slot": slot, "code": code} for slot, (_, code) in failing.items())]),
        *(Heard(slot, "image", hash_ok=True) for slot in slots),
    ])


def fails_on_tray(last: int, what: int, code: str, **settings) -> tuple[str, tuple]:
    slot, one = unit(kbeacon, last, what, **settings)
    return slot, (one, code)


NEW = {"1": "6.20", "2": "6.31"}


def imported(*models: str) -> str:
    """A catalogue from KKM's lists, as made by `catalogue import`."""
    releases = ('{"V3.0":[{"appVersion":"V6.20","note":"old"},'
                '{"appVersion":"V6.31","appFileName":"new.zip","note":"new"}]}')
    return (f"mkdir -p /tmp/firmware; cp {PACKAGE} /tmp/firmware/new.zip; for model in {' '.join(models)}; do "
            f"echo '{releases}' >/tmp/firmware/$model.json; "
            "beacon-dfu catalogue import /tmp/firmware/$model.json --model $model >/tmp/firmware/$model.yaml || exit 99; done; "
            "beacon-dfu catalogue check --catalogue /tmp/firmware || exit 98; ")


def chosen(name: str, slots: dict) -> Scenario:
    """A golden unit, then the others: the firmware of each is selected by its session, and verified there."""
    lines = "".join(f"  - {{slot: {slot}, device: {address}/random}}\n" for slot, (_, address, _) in slots.items())
    return Scenario(name, [one for one, *_ in slots.values()], [
        Run("batch", imported("K6_NRF52XX", "K11_NRF52XX") +
            f"printf 'tray: 1\ncatalogue: {{folder: firmware}}\nslots:\n{lines}' >/tmp/tray.yaml; rm -f /tmp/journal*; " +
            spoken("beacon-dfu batch /tmp/tray.yaml --adapter hci0 --journal /tmp/journal.sqlite --json"),
            limit=300, lines=[
                {"event": "batch-finished", "exit": 0},
                *(ended(slot, "passed", verified="version", version_from="6.20", version="6.31") for slot in slots)]),
        Run("again", spoken("beacon-dfu flash --from-catalogue --catalogue /tmp/firmware "
                            f"--device {list(slots.values())[0][1]} --adapter hci0 --json"), **fails("up-to-date", 2)),
        *(Heard(slot, "image", hash_ok=True) for slot in slots),
    ])


OF_KKM = [unit(kbeacon, 1, 1), unit(kbeacon, 2, 2, shape="report")]
OF_FEASYCOM = [unit(fbeacon, 3, BP102), unit(fbeacon, 4, BP108N)]
TRAYS = [
    tray("kbeacon-batch", dict([*OF_KKM, unit(kbeacon, 3, 1, shape="split", says_mtu=247), unit(kbeacon, 4, 2, mtu=23)]),
         compared=("A1", "A2", "A3", "A4")),
    # No password is tried twice, and the update is not entered without one.
    tray("kbeacon-batch-password", dict(OF_KKM), failing=dict([
        fails_on_tray(5, 1, "password-wrong", password="Bench-09"), fails_on_tray(6, 2, "password-wrong", password="Bench-09")])),
    chosen("kbeacon-batch-catalogue", dict([
        unit(kbeacon, 1, 1, versions=NEW), unit(kbeacon, 2, 2, versions=NEW), unit(kbeacon, 3, 1, versions=NEW, shape="split"),
        unit(kbeacon, 4, 2, versions=NEW, shape="report")])),
    tray("sessions-batch", dict([*OF_KKM, *OF_FEASYCOM]), compared=("A1", "A2")),
    # Three beacons without an update do not interfere.
    tray("sessions-batch-trouble", dict([*OF_KKM, *OF_FEASYCOM]), compared=("A1", "A2"), failing=dict([
        fails_on_tray(5, 2, "password-wrong", password="Bench-09"), fails_on_tray(6, 1, "beacon-busy", causes=busy(1000)),
        fails_on_tray(7, 2, "no-dfu-on-this-hardware", takes_updates=False)])),
]


def feasycom(place: str) -> list[Scenario]:
    """Settings, light and sound."""
    def address(number: int) -> str:
        return f"DD:34:02:06:{place}:{number:02X}"

    def left(**settings: str) -> Heard:
        return Heard("target", "settings", **settings)

    def changed(count: int) -> dict:
        return {"event": "settings-written", "changes": Such(f"{count} of them", lambda found: len(found) == count)}

    blinked = {"event": "blinked", "seconds": 1}
    return [
        # The time of its light is a setting, which is restored.
        Scenario("fbeacon-blink", [fbeacon(address(0x00), BP102, values={"LED": "300"})], [
            Run("blink", spoken(blink(address(0x00))), lines=[blinked]),
            Heard("target", "light", on=True), Heard("target", "light", on=False, milliseconds=at_least(1000)),
            left(LED="300")]),
        Scenario("fbeacon-buzz", [fbeacon(address(0x10), BP102, light=False, buzzer=True)], [
            Run("blink", spoken(blink(address(0x10))), lines=[blinked]),
            Heard("target", "sound", on=True), Heard("target", "sound", on=False, milliseconds=at_least(1000))]),
        # One of three is right already.
        Scenario("fbeacon-config", [fbeacon(address(0x20), BP108N, called="Hall 3")], [
            Run("write", written(address(0x20), "feasycom", NAME="Hall 3", ADVIN=250, TXPOWER=7), lines=[changed(2)]),
            left(NAME="Hall 3", ADVIN="250", TXPOWER="7", LED="500")]),
        # Commands and answers come in pieces, with an empty line before each OK, and its name has another key.
        Scenario("fbeacon-config-small", [fbeacon(address(0x30), BP102, mtu=23, spaced=True, calls_name="LENAME")], [
            Run("write", written(address(0x30), "feasycom", NAME="A name of 29 bytes of ASCII !"), lines=[changed(1)]),
            left(NAME="A name of 29 bytes of ASCII !")]),
        tray("fbeacon-batch-compared", dict(OF_FEASYCOM), compared=("A3", "A4")),
    ]


def orange(place: str) -> list[Scenario]:
    """Settings after a press of the button."""
    def tag(number: int, **settings) -> Beacon:
        return Beacon("target", address(number), mode="orange", version="1.7", mtu=23, orange=settings)

    def address(number: int) -> str:
        return f"DD:34:02:06:{place}:{number:02X}"

    def config(number: int, verb: str, **settings) -> str:
        lines = "".join(f"{name}: {value}\\n" for name, value in {"settings": 1, "maker": "orange", **settings}.items())
        return (f"printf '{lines}' >/tmp/settings.yaml; beacon-dfu config {verb} /tmp/settings.yaml --device {address(number)} "
                "--adapter hci0 --json --log-level trace")

    wanted = dict(uuid="3D4F13B4-D1FD-4049-80E5-D3EDCC840B6A", major=0x9F83, minor=0x7DEF, interval_ms=200, tx_power_dbm=-12, sleep_s=20,
                  temperature_wakes=1, temperature_lower_c=-5, temperature_upper_c=40, acceleration_wakes=1,
                  acceleration_ms2=2.45, angular=1.5)
    awaited = {"event": "button-awaited", "device": address(0x00)}
    everything = Such("its settings", lambda found: found["kind"] == "orange-tag" and found["settings"]["major"] == 0xF8B8
                      and found["settings"]["interval_ms"] == 100 and found["settings"]["acceleration_ms2"] == 0.53)
    return [
        # Nothing identifies it before its button is pressed; each command waits for that, or proceeds at once.
        Scenario("orange-config", [tag(0x00, window=120)], [
            Start("info", f"beacon-dfu info --device {address(0x00)} --wait 40 --adapter hci0 --json --log-level trace"),
            Printed("info", awaited), Press("target"),
            End("info", lines=[{"event": "info", "battery": 87, "session": everything}]),
            Run("diff", config(0x00, "diff", **wanted), **fails("settings-differ")),
            Run("write", config(0x00, "write", **wanted), lines=[
                {"event": "settings-written", "changes": Such("all of them", lambda found: len(found) == len(wanted))}]),
            Heard("target", "settings", uuid="3d4f13b4d1fd404980e5d3edcc840b6a", major="839f", minor="ef7d", interval="4001",
                  power="f4", sleep="1400", temperature="01fb28", acceleration="01cdcc1c40", angular="000000c03f"),
            Run("same", config(0x00, "diff", **wanted), lines=[{"event": "compared", "differences": []}]),
            Run("again", config(0x00, "write", **wanted), exit=(2,)),
            Run("read", f"beacon-dfu config read --wait 10 --device ibeacon:{wanted['uuid']}/{wanted['major']}/{wanted['minor']} "
                "--adapter hci0 >/tmp/read.yaml; " + config(0x00, "diff").partition("; ")[2].replace("settings.yaml", "read.yaml"),
                lines=[{"event": "compared", "differences": []}])]),
        # Its button is pressed while a file for such tags is to be written; it protects its UUID, and forgets a power.
        Scenario("orange-refuses", [tag(0x10, fixed=["uuid"], window=120, forgets=1, values={"temperature": "01", "angular": None})], [
            Start("refused", config(0x10, "write", uuid=wanted["uuid"], tx_power_dbm=4)),
            Printed("refused", {"event": "button-awaited", "device": address(0x10)}), Press("target"),
            End("refused", **fails("refused-by-device")), Heard("target", "settings", power="00"),
            Run("forgotten", config(0x10, "write", tx_power_dbm=4), **fails("settings-not-taken")),
            Heard("target", "settings", power="00"),
            Run("unknown", config(0x10, "write", temperature_wakes=1), **fails("not-supported")),
            Run("absent", config(0x10, "write", angular=1), **fails("not-supported")),
            Run("same", config(0x10, "write", temperature_wakes="hex:01"), exit=(2,))]),
        Scenario("orange-closed", [tag(0x20)], [
            Run("closed", config(0x20, "write --wait 5", major=7), **fails("device-not-found", 3))]),
    ]


SESSIONS = [*KBEACONS, *histories(1, "DA"), *histories(2, "DB"), *FBEACONS, *TRAYS, *feasycom("D7"), *orange("D8")]
for one in SESSIONS:
    one.sessions = True
