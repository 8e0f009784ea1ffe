"""Beacons that the program serves on the guest's adapter, updated by an independent client outside. The
client's settings are in `clients/central.py`."""

import hashlib
import pathlib
import zipfile

from host.plan import Client, End, Heard, Launch, Printed, Scenario, Start, Such, at_least

_ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
_SAMPLES = _ROOT / "firmware-samples"
# The bench writes its own packages there, for clients outside the guest.
PACKAGES = _ROOT / ".build/kernel-bench/packages"
BLINKER = _SAMPLES / "nordic/blinker-1.1.0.zip"
LEGACY = PACKAGES / "legacy.zip"


def _image(package: pathlib.Path) -> tuple[int, str]:
    with zipfile.ZipFile(package) as archive:
        content = archive.read(next(name for name in archive.namelist() if name.endswith(".bin")))
    return len(content), hashlib.sha256(content).hexdigest()


def served(beacon: str, options: str = "--once") -> Start:
    return Start("simulate", f"beacon-dfu simulate --adapter hci0 --device '{beacon}' --json --for 80 {options}", limit=85)


def heard_at(address: str, name: str) -> Printed:
    return Printed("simulate", {"event": "advertising", "heard_at": address, "name": name})


def right(size: int, digest: str | None = None) -> Such:
    def holds(updates):
        return any(one["right"] and one["bytes"] == size and digest in (None, one["held_sha256"]) for one in updates)
    return Such(f"an update of {size} bytes that is right", holds)


def passed(*lines: dict, **members) -> End:
    return End("simulate", lines=[{"event": "verdict", "passed": True, "rules_broken": {}, **members}, *lines])


def broke(rule: str) -> Such:
    return Such(f"{rule} among the rules", lambda rules: rule in rules)


# A bootloader that keeps everything over a lost link, and loses one.
CUT = """
beacons:
  - address: F0:0D:BE:AC:0A:00
    personality: sdk-15.3
    key: test
    faults: [{cut_before_packet: 90}]
"""
PUBLIC = """
beacons:
  - kind: suota
    address: 80:EA:CA:00:00:01/public
    name: Public Tag
"""


def served_file(text: str, options: str = "--for 80 --once") -> Start:
    return Start("simulate", f"cat >/tmp/scenario.yaml <<'END'\n{text}END\n"
                 f"exec beacon-dfu simulate /tmp/scenario.yaml --adapter hci0 --json {options};", limit=145)


