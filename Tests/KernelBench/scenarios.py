"""What is tried. The words are explained in `host/plan.py`, the beacons' settings in `peripherals/beacon.py`."""

from host.plan import Beacon, End, Heard, Pause, Plug, Run, Says, Scenario, Start, Such, Unplug, at_least, at_most

PACKAGES = ["firmware-samples/nordic/blinker-1.1.0.zip"]


def three_beacons() -> list[Beacon]:
    return [
        Beacon("named", "F0:0D:BE:AC:01:01", advertising="020106" "0909426561636f6e2041"),
        Beacon("silent", "F0:0D:BE:AC:01:02", connectable=False,
               advertising="020106" "1aff4c000215" "00112233445566778899aabbccddeeff" "00010002c5"),
        Beacon("answering", "F0:0D:BE:AC:01:03", advertising="020106" "030259fe", scan_response="0909426561636f6e2043"),
    ]


TOOLS = [
    # The bench itself, with programs that nobody here wrote.
    Scenario("tools-scan", three_beacons(), [
        Run("find", "btmgmt --index 0 find -l", text=[
            "F0:0D:BE:AC:01:01", "F0:0D:BE:AC:01:02", "F0:0D:BE:AC:01:03", "name Beacon A"]),
    ], needs_program=False),
    Scenario("tools-gatt", [Beacon("application", "F0:0D:BE:AC:02:01", mode="application", version="1")], [
        Run("read", "gatttool -b F0:0D:BE:AC:02:01 -t random --char-read -u 2a26", text=["31"]),
        Run("list", "gatttool -b F0:0D:BE:AC:02:01 -t random --char-desc", text=["0x0013, uuid = 8ec90003"]),
        Run("early-write", "gatttool -b F0:0D:BE:AC:02:01 -t random --char-write-req -a 0x13 -n 01",
            text=["Unexpected error code"]),
        Heard("application", "refused"),
        Run("write", "gatttool -b F0:0D:BE:AC:02:01 -t random --char-write-req -a 0x14 -n 0200",
            text=["written successfully"]),
        Heard("application", "subscribed", bits=2),
    ], needs_program=False),
]

SCENARIOS = TOOLS
