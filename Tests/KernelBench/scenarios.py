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

IMAGE_BYTES = 30720
UNPACKED = "/bench/unpacked/blinker.dat /bench/unpacked/blinker.bin"


def bootloader(name: str, address: str, **settings) -> Beacon:
    return Beacon(name, address, mode="bootloader", **settings)


def ends_on_image(beacon: str, application: str) -> list:
    """The image is complete, and the application is back at its own address."""
    return [Heard(beacon, "image", hash_ok=True, bytes=IMAGE_BYTES),
            Heard(beacon, "advertising", mode="application", address=application)]


PROBE = [
    # The bench's beacons, with the simplest possible client.
    Scenario("probe-flash", [bootloader("target", "F0:0D:BE:AC:03:01")], [
        Run("flash", f"probe flash F0:0D:BE:AC:03:01 {UNPACKED}", lines=[{"event": "connected", "mtu": 247}]),
        *ends_on_image("target", "F0:0D:BE:AC:03:00"),
    ], needs_program=False),
    Scenario("probe-buttonless", [Beacon("target", "F0:0D:BE:AC:03:FF", mode="application")], [
        Run("enter", "probe enter F0:0D:BE:AC:03:FF"),
        Heard("target", "advertising", mode="bootloader", address="F0:0D:BE:AC:03:00"),
        Run("flash", f"probe flash F0:0D:BE:AC:03:00 {UNPACKED}"),
        *ends_on_image("target", "F0:0D:BE:AC:03:FF"),
        Run("version", "gatttool -b F0:0D:BE:AC:03:FF -t random --char-read -u 2a26", text=["value: 32"]),
    ], needs_program=False),
    Scenario("probe-link-dropped", [
        bootloader("target", "F0:0D:BE:AC:03:11", drop_at=[6000, 20000], remembers="everything")], [
        Run("flash", f"probe flash F0:0D:BE:AC:03:11 {UNPACKED}", lines=[{"event": "resumed", "offset": at_least(5700)}]),
        Heard("target", "image", hash_ok=True, received=at_most(IMAGE_BYTES + 2 * 4096)),
    ], needs_program=False),
    Scenario("probe-vanishes", [bootloader("target", "F0:0D:BE:AC:03:21", vanish_at=6000)], [
        Run("flash", f"probe flash F0:0D:BE:AC:03:21 {UNPACKED}", limit=70, exit=(75,)),
        Heard("target", "off-air", why="vanished"),
    ], needs_program=False),
    Scenario("probe-mtu-23", [bootloader("target", "F0:0D:BE:AC:03:31", mtu=23)], [
        Run("flash", f"probe flash F0:0D:BE:AC:03:31 {UNPACKED}", lines=[{"event": "connected", "mtu": 23}]),
        *ends_on_image("target", "F0:0D:BE:AC:03:30"),
    ], needs_program=False),
    Scenario("probe-encrypted", [bootloader("target", "F0:0D:BE:AC:03:41", encrypted=True)], [
        Run("flash", f"probe flash F0:0D:BE:AC:03:41 {UNPACKED} secure"),
        Heard("target", "encrypted"),
        *ends_on_image("target", "F0:0D:BE:AC:03:40"),
    ], needs_program=False),
    Scenario("probe-adapter-removed", [bootloader("target", "F0:0D:BE:AC:03:51", mtu=23)], [
        Start("flash", f"probe flash F0:0D:BE:AC:03:51 {UNPACKED}"),
        Heard("target", "object", executed=at_least(4096)),
        Unplug(),
        End("flash", exit=(75,), text=["No route to host|Connection reset|No such device|timed out"]),
        Plug(),
        Run("again", f"probe flash F0:0D:BE:AC:03:51 {UNPACKED}"),
        Heard("target", "image", hash_ok=True),
    ], needs_program=False),
]

SCENARIOS = TOOLS + PROBE