SERVING = [
    Scenario("simulate-secure", [Client("client", "F0:0D:BE:AC:01:01", speaks="secure", package=str(BLINKER))], [
        served("F0:0D:BE:AC:01:01"),
        heard_at("F0:0D:BE:AC:01:01", "DfuTarg"),
        Launch("client"),
        Heard("client", "connected", mtu=247),
        Heard("client", "finished", within=60),
        # It comes back as the application, at the address below.
        heard_at("F0:0D:BE:AC:01:00", "Blinker 1"),
        passed({"event": "request", "name": "create", "object": 2, "bytes": 4096},
               {"event": "mtu-exchanged", "asked": 517, "mtu": 247}, updates=right(*_image(BLINKER))),
    ], simulate=True),
    Scenario("simulate-secure-resumes", [
        Client("client", "F0:0D:BE:AC:02:01", speaks="secure", package=str(BLINKER), stop_at=12288)], [
        served("F0:0D:BE:AC:02:01"),
        heard_at("F0:0D:BE:AC:02:01", "DfuTarg"),
        Launch("client"),
        Heard("client", "stopped", within=40),
        Heard("client", "connected"),
        Heard("client", "resumed", offset=at_least(12288), right=True),
        Heard("client", "finished", within=60),
        passed(links=2, updates=right(*_image(BLINKER))),
    ], simulate=True),
    Scenario("simulate-secure-errs", [
        Client("client", "F0:0D:BE:AC:01:01", speaks="secure", package=str(BLINKER), errs="execute-early")], [
        served("F0:0D:BE:AC:01:01", "--for 20"),
        heard_at("F0:0D:BE:AC:01:01", "DfuTarg"),
        Launch("client"),
        Heard("client", "failed", within=40),
        End("simulate", exit=(1,), lines=[
            {"event": "rule-broken", "rule": "secure-execute-before-all-data"},
            {"event": "verdict", "passed": False, "updates": [],
             "rules_broken": broke("secure-execute-before-all-data")}]),
    ], simulate=True),
    Scenario("simulate-buttonless", [
        Client("client", "F0:0D:BE:AC:04:00", speaks="secure", package=str(BLINKER), enters=True)], [
        served("name:Blinker 4"),
        heard_at("F0:0D:BE:AC:04:00", "Blinker 4"),
        Launch("client"),
        Heard("client", "entered", within=30),
        heard_at("F0:0D:BE:AC:04:01", "DfuTarg"),
        Heard("client", "finished", within=60),
        passed({"event": "request", "name": "enter-bootloader"}, links=2, updates=right(*_image(BLINKER))),
    ], simulate=True),
    Scenario("simulate-cut", [Client("client", "F0:0D:BE:AC:0A:01", speaks="secure", package=str(BLINKER))], [
        served_file(CUT),
        heard_at("F0:0D:BE:AC:0A:01", "DfuTarg"),
        Launch("client"),
        Heard("client", "lost", within=40),
        Heard("client", "resumed", offset=at_least(4096), right=True),
        Heard("client", "finished", within=60),
        passed(links=2, updates=right(*_image(BLINKER))),
    ], simulate=True),
    # At the controller's own address, which appears only in the output.
    Scenario("simulate-public", [
        Client("client", "", called="Public Tag", speaks="suota", image=str(_SAMPLES / "dialog/531.img"))], [
        served_file(PUBLIC),
        Printed("simulate", {"event": "advertising", "device": "80:EA:CA:00:00:01", "address_type": "public"}),
        Launch("client"),
        Heard("client", "found"),
        Heard("client", "finished", within=60),
        passed(links=1, updates=right(8256 - 64)),
    ], simulate=True),
    Scenario("simulate-legacy", [Client("client", "F0:0D:BE:AC:05:01", speaks="legacy", package=str(LEGACY))], [
        served("F0:0D:BE:AC:05:01"),
        heard_at("F0:0D:BE:AC:05:01", "DfuTarg"),
        Launch("client"),
        Heard("client", "finished", within=70),
        passed(updates=right(30720)),
    ], simulate=True),
    Scenario("simulate-suota", [
        Client("client", "F0:0D:BE:AC:06:00", speaks="suota", image=str(_SAMPLES / "dialog/531.img"))], [
        served("name:Tag 6"),
        heard_at("F0:0D:BE:AC:06:00", "Tag 6"),
        Launch("client"),
        Heard("client", "finished", within=60),
        passed(updates=right(8256 - 64)),
    ], simulate=True),
    Scenario("simulate-channel", [
        Client("client", "F0:0D:BE:AC:07:00", speaks="channel", image=str(PACKAGES / "68x-60k.img"))], [
        served("name:Tag 7"),
        heard_at("F0:0D:BE:AC:07:00", "Tag 7"),
        Launch("client"),
        Heard("client", "channel"),
        Heard("client", "finished", within=60),
        passed({"event": "channel-opened"}, updates=Such("one", lambda updates: len(updates) == 1)),
    ], simulate=True),
    Scenario("simulate-legacy-errs", [
        Client("client", "F0:0D:BE:AC:05:01", speaks="legacy", package=str(LEGACY), errs="second-mtu")], [
        served("F0:0D:BE:AC:05:01"),
        heard_at("F0:0D:BE:AC:05:01", "DfuTarg"),
        Launch("client"),
        Heard("client", "finished", within=70),
        # The image is right, but the client is not.
        End("simulate", exit=(1,), lines=[
            {"event": "verdict", "passed": False, "updates": right(30720), "rules_broken": {"mtu-exchanged-again": 1}}]),
    ], simulate=True),
    # No client comes: Ctrl-C leaves the controller unchanged.
    Scenario("simulate-restores", [], [
        Start("simulate", "btmgmt --index 0 info >/tmp/before; "
              "timeout -s INT 8 beacon-dfu simulate --adapter hci0 --device 'name:Tag 6' --json; status=$?; "
              "btmgmt --index 0 info >/tmp/after; diff /tmp/before /tmp/after || exit 99; exit $status", limit=30),
        heard_at("F0:0D:BE:AC:06:00", "Tag 6"),
        End("simulate", exit=(130,), lines=[{"event": "verdict", "passed": False, "links": 0}]),
    ], simulate=True),
]
