"""The scenarios. Their words are explained in `host/plan.py`, the beacons' settings in `peripherals/beacon.py`."""

import json

from host import packages
from host.plan import (Beacon, End, Full, Heard, Listened, Pause, Plug, PowerCycle, Printed, Run, Scanning, Scenario, Start,
                       Such, Unplug, at_least, at_most)

PACKAGES = ["firmware-samples/nordic/blinker-1.1.0.zip"]
IMAGES = ["firmware-samples/dialog/58x-27000.img", "firmware-samples/dialog/531.img"]


def three_beacons() -> list[Beacon]:
    return [
        Beacon("named", "F0:0D:BE:AC:01:01", advertising="020106" "0909426561636f6e2041"),
        Beacon("silent", "F0:0D:BE:AC:01:02", connectable=False,
               advertising="020106" "1aff4c000215" "00112233445566778899aabbccddeeff" "00010002c5"),
        Beacon("answering", "F0:0D:BE:AC:01:03", advertising="020106" "030259fe", scan_response="0909426561636f6e2043"),
    ]


TOOLS = [
    # The bench itself, with third-party programs.
    Scenario("tools-scan", three_beacons(), [
        # Twice, because adverts before the kernel has noted that discovery is on get lost, and the controller does not report
        # them again.
        Run("find", "for i in 1 2; do btmgmt --index 0 find -l </tmp/idle & sleep 2; "
            "btmgmt --index 0 stop-find -l; wait; done", text=[
                "F0:0D:BE:AC:01:01", "F0:0D:BE:AC:01:02", "F0:0D:BE:AC:01:03", "name Beacon A"]),
    ], needs_program=False),
    Scenario("tools-user", [], [
        Run("find", "btmgmt --index 0 find -l", user="user", exit=(1,), text=["Permission Denied"]),
        Run("who", "id -u; grep CapEff /proc/self/status", user="user", text=["1000", "CapEff:\\s0+\n"]),
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
    # Every checksum is right, but the image is not the signed one.
    Scenario("probe-wrong-image", [bootloader("target", "F0:0D:BE:AC:03:91")], [
        Run("flash", "(head -c 30000 /bench/unpacked/blinker.bin; head -c 720 /dev/zero) >/tmp/wrong; "
            "probe flash F0:0D:BE:AC:03:91 /bench/unpacked/blinker.dat /tmp/wrong", exit=(1,)),
        Heard("target", "image", hash_ok=False),
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
        Run("flash", f"probe flash F0:0D:BE:AC:03:11 {UNPACKED}",
            lines=[{"event": "resumed", "offset": at_least(5700)}]),
        Heard("target", "image", hash_ok=True, received=at_most(IMAGE_BYTES + 2 * 4096)),
    ], needs_program=False),
    Scenario("probe-two-at-once", [
        bootloader("one", "F0:0D:BE:AC:03:61"), bootloader("two", "F0:0D:BE:AC:03:71")], [
        Start("flash-one", f"probe flash F0:0D:BE:AC:03:61 {UNPACKED}"),
        Start("flash-two", f"probe flash F0:0D:BE:AC:03:71 {UNPACKED}"),
        End("flash-one"),
        End("flash-two"),
        *ends_on_image("one", "F0:0D:BE:AC:03:60"),
        *ends_on_image("two", "F0:0D:BE:AC:03:70"),
    ], needs_program=False),
    Scenario("probe-channel-taken", [Beacon("target", "F0:0D:BE:AC:03:80", mode="application")], [
        Start("gatttool", "gatttool -b F0:0D:BE:AC:03:80 -t random --char-write-req -a 0x14 -n 0200 --listen"),
        Heard("target", "subscribed"),
        Run("enter", "probe enter F0:0D:BE:AC:03:80", exit=(75,), text=["Device or resource busy"]),
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

# Seconds to erase a sector of a serial flash, and to write 20 bytes.
SERIAL_FLASH = [0.1, 0.0005]
# Their sizes, versions, and kinds; an upload by blocks has one byte more.
IMAGE_58X = ("/bench/58x-27000.img", 27000, "6.0.14.1114", packages.sample_sha256("dialog/58x-27000.img"))
IMAGE_531 = ("/bench/531.img", 8256, "6.0.24", packages.sample_sha256("dialog/531.img"))
IMAGE_68X = ("/bench/68x-60k.img", 61476, "2.0.1", packages.whole_sha256("68x-60k.img"))
IMAGE_69X = ("/bench/69x-60k.img", 62464, "3.0.1", packages.whole_sha256("69x-60k.img"))
LARGE_68X = ("/bench/68x-200k.img", 204836, "2.0.2", packages.whole_sha256("68x-200k.img"))
# For a bank of 2 Mbit only.
LARGE_58X = "/bench/58x-56k.img"


def receiver(address: str, family: str = "58x", **settings) -> Beacon:
    return Beacon("target", address, mode="suota", family=family, **settings)


def takes(image: tuple, transport: str = "gatt", **members) -> list:
    """The image is complete, and the device was told to restart."""
    _, size, _, digest = image
    return [Heard("target", "image", accepted=True, crc_ok=True, bytes=size, sha256=digest, transport=transport,
                  received=size + (transport == "gatt"), client_errors=0, **members),
            Heard("target", "reboot")]


def runs(version: str, address: str) -> list:
    """The started image reports its version in both of its strings."""
    shown = " ".join(f"{byte:02x}" for byte in version.encode())
    return [Heard("target", "advertising", mode="suota", version=version),
            Run("version", f"for id in 2a26 2a28; do gatttool -b {address} -t random --char-read -u $id; done",
                text=[f"value: {shown} *\n.*value: {shown}"])]


def ends_on(image: tuple, address: str, transport: str = "gatt", **members) -> list:
    return [*takes(image, transport, **members), *runs(image[2], address)]


PROBE_SUOTA = [
    Scenario("probe-suota", [receiver("F0:0D:BE:AC:20:01", flash=SERIAL_FLASH)], [
        Run("flash", f"probe suota F0:0D:BE:AC:20:01 {IMAGE_58X[0]}", lines=[{"event": "connected", "mtu": 247}]),
        Heard("target", "start", bank=0),
        *ends_on(IMAGE_58X, "F0:0D:BE:AC:20:01", bank=2, lengths=[240, 121]),
    ], needs_program=False),
    Scenario("probe-suota-large", [receiver("F0:0D:BE:AC:20:81")], [
        Run("flash", f"probe suota F0:0D:BE:AC:20:81 {IMAGE_58X[0]} large"),
        *ends_on(IMAGE_58X, "F0:0D:BE:AC:20:81", bank=2, lengths=[488, 161]),
    ], needs_program=False),
    # Its firmware ends the link, and does not check why.
    Scenario("probe-suota-forgets", [receiver("F0:0D:BE:AC:20:91", resets=False)], [
        Run("flash", f"probe suota F0:0D:BE:AC:20:91 {IMAGE_531[0]}"),
        Heard("target", "reboot"),
        Heard("target", "disconnected"),
        Heard("target", "advertising", version="1"),
    ], needs_program=False),
    Scenario("probe-suota-early", [receiver("F0:0D:BE:AC:20:11", mtu=23, early_status=True)], [
        Run("flash", f"probe suota F0:0D:BE:AC:20:11 {IMAGE_531[0]}", lines=[{"event": "connected", "mtu": 23}]),
        *ends_on(IMAGE_531, "F0:0D:BE:AC:20:11"),
    ], needs_program=False),
    Scenario("probe-suota-lost", [receiver("F0:0D:BE:AC:20:21", drop_in_block=[3])], [
        Run("flash", f"probe suota F0:0D:BE:AC:20:21 {IMAGE_58X[0]}", lines=[{"event": "retry"}]),
        Heard("target", "link-dropped", block=3),
        Heard("target", "start", count=2),
        *ends_on(IMAGE_58X, "F0:0D:BE:AC:20:21"),
    ], needs_program=False),
    # The receiver accepts its XOR; the error appears only when the old image starts.
    Scenario("probe-suota-wrong-crc", [receiver("F0:0D:BE:AC:20:31")], [
        Run("flash", f"(head -c 26999 {IMAGE_58X[0]}; printf x) >/tmp/wrong; "
            "probe suota F0:0D:BE:AC:20:31 /tmp/wrong", lines=[{"event": "finished"}]),
        Heard("target", "image", accepted=True, crc_ok=False),
        Heard("target", "boot", version="1", bank=1),
    ], needs_program=False),
    Scenario("probe-suota-68x", [receiver("F0:0D:BE:AC:20:41", "68x", flash=SERIAL_FLASH)], [
        Run("flash", f"probe suota F0:0D:BE:AC:20:41 {IMAGE_68X[0]}"),
        *ends_on(IMAGE_68X, "F0:0D:BE:AC:20:41"),
    ], needs_program=False),
    # A lost link is a restart, and the previous content is still there.
    Scenario("probe-suota-68x-lost", [receiver("F0:0D:BE:AC:20:71", "68x", drop_in_block=[3])], [
        Run("flash", f"probe suota F0:0D:BE:AC:20:71 {IMAGE_68X[0]}", lines=[{"event": "retry"}]),
        Heard("target", "link-dropped", block=3),
        Heard("target", "boot", version="1", copying=0),
        *ends_on(IMAGE_68X, "F0:0D:BE:AC:20:71"),
    ], needs_program=False),
    Scenario("probe-suota-channel", [receiver("F0:0D:BE:AC:20:51", "68x", psm=0x81, channel_mtu=4099)], [
        Run("flash", f"probe suota F0:0D:BE:AC:20:51 {IMAGE_68X[0]} channel",
            lines=[{"event": "opened", "maximum_packet": 4099}]),
        Heard("target", "channel", psm=0x81),
        *ends_on(IMAGE_68X, "F0:0D:BE:AC:20:51", "channel", lengths=[]),
    ], needs_program=False),
    Scenario("probe-suota-69x", [receiver("F0:0D:BE:AC:20:A1", "69x", flash=SERIAL_FLASH)], [
        Run("flash", f"probe suota F0:0D:BE:AC:20:A1 {IMAGE_69X[0]} large"),
        *ends_on(IMAGE_69X, "F0:0D:BE:AC:20:A1"),
    ], needs_program=False),
    # Its probe has the pins of the vendor's boards.
    Scenario("probe-suota-531-pins", [receiver("F0:0D:BE:AC:20:B1", "531", pins="04010003")], [
        Run("flash", f"probe suota F0:0D:BE:AC:20:B1 {IMAGE_531[0]}", exit=(1,),
            lines=[{"event": "refused", "status": "16"}]),
        PowerCycle("target"),
        Heard("target", "boot", version="1", bank=1),
    ], needs_program=False),
    # Packets that wait for credits are overtaken by an attribute request: packets are large, and the last is a full one.
    Scenario("probe-suota-hasty", [receiver("F0:0D:BE:AC:20:61", "68x", psm=0x81, channel_mtu=4099)], [
        Run("flash", f"probe suota F0:0D:BE:AC:20:61 {IMAGE_68X[0]} hasty", exit=(1,),
            lines=[{"event": "refused", "status": "04"}]),
        Heard("target", "client-error", what="END before everything was there"),
    ], needs_program=False, errs=True),
]

PACKAGE = "/bench/blinker-1.1.0.zip"


def flash(address: str, package: str = PACKAGE, adapter: str = "hci0") -> str:
    return (f"beacon-dfu flash {package} --adapter {adapter} --device {address} --json --log-level trace")


def finished(**members) -> dict:
    """The application reports the package's version, in its Firmware Revision String."""
    return {"event": "finished", "bytes": IMAGE_BYTES, "verified": "version", **members}


def failed(*exits: int) -> dict:
    return {"event": "failed", "exit": Such(f"one of {exits}", lambda value: value in exits),
            "next_step": Such("a sentence", bool)}


def in_use() -> dict:
    """It ended because of another copy of the program, which it names."""
    return {"event": "failed", "code": "beacon-in-use", "exit": 75,
            "message": Such("... beacon-dfu (process ...)", lambda text: "beacon-dfu (process " in text)}


def without(words: str) -> str:
    """A pattern that matches no output with these words."""
    return rf"(?s)\A(?!.*{words})"


def told(name: str, number: int, advertising: str, **settings) -> Beacon:
    """A beacon that identifies itself; the frames are those of the makers' sheets and of genuine captures."""
    # A dozen beacons in phase at 30 ms hide each other's scan responses from a scanner that requests one at a time.
    return Beacon(name, f"DD:34:02:06:5B:{number:02X}", advertising=advertising, interval_ms=100 + 7 * (number % 16),
                  **settings)


def feasycom(name: str, number: int, model: int, version: int, battery: int) -> Beacon:
    return told(name, number,
                f"020106 0e16f0ff {model:02x}{version:04x}92 dd3402065b{number:02x} {battery:02x}")


IBEACON = "020106 1aff4c000215e2c56db5dffb48d2b060d0f5a71096e0193605b2c5"


def sorted_tray() -> list[Beacon]:
    return [
        feasycom("current", 0x01, 21, 840, 100), feasycom("old", 0x02, 21, 830, 88),
        feasycom("low", 0x03, 21, 830, 9), feasycom("other-model", 0x04, 25, 830, 100),
        # Its own frame alternates with an iBeacon's; the battery is in the scan response too.
        told("kkm", 0x5C, IBEACON, turns=["020106 0303aafe 0e16aafe220564dd3402065b5c0614"],
             scan_response="091680206404193605b2"),
        # Its maker is only in the scan response.
        told("kontakt", 0x06, IBEACON, scan_response="0809616263646566 67020a04 0a160dd061626364040264"),
        told("kontakt-secure", 0x07, "020106 0f166afe0206010f6404616263646566"),
        told("asensor", 0x08, "020106 0303f5fe 13ffd200dd3402065b08021900010240000964c5"),
        told("orange", 0x09, "020106 11077e3aaa500bb0168b63401e0b0008ec59"),
        told("nobody", 0x0A, IBEACON, connectable=False),
        told("link", 0x0B, "020106 0303aafe 0d16aafe10ee01676f6f676c6500"),
        bootloader("loader", "F0:0D:BE:AC:12:01"),
    ]


def has(beacon: str, outcome: str, **members) -> dict:
    """The catalogue's result for it."""
    address = next(one.address for one in sorted_tray() if one.name == beacon)
    return {"event": "beacon", "address": address,
            "update": Such(outcome, lambda update: update["outcome"] == outcome), **members}


PROGRAM = [
    Scenario("doctor", [], [
        Run("doctor", "beacon-dfu doctor --adapter hci0 --json", limit=20, lines=[{"schema": 1}]),
    ]),
    Scenario("scan", three_beacons(), [
        # On a busy machine scan responses come late, or not with every advertisement.
        Run("scan", "beacon-dfu scan --adapter hci0 --json --for 20", limit=30, within=25, lines=[
            {"event": "beacon", "address": "F0:0D:BE:AC:01:01", "address_type": "random", "name": "Beacon A",
             "connectable": True, "mode": "application"},
            {"event": "beacon", "address": "F0:0D:BE:AC:01:02", "name": None, "connectable": False},
            # The name is in the scan response, the service in the advertisement: they have to be merged.
            {"event": "beacon", "address": "F0:0D:BE:AC:01:03", "name": "Beacon C", "mode": "bootloader"},
            {"event": "scanned", "beacons": 3}]),
    ]),
    # Twelve beacons of six makers, distinguished by their adverts.
    Scenario("sort", sorted_tray(), [
        Run("scan", "beacon-dfu scan --adapter hci0 --json --for 20 --catalogue /bench/catalogue", limit=40, lines=[
            has("current", "up-to-date", version="840"), has("old", "update-available", version="830"),
            has("low", "battery-low", battery=9), has("other-model", "wrong-model", model="BP109"),
            has("kkm", "not-listed", kind="kkm", version="6.20", battery=100, missing=[]),
            has("kontakt", "vendor-only", version="4.2"), has("kontakt-secure", "vendor-only"),
            has("asensor", "not-listed", kind="asensor"), has("orange", "vendor-only"),
            has("nobody", "unknown", kind="ibeacon"), has("link", "unknown", kind="eddystone"),
            has("loader", "bootloader", mode="bootloader"),
            {"event": "scanned", "beacons": 12, "incomplete": 0}]),
        # Only one of them takes connections and does not advertise what it is.
        Run("connect", "beacon-dfu scan --adapter hci0 --json --for 20 --catalogue /bench/catalogue --connect", limit=60,
            lines=[has("link", "unknown", connected=True, read=Such("1", lambda read: read["firmware"] == "1")),
                   has("kkm", "not-listed", connected=False, read=None)]),
        Heard("link", "connected"),
    ]),
    Scenario("flash", [bootloader("target", "F0:0D:BE:AC:04:01")], [
        Run("flash", flash("F0:0D:BE:AC:04:01"), lines=[{"event": "connected", "mtu": 247}, finished()]),
        *ends_on_image("target", "F0:0D:BE:AC:04:00"),
    ]),
    # The application's address ends in FF: its bootloader's ends in 00, and the byte before stays.
    Scenario("buttonless", [Beacon("target", "F0:0D:BE:AC:05:FF", mode="application")], [
        Run("flash", flash("F0:0D:BE:AC:05:FF"), lines=[
            {"event": "phase", "name": "entering-bootloader"},
            {"event": "connected", "device": "F0:0D:BE:AC:05:00"}, finished()],
            # One search after the other, without any other program.
            text=[without("another program is scanning")]),
        Heard("target", "buttonless", request=Such("a name", lambda text: text.startswith("020d446675"))),
        Heard("target", "buttonless", request="01"),
        *ends_on_image("target", "F0:0D:BE:AC:05:FF"),
    ]),
    # A bootloader without support for names is found by its address.
    Scenario("buttonless-nameless", [
        Beacon("target", "F0:0D:BE:AC:05:0F", mode="application", takes_name=False),
        bootloader("other", "F0:0D:BE:AC:05:21")], [
        Run("flash", flash("F0:0D:BE:AC:05:0F"), lines=[
            {"event": "connected", "device": "F0:0D:BE:AC:05:10"}, finished()]),
        *ends_on_image("target", "F0:0D:BE:AC:05:0F"),
    ]),
    # Another device has the bootloader's future address: nothing is changed.
    Scenario("buttonless-taken", [
        Beacon("target", "F0:0D:BE:AC:05:4F", mode="application"),
        bootloader("other", "F0:0D:BE:AC:05:50")], [
        Run("flash", flash("F0:0D:BE:AC:05:4F"), exit=(1,), lines=[
            {"event": "failed", "code": "bootloader-ambiguous", "exit": 1, "next_step": Such("a sentence", bool)}]),
    ]),
    # A bootloader that remembers everything continues where it was: less than an object is repeated for each of the two
    # losses.
    Scenario("link-dropped", [
        bootloader("target", "F0:0D:BE:AC:06:01", drop_at=[6000, 20000], remembers="everything")], [
        Run("flash", flash("F0:0D:BE:AC:06:01"), lines=[{"event": "resumed"}, finished(retries=at_least(2))]),
        Heard("target", "image", hash_ok=True, received=at_most(IMAGE_BYTES + 2 * 4096)),
        Heard("target", "advertising", mode="application"),
    ]),
    # Later generations keep only the init packet.
    Scenario("link-dropped-forgetful", [bootloader("target", "F0:0D:BE:AC:06:11", drop_at=[6000])], [
        Run("flash", flash("F0:0D:BE:AC:06:11"), lines=[finished(retries=at_least(1))]),
        *ends_on_image("target", "F0:0D:BE:AC:06:10"),
    ]),
    Scenario("vanishes", [bootloader("target", "F0:0D:BE:AC:07:01", vanish_at=6000)], [
        Run("flash", flash("F0:0D:BE:AC:07:01"), limit=85, exit=(75,), lines=[failed(75)]),
    ]),
    Scenario("two-at-once", [bootloader("one", "F0:0D:BE:AC:08:01"), bootloader("two", "F0:0D:BE:AC:08:11")], [
        Start("flash-one", flash("F0:0D:BE:AC:08:01")),
        Start("flash-two", flash("F0:0D:BE:AC:08:11")),
        End("flash-one", lines=[finished()]),
        End("flash-two", lines=[finished()]),
        *ends_on_image("one", "F0:0D:BE:AC:08:00"),
        *ends_on_image("two", "F0:0D:BE:AC:08:10"),
    ]),
    Scenario("foreign-connection", [
        bootloader("target", "F0:0D:BE:AC:09:01"), Beacon("other", "F0:0D:BE:AC:09:11", mode="application")], [
        Start("gatttool", "gatttool -b F0:0D:BE:AC:09:11 -t random --char-write-req -a 0x14 -n 0200 --listen"),
        Heard("other", "subscribed"),
        Run("flash", flash("F0:0D:BE:AC:09:01"), lines=[finished()]),
        *ends_on_image("target", "F0:0D:BE:AC:09:00"),
    ]),
    # While another client holds its link, the beacon is not heard, and its attribute channel is taken.
    Scenario("foreign-holds-target", [Beacon("target", "F0:0D:BE:AC:0A:01", mode="application")], [
        Start("gatttool", "gatttool -b F0:0D:BE:AC:0A:01 -t random --char-write-req -a 0x14 -n 0200 --listen"),
        Heard("target", "subscribed"),
        Run("flash", flash("F0:0D:BE:AC:0A:01"), limit=80, exit=(75,), lines=[
            {"event": "failed", "code": "beacon-held", "exit": 75}]),
    ]),
    # Two programs at one beacon: without the lock between them the kernel loses the link, or crashes.
    # Its flash takes time: the first works while four other programs run.
    Scenario("same-beacon-later", [
        Beacon("target", "F0:0D:BE:AC:10:01", mode="application", mtu=23, flash=[0.087, 0.0011])], [
        Start("first", flash("F0:0D:BE:AC:10:01")),
        Printed("first", {"event": "connected"}),
        Run("second", flash("F0:0D:BE:AC:10:01"), exit=(75,), within=10, lines=[in_use()]),
        Run("third", "beacon-dfu info --device F0:0D:BE:AC:10:01 --adapter hci0 --json", exit=(75,), within=10,
            lines=[in_use()]),
        # No thread has CAP_NET_ADMIN any more, and CAP_NET_RAW is effective only while a command is sent.
        # Some threads may end meanwhile.
        Run("capabilities", "cat /proc/$(pidof beacon-dfu)/task/*/status 2>/dev/null; true", text=[
            r"CapEff:\s+000001ffffffcfff", without(r"CapPrm:\s+(?!000001ffffffefff)"),
            without(r"CapEff:\s+(?!000001ffffffcfff)")]),
        # This is the unit's present or future address.
        Run("fourth", flash("F0:0D:BE:AC:10:02"), exit=(75,), within=10, lines=[in_use()]),
        End("first", lines=[finished()]),
        *ends_on_image("target", "F0:0D:BE:AC:10:01"),
        Run("after", "beacon-dfu info --device F0:0D:BE:AC:10:01 --adapter hci0 --json"),
    ]),
    Scenario("same-beacon-at-once", [Beacon("target", "F0:0D:BE:AC:10:11", mode="application")], [
        Run("both", f"({flash('F0:0D:BE:AC:10:11')} >/tmp/one; echo $? >/tmp/one.status) & "
            f"{flash('F0:0D:BE:AC:10:11')} >/tmp/two; echo $? >/tmp/two.status; wait; "
            "cat /tmp/one /tmp/two; sort -n /tmp/one.status /tmp/two.status | tr '\\n' ' ' | grep -qx '0 75 '",
            lines=[in_use(), finished()]),
        *ends_on_image("target", "F0:0D:BE:AC:10:11"),
        Run("after", "beacon-dfu info --device F0:0D:BE:AC:10:11 --adapter hci0 --json"),
    ]),
    # A killed update continues when the same command runs again.
    Scenario("killed-while-waiting", [Beacon("target", "F0:0D:BE:AC:10:21", mode="application")], [
        Start("first", flash("F0:0D:BE:AC:10:21")),
        Heard("target", "image", hash_ok=True),
        Run("kill", "kill -9 $(pidof beacon-dfu)"),
        End("first", exit=(137,)),
        Run("again", flash("F0:0D:BE:AC:10:21"), exit=(0, 2)),
    ]),
    # The discovery of a killed program runs on for 10 s, and has reported the beacon already. A program that starts another
    # discovery only 1, 2, 4, 8 and 12 s after the search began hears nothing in its 10 s. The rest of the 10 s, and the
    # warning about a deaf scan, depend on how soon this machine has let the scan hear the beacon.
    Scenario("killed-scan", [bootloader("target", "F0:0D:BE:AC:10:31")], [
        Run("scan", "beacon-dfu scan --adapter hci0 --json --watch >/tmp/heard & "
            "until [ -s /tmp/heard ]; do sleep 0.1; done; kill -9 $!; cat /tmp/heard",
            lines=[{"event": "beacon", "address": "F0:0D:BE:AC:10:31"}]),
        Run("flash", flash("F0:0D:BE:AC:10:31"), lines=[finished()]),
        *ends_on_image("target", "F0:0D:BE:AC:10:30"),
    ]),
    # Separate scan responses do not make them connectable.
    Scenario("crowd", [
        Beacon(f"silent-{number}", f"F0:0D:BE:AC:11:{number:02X}", connectable=False, advertising="020106",
               scan_response="0609" + b"Crowd".hex()) for number in range(8)], [
        Run("scan", "beacon-dfu scan --adapter hci0 --json --for 10", limit=20,
            lines=[{"event": "beacon", "connectable": False}], text=[without('"connectable":true')]),
    ]),
    Scenario("foreign-discovery", [bootloader("target", "F0:0D:BE:AC:0B:01")], [
        Start("find", "btmgmt --index 0 find -l; btmgmt --index 0 find -l", limit=40),
        Scanning(),
        # Beacons that the first scan has heard are heard again, and connected to, only after its end.
        Run("flash", flash("F0:0D:BE:AC:0B:01"), lines=[finished()], text=["another program is scanning"]),
        *ends_on_image("target", "F0:0D:BE:AC:0B:00"),
        End("find", exit=(0, 1)),
    ]),
    Scenario("ordinary-user", [bootloader("target", "F0:0D:BE:AC:0C:01")], [
        Run("scan", "beacon-dfu scan --adapter hci0 --json --for 3", user="user", limit=20, exit=(77,),
            lines=[failed(77)], text=["CAP_NET_ADMIN"]),
        Run("flash", flash("F0:0D:BE:AC:0C:01"), user="user", limit=20, exit=(77,),
            lines=[failed(77)], text=["CAP_NET_ADMIN"]),
    ]),
    Scenario("mtu-23", [bootloader("target", "F0:0D:BE:AC:0D:01", mtu=23)], [
        Run("flash", flash("F0:0D:BE:AC:0D:01"), lines=[{"event": "connected", "mtu": 23}, finished()]),
        *ends_on_image("target", "F0:0D:BE:AC:0D:00"),
    ]),
    Scenario("encrypted", [bootloader("target", "F0:0D:BE:AC:0E:01", encrypted=True)], [
        Run("flash", flash("F0:0D:BE:AC:0E:01"), lines=[finished()]),
        Heard("target", "encrypted"),
        *ends_on_image("target", "F0:0D:BE:AC:0E:00"),
    ]),
    Scenario("encrypted-refused", [bootloader("target", "F0:0D:BE:AC:0E:11", encrypted=True, pairs=False)], [
        Run("flash", flash("F0:0D:BE:AC:0E:11"), exit=(1,), within=15,
            text=["pairing failed"]),
    ]),
    # MTU 23 makes it last long enough.
    Scenario("adapter-removed", [bootloader("target", "F0:0D:BE:AC:0F:01", mtu=23)], [
        Start("flash", flash("F0:0D:BE:AC:0F:01"), limit=70),
        Heard("target", "object", executed=at_least(4096)),
        Unplug(),
        End("flash", exit=(69, 75), lines=[failed(69, 75)]),
        Plug(),
        Run("again", flash("F0:0D:BE:AC:0F:01"), lines=[finished()]),
        Heard("target", "image", hash_ok=True),
    ]),
    Scenario("adapter-switched-off", [bootloader("target", "F0:0D:BE:AC:0F:21", mtu=23)], [
        Start("flash", flash("F0:0D:BE:AC:0F:21"), limit=70),
        Heard("target", "object", executed=at_least(4096)),
        Run("off", "btmgmt --index 0 power off </tmp/idle"),
        Pause(2),
        Run("on", "btmgmt --index 0 power on </tmp/idle"),
        End("flash", lines=[finished(retries=at_least(1))]),
        Heard("target", "image", hash_ok=True),
    ]),
    Scenario("no-adapter", [], [
        Run("scan", "beacon-dfu scan --adapter hci7 --json --for 3", limit=20, exit=(69,), lines=[failed(69)]),
    ]),
]

def flash_suota(address: str, image: tuple, words: str = "") -> str:
    return flash(address, image[0]) + words


# The application's version afterwards is the one in the image's header.
SHOWN = {"event": "finished", "verified": "version"}


def refused(code: str, step: str = "") -> dict:
    """It failed with that code, and its hint has these words."""
    return {"event": "failed", "code": code, "exit": 1,
            "next_step": Such(f"... {step} ...", lambda text: bool(text) and step in text)}


def keeps_old(address: str) -> list:
    """The old image starts when the device is switched on."""
    return [PowerCycle("target"), Heard("target", "boot", version="1", bank=1), *runs("1", address)]


# Feasycom's pins, in GPIO_MAP format.
FEASYCOM_PINS = "miso=P0_3,mosi=P0_0,cs=P0_1,sck=P0_4"
FEASYCOM_MAP = "04010003"
# The same image as the sample, rebuilt from its program.
BUILD_531 = (f"tail -c +65 {IMAGE_531[0]} >/tmp/531.bin; beacon-dfu build suota /tmp/531.bin /tmp/531.img --header 531 "
             f"--version {IMAGE_531[2]} --timestamp 1735689600 && cmp /tmp/531.img {IMAGE_531[0]}")
# Puts the public address of the only one that has one into a variable.
PUBLIC_ADDRESS = ("beacon-dfu scan --adapter hci0 --for 3 --json >/tmp/heard; "
                  "A=$(sed -n 's/.*\"address\":\"\\([0-9A-F:]*\\)\",\"address_type\":\"public\".*/\\1/p' /tmp/heard); ")

SUOTA = [
    # Its address is its controller's. A user who copies it from elsewhere does not know its type.
    Scenario("suota-public", [receiver("F0:0D:BE:AC:21:51", public=True)], [
        Run("flash", PUBLIC_ADDRESS + flash("$A", IMAGE_531[0]), lines=[SHOWN]),
        *takes(IMAGE_531, bank=2),
    ]),
    Scenario("suota-info", [receiver("F0:0D:BE:AC:21:61", "68x", psm=0x81, version="1.4")], [
        Run("scan", "beacon-dfu scan --adapter hci0 --json --for 3", limit=15, lines=[
            {"event": "beacon", "address": "F0:0D:BE:AC:21:61", "name": "Bench SUOTA", "services": ["FEF5"]}]),
        Run("info", "beacon-dfu info --device F0:0D:BE:AC:21:61 --adapter hci0 --json", limit=30, lines=[
            {"device_information": Such("its strings", lambda found: [found[name] for name in (
                "manufacturer", "model", "firmware", "software")] == ["Bench", "DA14681", "1.4", "1.4"]),
             "update_services": Such("SUOTA", lambda found: [one["kind"] for one in found] == ["suota"])}]),
    ]),
    Scenario("suota-58x", [receiver("F0:0D:BE:AC:21:01", flash=SERIAL_FLASH)], [
        Run("flash", flash_suota("F0:0D:BE:AC:21:01", IMAGE_58X), lines=[
            {"event": "connected", "mtu": 247},
            {**SHOWN, "firmware_revision": IMAGE_58X[2], "retries": 0}]),
        Heard("target", "start", bank=0),
        *ends_on(IMAGE_58X, "F0:0D:BE:AC:21:01", bank=2),
    ]),
    # A status may precede the answer to its write.
    Scenario("suota-58x-early", [receiver("F0:0D:BE:AC:21:11", early_status=True)], [
        Run("flash", flash_suota("F0:0D:BE:AC:21:11", IMAGE_531), lines=[{**SHOWN, "retries": 0}]),
        *ends_on(IMAGE_531, "F0:0D:BE:AC:21:11"),
    ]),
    # Nothing can be resumed: everything is sent again.
    Scenario("suota-58x-lost", [receiver("F0:0D:BE:AC:21:21", flash=SERIAL_FLASH, drop_in_block=[3])], [
        Run("flash", flash_suota("F0:0D:BE:AC:21:21", IMAGE_58X), lines=[
            {"event": "retry"}, {**SHOWN, "retries": at_least(1)}]),
        Heard("target", "link-dropped", block=3),
        Heard("target", "start", count=2, bank=0),
        *ends_on(IMAGE_58X, "F0:0D:BE:AC:21:21", bank=2),
    ]),
    # The loss of the link restarts it.
    Scenario("suota-68x-lost", [receiver("F0:0D:BE:AC:21:71", "68x", drop_in_block=[3])], [
        Run("flash", flash_suota("F0:0D:BE:AC:21:71", IMAGE_68X), lines=[
            {"event": "retry"}, {**SHOWN, "retries": at_least(1)}]),
        Heard("target", "link-dropped", block=3),
        Heard("target", "boot", version="1", copying=0),
        *ends_on(IMAGE_68X, "F0:0D:BE:AC:21:71"),
    ]),
    Scenario("suota-mtu-23", [receiver("F0:0D:BE:AC:21:31", flash=SERIAL_FLASH, mtu=23)], [
        Run("flash", flash_suota("F0:0D:BE:AC:21:31", IMAGE_531), lines=[
            {"event": "connected", "mtu": 23}, {**SHOWN, "retries": 0}]),
        *ends_on(IMAGE_531, "F0:0D:BE:AC:21:31"),
    ]),
    # Version 1.0: 20 bytes, whatever the MTU.
    Scenario("suota-580", [receiver("F0:0D:BE:AC:21:91", "580", flash=SERIAL_FLASH)], [
        Run("flash", flash_suota("F0:0D:BE:AC:21:91", IMAGE_58X), lines=[
            {"event": "connected", "mtu": 247}, {**SHOWN, "retries": 0}]),
        *ends_on(IMAGE_58X, "F0:0D:BE:AC:21:91", bank=2, lengths=[240, 121]),
    ]),
    # Its firmware ends the link, and does not check why: the new image waits until the device is switched off and on.
    Scenario("suota-58x-forgets", [receiver("F0:0D:BE:AC:21:A1", resets=False)], [
        Run("flash", flash_suota("F0:0D:BE:AC:21:A1", IMAGE_531), exit=(1,), within=30, lines=[
            refused("version-mismatch", "switch the beacon off and on")]),
        *takes(IMAGE_531, bank=2),
        PowerCycle("target"),
        Heard("target", "boot", version=IMAGE_531[2], bank=2),
        *runs(IMAGE_531[2], "F0:0D:BE:AC:21:A1"),
    ]),
    Scenario("suota-531", [receiver("F0:0D:BE:AC:21:B1", "531", flash=SERIAL_FLASH, pins=FEASYCOM_MAP)], [
        Run("build", BUILD_531),
        Run("flash", flash_suota("F0:0D:BE:AC:21:B1", ("/tmp/531.img",), f" --pins {FEASYCOM_PINS}"), lines=[
            {**SHOWN, "firmware_revision": IMAGE_531[2], "retries": 0}]),
        *ends_on(IMAGE_531, "F0:0D:BE:AC:21:B1", bank=2),
    ]),
    # The pins of the vendor's boards, where its flash is not.
    Scenario("suota-531-pins", [receiver("F0:0D:BE:AC:21:C1", "531", pins=FEASYCOM_MAP)], [
        Run("flash", flash_suota("F0:0D:BE:AC:21:C1", IMAGE_531), exit=(1,), within=30, lines=[
            refused("wrong-pins", "--pins")]),
        *keeps_old("F0:0D:BE:AC:21:C1"),
    ]),
    # A DA14585 has space for it.
    Scenario("suota-531-large", [receiver("F0:0D:BE:AC:21:D1", "531")], [
        Run("flash", flash_suota("F0:0D:BE:AC:21:D1", (LARGE_58X,)), exit=(1,), within=30, lines=[
            refused("image-too-large")]),
        *keeps_old("F0:0D:BE:AC:21:D1"),
    ]),
    Scenario("suota-69x-channel", [receiver("F0:0D:BE:AC:21:E1", "69x", psm=0x81, flash=SERIAL_FLASH)], [
        Run("flash", flash_suota("F0:0D:BE:AC:21:E1", IMAGE_69X), lines=[
            {**SHOWN, "retries": 0, "limited_by": "flash"}]),
        Heard("target", "channel", psm=0x81),
        *ends_on(IMAGE_69X, "F0:0D:BE:AC:21:E1", "channel", lengths=[]),
    ]),
    Scenario("suota-69x-gatt", [receiver("F0:0D:BE:AC:21:F1", "69x", flash=SERIAL_FLASH)], [
        Run("flash", flash_suota("F0:0D:BE:AC:21:F1", IMAGE_69X), lines=[{**SHOWN, "retries": 0}]),
        *ends_on(IMAGE_69X, "F0:0D:BE:AC:21:F1"),
    ]),
    # It has a PSM, so its channel need not be requested. A length of blocks would select writes.
    Scenario("suota-68x-channel", [receiver("F0:0D:BE:AC:21:41", "68x", psm=0x81, flash=SERIAL_FLASH)], [
        Run("flash", flash_suota("F0:0D:BE:AC:21:41", IMAGE_68X), lines=[
            {**SHOWN, "retries": 0, "limited_by": "flash"}]),
        Heard("target", "channel", psm=0x81),
        *ends_on(IMAGE_68X, "F0:0D:BE:AC:21:41", "channel", lengths=[]),
    ]),
    # With packets this large, the last one is under way for long.
    Scenario("suota-68x-channel-wide", [receiver("F0:0D:BE:AC:21:81", "68x", psm=0x81, channel_mtu=4099)], [
        Run("flash", flash_suota("F0:0D:BE:AC:21:81", IMAGE_68X), lines=[{**SHOWN, "retries": 0}]),
        Heard("target", "channel", psm=0x81),
        *ends_on(IMAGE_68X, "F0:0D:BE:AC:21:81", "channel", lengths=[]),
    ]),
    # Its flash takes no time at all.
    Scenario("suota-68x-channel-air", [receiver("F0:0D:BE:AC:22:01", "68x", psm=0x81, channel_mtu=4099)], [
        Run("flash", flash_suota("F0:0D:BE:AC:22:01", IMAGE_68X), lines=[{**SHOWN, "limited_by": "air"}]),
    ], awaits="'limited by air' over a channel with large packets"),
    Scenario("suota-68x-gatt", [receiver("F0:0D:BE:AC:21:51", "68x", psm=0x81, flash=SERIAL_FLASH)], [
        Run("flash", flash_suota("F0:0D:BE:AC:21:51", IMAGE_68X, " --transport gatt"), lines=[
            {**SHOWN, "retries": 0}]),
        *ends_on(IMAGE_68X, "F0:0D:BE:AC:21:51"),
    ]),
]

# Seconds to erase a page of an nRF52, and to write 20 bytes.
STOCK_FLASH = [0.087, 0.0011]


def legacy(name: str, address: str, version: int, write: float, **members) -> Scenario:
    """The application has DFU Version 0.1, and its bootloader a later one, at the next address."""
    return Scenario(name, [
        Beacon("target", f"{address}:FF", mode="application", legacy=version, mtu=23, flash=[0.087, write])], [
        Run("flash", flash(f"{address}:FF", "/bench/legacy.zip") + " --expect-version 2", lines=[
            {"event": "phase", "name": "entering-bootloader"},
            {"event": "connected", "device": f"{address}:00", "mtu": 23}, finished(**members)]),
        Heard("target", "buttonless", request="0104"),
        Heard("target", "advertising", mode="bootloader", address=f"{address}:00"),
        Heard("target", "start", mode=4, status=1),
        Heard("target", "image", hash_ok=True, bytes=IMAGE_BYTES, sha256=packages.sha256("legacy.zip")),
        Heard("target", "advertising", mode="application", address=f"{address}:FF"),
    ])


def receiver(name: str, address: str, package: str, options: str = "", legacy: int | None = 8, **settings) -> Scenario:
    """An application that takes the update itself, version 1.15.0, and 1.16.0 after it."""
    bytes_of = IMAGE_BYTES
    return Scenario(name, [
        Beacon("target", address, mode="application", version="1.15.0", receiver="1.16.0", legacy=legacy,
               flash=[0.045, 0.0002], **settings)], [
        Run("flash", flash(address, package) + options, lines=[
            {"event": "finished", "bytes": bytes_of, "firmware_revision": "1.16.0",
             "verified": "version" if "--expect-version" in options else "reappeared"}]),
        Heard("target", "image", hash_ok=True, bytes=bytes_of),
        Heard("target", "advertising", mode="application", address=address),
    ])


NORDIC = [
    receiver("receiver-legacy", "F0:0D:BE:AC:31:10", "/bench/legacy.zip"),
    receiver("receiver-legacy-version", "F0:0D:BE:AC:32:10", "/bench/legacy.zip", " --expect-version 1.16.0"),
    receiver("receiver-legacy-cut", "F0:0D:BE:AC:33:10", "/bench/legacy.zip", drop_at=[12000]),
    receiver("receiver-secure", "F0:0D:BE:AC:34:10", PACKAGE, legacy=None),
    receiver("receiver-secure-chatty", "F0:0D:BE:AC:35:10", PACKAGE, legacy=None, chatty=True),
    receiver("receiver-secure-cut", "F0:0D:BE:AC:36:10", PACKAGE, legacy=None, drop_at=[12000]),
    Scenario("receiver-switched-off", [
        Beacon("target", "F0:0D:BE:AC:37:10", mode="application", version="1.15.0", receiver="1.16.0", legacy=8,
               switched_off=True)], [
        Run("flash", flash("F0:0D:BE:AC:37:10", "/bench/legacy.zip"), exit=(1,), lines=[
            {"event": "failed", "code": "updates-not-allowed"}]),
    ]),
    # Legacy starts over after a lost link; the bootloader is restarted for that.
    Scenario("legacy-link-lost", [
        Beacon("target", "F0:0D:BE:AC:38:FF", mode="application", legacy=8, mtu=23, flash=[0.087, 0.0005],
               drop_at=[12000])], [
        Run("flash", flash("F0:0D:BE:AC:38:FF", "/bench/legacy.zip"), lines=[
            {"event": "retry", "reason": "link-lost", "from": 0}, {"event": "finished"}]),
        Heard("target", "image", hash_ok=True, bytes=IMAGE_BYTES),
    ]),
    # SoftDevice and bootloader, a restart, the application: its init packet would be refused with the old SoftDevice.
    Scenario("two-parts", [
        Beacon("target", "F0:0D:BE:AC:12:FF", mode="application", softdevice=0x95, flash=STOCK_FLASH)], [
        Run("flash", flash("F0:0D:BE:AC:12:FF", "/bench/two-parts.zip"), lines=[
            {"event": "phase", "name": "entering-bootloader"}, finished(bytes=61440 + IMAGE_BYTES)]),
        Heard("target", "image", kind=3, hash_ok=True, bytes=61440, dropped=0,
              sha256=packages.sha256("two-parts.zip", "sd_bl")),
        Heard("target", "off-air", why="activated-system"),
        Heard("target", "advertising", mode="bootloader", address="F0:0D:BE:AC:12:00"),
        Heard("target", "image", kind=0, hash_ok=True, bytes=IMAGE_BYTES, dropped=0,
              sha256=packages.sha256("two-parts.zip")),
        Heard("target", "advertising", mode="application", address="F0:0D:BE:AC:12:FF"),
        Run("version", "gatttool -b F0:0D:BE:AC:12:FF -t random --char-read -u 2a26", text=["value: 32"]),
    ]),
    # Its flash has to be fast, or its 8 buffers overflow: without air time, the packets of a receipt come at once.
    legacy("legacy", "F0:0D:BE:AC:13", version=8, write=0.0005, retries=0),
    legacy("legacy-sdk-7", "F0:0D:BE:AC:14", version=5, write=0.0005, retries=0),
    # Nothing can be resumed: a reset, and from the start with fewer packets per receipt.
    legacy("legacy-too-fast", "F0:0D:BE:AC:17", version=8, write=0.002, retries=at_least(1)),
    # Create's erase takes a place of the queue for 87 ms, and the settings do before the first; packets without a place are
    # dropped silently. Nothing is lost, because packets leave at the flash's pace.
    Scenario("queue", [bootloader("target", "F0:0D:BE:AC:15:01", flash=STOCK_FLASH)], [
        Run("flash", flash("F0:0D:BE:AC:15:01"), lines=[finished(retries=0)]),
        Heard("target", "image", hash_ok=True, bytes=IMAGE_BYTES, dropped=0),
        Heard("target", "advertising", mode="application"),
    ]),
    # Three times as slow, which is detected before the first packet of firmware.
    Scenario("queue-slow", [bootloader("target", "F0:0D:BE:AC:15:31", flash=[0.25, 0.003])], [
        Run("flash", flash("F0:0D:BE:AC:15:31"), lines=[finished(retries=0)]),
        Heard("target", "image", hash_ok=True, bytes=IMAGE_BYTES, dropped=0),
        Heard("target", "advertising", mode="application"),
    ]),
    # The emulated guest passes on small packets in bursts that exceed any link, so some may be lost.
    Scenario("queue-mtu-23", [bootloader("target", "F0:0D:BE:AC:15:11", flash=STOCK_FLASH, mtu=23)], [
        Run("flash", flash("F0:0D:BE:AC:15:11"), lines=[finished()]),
        Heard("target", "image", hash_ok=True, bytes=IMAGE_BYTES),
        Heard("target", "advertising", mode="application"),
    ]),
    # Every 40th packet is lost: whole objects are repeated.
    Scenario("queue-losing", [bootloader("target", "F0:0D:BE:AC:15:21", flash=STOCK_FLASH, loses=40)], [
        Run("flash", flash("F0:0D:BE:AC:15:21"), lines=[finished(retries=at_least(3))]),
        Heard("target", "dropped", why="chance"),
        Heard("target", "image", hash_ok=True, bytes=IMAGE_BYTES, dropped=at_least(3)),
        Heard("target", "advertising", mode="application"),
    ]),
    # Half as many places as any stock bootloader has: packets are lost until that is learned.
    Scenario("queue-small", [bootloader("target", "F0:0D:BE:AC:15:41", flash=STOCK_FLASH, places=8)], [
        Run("flash", flash("F0:0D:BE:AC:15:41"), lines=[finished(retries=at_least(1))]),
        Heard("target", "dropped", why="queue full"),
        Heard("target", "image", hash_ok=True, bytes=IMAGE_BYTES, dropped=at_least(1)),
        Heard("target", "advertising", mode="application"),
    ]),
    # The application makes a bond, whose key the kernel keeps; its bootloader at the same address does not pair.
    Scenario("bonded", [
        Beacon("target", "F0:0D:BE:AC:18:01", mode="application", bonds=True)], [
        Run("bondable", "btmgmt --index 0 bondable on </tmp/idle"),
        Run("flash", flash("F0:0D:BE:AC:18:01"), lines=[
            {"event": "phase", "name": "entering-bootloader"},
            {"event": "connected", "device": "F0:0D:BE:AC:18:01"}, finished()]),
        Heard("target", "paired", bonded=True),
        Heard("target", "buttonless", request="01"),
        Heard("target", "advertising", mode="bootloader", address="F0:0D:BE:AC:18:01"),
        Heard("target", "encrypted"),
        Heard("target", "image", hash_ok=True, bytes=IMAGE_BYTES),
        Heard("target", "advertising", mode="application"),
        Run("forget", "btmgmt --index 0 bondable off </tmp/idle; "
            "btmgmt --index 0 unpair -t 2 F0:0D:BE:AC:18:01 </tmp/idle"),
    ]),
    # The kernel without a daemon makes keys for one link only: the application refuses, and stays.
    Scenario("bonded-without", [
        Beacon("target", "F0:0D:BE:AC:18:11", mode="application", bonds=True)], [
        Run("flash", flash("F0:0D:BE:AC:18:11"), exit=(1,), lines=[
            {"event": "failed", "code": "entry-refused", "next_step": Such("a sentence", bool)}]),
    ]),
]


def crowd(subnet: str, count: int, interval: int) -> list[Beacon]:
    """So many beacons out of phase, from F0:0D:BE:AC:SUBNET:01 on."""
    return [Beacon(f"unit-{number}", f"F0:0D:BE:AC:{subnet}:{number:02X}", interval_ms=interval, advertising="020106")
            for number in range(1, count + 1)]


CLIENT = [
    # Bearers that no command uses yet.
    Scenario("client-channel", [Beacon("target", "F0:0D:BE:AC:10:01", echo_psm=0x80)], [
        Run("echo", "kernel-bench-client echo hci0 F0:0D:BE:AC:10:01 128 50 1000",
            lines=[{"event": "opened", "maximum_packet": 1024}, {"event": "echoed", "packets": 50},
                   {"event": "connected"}]),
        Heard("target", "channel", psm=0x80),
        Heard("target", "channel-closed", psm=0x80),
    ], needs_program=False, needs_client=True),
    Scenario("client-channel-refused", [Beacon("target", "F0:0D:BE:AC:10:11", echo_psm=0x80)], [
        Run("echo", "kernel-bench-client echo hci0 F0:0D:BE:AC:10:11 129 1 10", exit=(1,), within=10,
            text=["refuses this channel"]),
        Run("too-long", "kernel-bench-client echo hci0 F0:0D:BE:AC:10:11 128 1 1025", exit=(1,), text=["errno: 90"]),
    ], needs_program=False, needs_client=True),
    Scenario("client-channel-stream", [Beacon("target", "F0:0D:BE:AC:10:21", sink=[0x81, 1000 * 160])], [
        Run("send", "kernel-bench-client send hci0 F0:0D:BE:AC:10:21 129 160 1000",
            lines=[{"event": "opened", "maximum_packet": 1024}, {"event": "sent", "bytes": 160000}]),
        Heard("target", "swallowed", bytes=160000),
    ], needs_program=False, needs_client=True),
    # RootCanal supports LE 2M; it answers LE Set Data Length with "unknown command", which is not an error.
    Scenario("client-link", [Beacon("target", "F0:0D:BE:AC:10:31", mode="application")], [
        Run("link", "kernel-bench-client link hci0 F0:0D:BE:AC:10:31",
            lines=[{"event": "link", "interval_ms": 15, "phy": "2M"}], text=["LE Set Data Length: unknown command"]),
        Run("user", "kernel-bench-client link hci0 F0:0D:BE:AC:10:31", user="user",
            lines=[{"event": "link", "interval_ms": None}]),
    ], needs_program=False, needs_client=True),
    # Heard, and connected to on a later advertisement; the kernel's default time is for 4 s at most, and is that again.
    Scenario("client-rare", crowd("10", 1, 10240), [
        Run("before", "autoconnect read 0", lines=[{"event": "defaults", "1b": 4000}]),
        Run("link", "kernel-bench-client rare hci0 F0:0D:BE:AC:10:01", lines=[{"event": "linked"}], limit=80),
        Run("after", "autoconnect read 0", lines=[{"event": "defaults", "1b": 4000}]),
    ], needs_program=False, needs_client=True),
]

CONTRACT = [
    # The contract of every adapter, including simulated ones: Tests/SeamContract.
    Scenario("contract", [
        Beacon("one", "F0:0D:BE:AC:11:00", mode="application", version="1" * 240),
        Beacon("other", "F0:0D:BE:AC:11:10", mode="application", version="2" * 240)], [
        Run("facts", "kernel-bench-client contract hci0 F0:0D:BE:AC:11:00 F0:0D:BE:AC:11:10 F0:0D:BE:AC:11:20",
            limit=80),
    ], needs_program=False, needs_client=True),
]


def together(name: str, place: str, *beside: Beacon, **expected) -> Scenario:
    """One process updates two units from their bootloaders, and also tries to update their neighbours."""
    units = [f"F0:0D:BE:AC:{place}:01", f"F0:0D:BE:AC:{place}:11"]
    addresses = " ".join(units + [beacon.address for beacon in beside])
    return Scenario(name, [bootloader("one", units[0]), bootloader("two", units[1]), *beside], [
        # Writing to the host's folder takes time.
        Run("updates", f"kernel-bench-client updates hci0 {addresses} {UNPACKED} >/tmp/said; status=$?; "
            "cat /tmp/said; exit $status", limit=80, **expected,
            lines=[{"event": "moment", "device": unit, "what": "updated"} for unit in units]),
    ], needs_program=False, needs_client=True)


def silent(address: str) -> Beacon:
    """A bootloader that is heard, and answers no connection request."""
    return bootloader("silent", address, connectable=False)


TOGETHER = [
    together("together", "41"),
    # It must not cost the others more than a moment: alone they take 9 to 10 s.
    together("together-beside-silent", "42", silent("F0:0D:BE:AC:42:21"), within=12),
    # Other listeners stop, some while they begin.
    Scenario("listeners", [Beacon("target", "F0:0D:BE:AC:43:01", mode="application")], [
        Run("listen", "kernel-bench-client listeners hci0 F0:0D:BE:AC:43:01 >/tmp/said; status=$?; cat /tmp/said; "
            "exit $status", limit=80),
        Listened(longest_pause=0.5),
    ], needs_program=False, needs_client=True),
]

# After a program that used the whole adapter exclusively. It is away until the guest has noticed.
ANOTHER_ADAPTER = [Unplug(), Pause(2), Plug()]

# Some clients connect by ConnectDevice, which bluetoothd has only with --experimental.
DAEMONS = [
    Start("bus", "mkdir -p /run/dbus /var/lib/bluetooth; ln -sfn /run /var/run; "
          "dbus-daemon --nofork --config-file=/bench/bus.conf", limit=600),
    Run("bus-ready", "until [ -e /run/dbus/system_bus_socket ]; do usleep 100000; done", limit=30),
    Start("bluetoothd", "bluetoothd --nodetach --experimental --configfile=/bench/bluetoothd.conf", limit=600),
    Run("ready", "until bluetoothctl show | grep -q 'Powered: yes'; do usleep 500000; done", limit=30),
]
NO_DAEMONS = [
    Run("end", "killall bluetoothd; killall dbus-daemon"),
    End("bluetoothd"),
    End("bus", exit=(0, 143)),
]


def channel(name: str, prefix: str, **settings) -> Scenario:
    """The speed over a channel compared with the smallest client in C, whose packets are as long as the receiver accepts
    them. `finished` has ours as `transfer_seconds`, `arrived` theirs as `seconds`."""
    ours, least, even = (f"{prefix}:{number}1" for number in (0, 1, 2))
    return Scenario(name, [
        Beacon(who, address, mode="suota", family="68x", psm=0x81, **settings)
        for who, address in (("ours", ours), ("least", least), ("even", even))], [
        # From memory and into it, to exclude the cost of the folders shared with the host.
        Run("start", f"cp /bench/bin/beacon-dfu {LARGE_68X[0]} /tmp"),
        Run("ours", "/tmp/beacon-dfu flash /tmp/68x-200k.img --adapter hci0 "
            f"--device {ours} --json >/tmp/ours; tail -n 1 /tmp/ours", limit=80, lines=[SHOWN]),
        Run("least", f"probe suota {least} /tmp/68x-200k.img channel", limit=80, lines=[{"event": "arrived"}]),
        # Packets that fill two of the receiver's frames, including their length prefix.
        Run("even", f"probe suota {even} /tmp/68x-200k.img channel 492", limit=80, lines=[{"event": "arrived"}]),
    ], measures=True)


def parts(name: str, beacon: Beacon, file: str, words: str = "") -> Scenario:
    """The parts of the time of a small update; see docs/performance.md."""
    # From memory, to exclude the cost of the folder shared with the host.
    return Scenario(f"parts-{name}", [beacon], [
        Run("flash", f"cp /bench/bin/beacon-dfu /tmp; /tmp/beacon-dfu flash {file} --adapter hci0 --device {beacon.address}"
            f"{words} --json | python /bench/phases.py", lines=[{"event": "parts"}]),
    ], measures=True)


MEASUREMENTS = [
    parts("bootloader", bootloader("target", "F0:0D:BE:AC:A8:01"), PACKAGE),
    parts("application", Beacon("target", "F0:0D:BE:AC:A8:40", mode="application"), PACKAGE),
    parts("suota", Beacon("target", "F0:0D:BE:AC:A8:80", mode="suota", family="58x", flash=SERIAL_FLASH), IMAGE_58X[0],
          f" --pins {FEASYCOM_PINS}"),
    # The cost of the same update for this program, the smallest client in C, and one in Python; see docs/performance.md.
    Scenario("cpu", [bootloader("ours", "F0:0D:BE:AC:A0:01"), bootloader("least", "F0:0D:BE:AC:A0:11"),
                     bootloader("theirs", "F0:0D:BE:AC:A0:21")], [
        # From memory, to exclude the cost of the folder shared with the host.
        Run("start", "cp /bench/bin/beacon-dfu /tmp; time -p /tmp/beacon-dfu --version"),
        Run("ours", "time -p /tmp/beacon-dfu flash /bench/large-500k.zip --adapter hci0 --device F0:0D:BE:AC:A0:01",
            limit=120, text=["verified"]),
        Run("least", "time -p probe flash F0:0D:BE:AC:A0:11 /bench/large/*.dat /bench/large/*.bin", limit=120),
        Run("adapter-off", "btmgmt --index 0 power off"),
        Run("theirs", "time -p python /bench/central.py F0:0D:BE:AC:A0:21 /bench/large/*.dat /bench/large/*.bin",
            limit=300, lines=[{"event": "sent"}]),
        *ANOTHER_ADAPTER,
    ], measures=True),
    # The same in packets of 20 bytes, where only the cost of each write counts.
    Scenario("cpu-mtu-23", [bootloader("ours", "F0:0D:BE:AC:A2:01", mtu=23),
                            bootloader("least", "F0:0D:BE:AC:A2:11", mtu=23),
                            bootloader("theirs", "F0:0D:BE:AC:A2:21", mtu=23)], [
        Run("start", "cp /bench/bin/beacon-dfu /tmp; time -p /tmp/beacon-dfu --version"),
        Run("ours", "time -p /tmp/beacon-dfu flash /bench/large-500k.zip --adapter hci0 --device F0:0D:BE:AC:A2:01",
            limit=400, text=["verified"]),
        Run("least", "time -p probe flash F0:0D:BE:AC:A2:11 /bench/large/*.dat /bench/large/*.bin", limit=400),
        Run("adapter-off", "btmgmt --index 0 power off"),
        Run("theirs", "time -p python /bench/central.py F0:0D:BE:AC:A2:21 /bench/large/*.dat /bench/large/*.bin",
            limit=900, lines=[{"event": "sent"}]),
        *ANOTHER_ADAPTER,
    ], measures=True),
    # Frames of 247 bytes, packets of 512.
    channel("channel", "F0:0D:BE:AC:A4"),
    # As long as one frame.
    channel("channel-narrow", "F0:0D:BE:AC:A7", channel_mtu=247),
    channel("channel-wide", "F0:0D:BE:AC:A5", channel_mtu=4099),
    channel("channel-slow", "F0:0D:BE:AC:A6", flash=SERIAL_FLASH),
    # The same through bluetoothd, which takes over the adapter, so everything else comes first.
    Scenario("cpu-bleak", [bootloader("ours", "F0:0D:BE:AC:A1:01"), bootloader("theirs", "F0:0D:BE:AC:A1:11")], [
        Run("start", "cp /bench/bin/beacon-dfu /tmp; time -p /tmp/beacon-dfu --version"),
        Run("ours", "time -p /tmp/beacon-dfu flash /bench/large-500k.zip --adapter hci0 --device F0:0D:BE:AC:A1:01",
            limit=120, text=["verified"]),
        *DAEMONS,
        Run("theirs", "time -p python /bench/bleak_central.py F0:0D:BE:AC:A1:11 /bench/large/*.dat /bench/large/*.bin 244",
            limit=600, lines=[{"event": "sent"}]),
        *NO_DAEMONS,
        *ANOTHER_ADAPTER,
    ], measures=True, needs_daemons=True),
    Scenario("cpu-bleak-mtu-23", [bootloader("ours", "F0:0D:BE:AC:A3:01", mtu=23),
                                  bootloader("theirs", "F0:0D:BE:AC:A3:11", mtu=23)], [
        Run("start", "cp /bench/bin/beacon-dfu /tmp; time -p /tmp/beacon-dfu --version"),
        Run("ours", "time -p /tmp/beacon-dfu flash /bench/middle.zip --adapter hci0 --device F0:0D:BE:AC:A3:01",
            limit=120, text=["verified"]),
        *DAEMONS,
        Run("theirs", "time -p python /bench/bleak_central.py F0:0D:BE:AC:A3:11 /bench/middle/middle.dat "
            "/bench/middle/middle.bin 20", limit=600, lines=[{"event": "sent"}]),
        *NO_DAEMONS,
        *ANOTHER_ADAPTER,
    ], measures=True, needs_daemons=True),
]


def connectors(subnet: str, count: int, interval: int) -> list:
    """Each method of connecting to a crowd, in turn. A link stays for 2 s after its last user."""
    units = " ".join(one.address for one in crowd(subnet, count, interval))
    ways = ["one", "heard", f"due {interval}", "all", "list"]
    return [step for way in ways
            for step in (Run(way.split()[0], f"connectors {way} {units}", limit=80), Pause(4))]


def exclusive(subnet: str, count: int, interval: int, beside: bool = True) -> list:
    """The same links by the kernel's host, and by a host of the client's own, which takes the adapter away."""
    units = " ".join(one.address for one in crowd(subnet, count, interval))
    steps = [Run("exclusive", f"kernel-bench-client crowd exclusive:hci0 {units}", limit=150, lines=[
        {"event": "done", "links": count}]), Pause(1)]
    if beside:
        steps += [Run("kernel", f"kernel-bench-client crowd hci0 {units}", limit=150, lines=[
            {"event": "done", "links": count}]), Pause(4)]
    return [*steps, Run("powered", "btmgmt --index 0 info </tmp/idle", text=["current settings: powered"])]


def nobody(number: int) -> str:
    return f"F0:0D:BE:AC:BF:{number:02X}"


# An adapter that the client has to itself (docs/decisions/0011).
EXCLUSIVE = [
    Scenario("exclusive-contract", [
        Beacon("one", "F0:0D:BE:AC:BA:00", mode="application", version="1" * 240),
        Beacon("other", "F0:0D:BE:AC:BA:10", mode="application", version="2" * 240)], [
        Run("facts", "kernel-bench-client contract exclusive:hci0 F0:0D:BE:AC:BA:00 F0:0D:BE:AC:BA:10 "
            "F0:0D:BE:AC:BA:20", limit=80),
        Run("powered", "btmgmt --index 0 info </tmp/idle", text=["current settings: powered"]),
    ], needs_program=False, needs_client=True),
    Scenario("exclusive-others", crowd("B9", 1, 100), [
        Run("folder", "mkdir -p /run"),
        Start("holder", f"kernel-bench-client crowd exclusive:hci0 {nobody(0x11)}"),
        # The kernel does not list an adapter that is used exclusively.
        Run("held", "while btmgmt info </tmp/idle | grep -q hci0; do usleep 200000; done"),
        Run("second", f"kernel-bench-client crowd exclusive:hci0 {nobody(0x12)}", exit=(1,),
            text=["hci0 is used exclusively by kernel-bench-cl"]),
        Run("kernel", f"kernel-bench-client crowd hci0 {nobody(0x12)}", exit=(1,),
            text=["hci0 is used exclusively by kernel-bench-cl"]),
        # A killed program leaves the adapter off, and the next one switches it on at its end.
        Run("kill", "kill -9 $(pidof kernel-bench-client)"),
        End("holder", exit=(137,)),
        Run("off", "btmgmt --index 0 info </tmp/idle | grep 'current settings'", text=["settings: (?!powered)"]),
        Run("after-kill", "kernel-bench-client crowd exclusive:hci0 F0:0D:BE:AC:B9:01", lines=[
            {"event": "done", "links": 1}]),
        Run("on", "btmgmt --index 0 info </tmp/idle", text=["current settings: powered"]),
        Start("scan", "btmgmt --index 0 find -l </tmp/idle & sleep 10; btmgmt --index 0 stop-find -l; wait"),
        Scanning(),
        Run("beside-scan", f"kernel-bench-client crowd exclusive:hci0 {nobody(0x13)}", exit=(1,),
            text=["another program is scanning with it"]),
        End("scan"),
        Run("user", f"kernel-bench-client crowd exclusive:hci0 {nobody(0x15)}", user="user", exit=(1,),
            text=["CAP_NET_ADMIN"]),
        Start("unplugged", f"kernel-bench-client crowd exclusive:hci0 F0:0D:BE:AC:B9:01 {nobody(0x14)}"),
        Printed("unplugged", {"event": "ready"}),
        Unplug(),
        End("unplugged", exit=(1,), text=["hci0 was removed"]),
        Plug(),
        Run("plugged", "kernel-bench-client crowd exclusive:hci0 F0:0D:BE:AC:B9:01", lines=[
            {"event": "done", "links": 1}]),
    ], needs_program=False, needs_client=True),
    # The program, which gives up capabilities at its start, and an interruption.
    Scenario("exclusive-program", [bootloader("target", "F0:0D:BE:AC:BB:01")], [
        Run("scan", "beacon-dfu scan --adapter exclusive:hci0 --for 4 --json", lines=[
            {"address": "F0:0D:BE:AC:BB:01"}]),
        Run("flash", flash("F0:0D:BE:AC:BB:01", adapter="exclusive:hci0"), limit=160, lines=[finished()]),
        Run("on", "btmgmt --index 0 info </tmp/idle", text=["current settings: powered"]),
        Start("scanning", "beacon-dfu scan --adapter exclusive:hci0 --for 60"),
        Run("off", "while btmgmt info </tmp/idle | grep -q hci0; do usleep 200000; done; sleep 1; "
            "kill -INT $(pidof beacon-dfu)"),
        End("scanning", exit=(0, 130)),
        Run("interrupted", "btmgmt --index 0 info </tmp/idle", text=["current settings: powered"]),
    ]),
    # Extended advertising: heard, connected to and flashed, on LE 1M with data on LE 2M, and on LE Coded. The kernel does not tell the PHY.
    Scenario("extended", [bootloader("fast", "F0:0D:BE:AC:EC:01", extended=["1M", "2M"]),
                          bootloader("coded", "F0:0D:BE:AC:EC:11", extended=["coded", "coded"])], [
        Run("doctor", "beacon-dfu doctor --adapter hci0", limit=20, text=["hears extended advertising"]),
        Run("scan", "beacon-dfu scan --adapter hci0 --for 6 --json", lines=[
            {"address": "F0:0D:BE:AC:EC:01", "phy": None, "connectable": True}, {"event": "scanned", "beacons": 1}]),
        Run("flash", flash("F0:0D:BE:AC:EC:01"), limit=160, lines=[finished()]),
    ]),
    Scenario("coded", [bootloader("coded", "F0:0D:BE:AC:EC:21", extended=["coded", "coded"])], [
        Run("scan", "beacon-dfu scan --adapter hci0 --coded --for 6 --json", lines=[
            {"address": "F0:0D:BE:AC:EC:21", "phy": None, "connectable": True}]),
        Run("flash", flash("F0:0D:BE:AC:EC:21") + " --coded", limit=160, lines=[finished()]),
        Run("restored", "btmgmt --index 0 phy </tmp/idle | grep Selected | sed 's/.*EDR3M5SLOT//'",
            text=[" LE1MTX LE1MRX"]),
        Run("deselected", "btmgmt --index 0 phy </tmp/idle | grep Selected | grep -q CODED", exit=(1,)),
    ]),
    Scenario("extended-exclusive", [bootloader("fast", "F0:0D:BE:AC:ED:01", extended=["1M", "2M"]),
                                    bootloader("coded", "F0:0D:BE:AC:ED:11", extended=["coded", "coded"])], [
        Run("scan", "beacon-dfu scan --adapter exclusive:hci0 --for 6 --json", lines=[
            {"address": "F0:0D:BE:AC:ED:01", "phy": "1M", "secondary_phy": "2M", "extended": True},
            {"address": "F0:0D:BE:AC:ED:11", "phy": "coded", "secondary_phy": "coded", "extended": True}]),
        Run("flash", flash("F0:0D:BE:AC:ED:01", adapter="exclusive:hci0"), limit=160, lines=[finished()]),
        Run("flash-coded", flash("F0:0D:BE:AC:ED:11", adapter="exclusive:hci0"), limit=160, lines=[finished()]),
    ]),
    Scenario("exclusive", crowd("B6", 8, 1000), exclusive("B6", 8, 1000), needs_program=False, needs_client=True,
             measures=True, needs_python=False),
    Scenario("exclusive-16", crowd("B7", 16, 1000), exclusive("B7", 16, 1000), needs_program=False, needs_client=True,
             measures=True, needs_python=False),
    Scenario("exclusive-slow", crowd("B8", 8, 10240), exclusive("B8", 8, 10240, beside=False), needs_program=False,
             needs_client=True, measures=True, needs_python=False),
]


SOMEBODY = "F0:0D:BE:AC:B2:01"
# The cost of connecting to many beacons (docs/decisions/0011).
CONNECTORS = [
    Scenario("connectors", crowd("B0", 8, 1000), connectors("B0", 8, 1000), needs_program=False, measures=True,
             needs_python=False),
    Scenario("connectors-fast", crowd("B1", 8, 100), connectors("B1", 8, 100), needs_program=False, measures=True,
             needs_python=False),
    # The kernel's handling of send timeouts and of the accept list.
    Scenario("connectors-kernel", crowd("B2", 1, 100), [
        Run("timeout-1000", f"connectors absent 1000 {nobody(1)}"),
        Run("after-timeout", f"connectors one {SOMEBODY}"),
        Pause(4),
        Run("timeout-default", f"connectors absent 0 {nobody(2)}", limit=70),
        # A link that no program uses ends by itself.
        Run("adopt", f"connectors adopt {SOMEBODY}", lines=[{"event": "ended"}]),
        Pause(3),
        # Cleared, and the following connection.
        Run("cancel", f"connectors cancel 2000 {nobody(3)} {nobody(4)}", lines=[{"event": "cancelled", "status": 0}]),
        Run("after-cancel", f"connectors one {SOMEBODY}"),
        Pause(4),
        # A discovery meanwhile.
        Start("waiting", f"connectors cancel 8000 {nobody(6)}"),
        Pause(1),
        Run("scan", "btmgmt --index 0 find -l </tmp/idle & sleep 4; btmgmt --index 0 stop-find -l; wait"),
        End("waiting", lines=[{"event": "cancelled", "status": 0}]),
        # The kernel itself waits for a device, with the list for its scan.
        Start("pending", f"connectors absent 6000 {nobody(8)}"),
        Pause(1),
        Run("beside", f"connectors list {SOMEBODY}", exit=(1,), lines=[{"event": "controller", "cleared": 0x0C}]),
        End("pending"),
        Pause(4),
        Run("after-all", f"connectors one {SOMEBODY}"),
    ], needs_program=False, measures=True, needs_python=False),
    # A controller that is full and reports it only after a while: the kernel does not notify the socket, and makes no other
    # connection.
    Scenario("flash-full", [bootloader("target", "F0:0D:BE:AC:13:01")], [
        Full("later"),
        Run("flash", flash("F0:0D:BE:AC:13:01"), limit=80, exit=(75,), lines=[
            {"event": "retry", "reason": "too-many-links"}]),
        Full(None),
        *ANOTHER_ADAPTER,
        Run("again", flash("F0:0D:BE:AC:13:01"), lines=[finished()]),
    ], measures=True, needs_python=False),
    # With these the kernel, Debian's 6.1.192 among others, reports a BUG: the socket's close uses freed memory. The
    # controller refuses a connection at once because it is full,
    Scenario("connectors-refused", crowd("B3", 1, 100), [
        Full("at once"),
        Run("refused", "connectors one F0:0D:BE:AC:B3:01", exit=(1,), text=["Too many links"]),
        Full(None),
    ], needs_program=False, measures=True, needs_python=False),
    # or it is already waiting with the accept list;
    Scenario("connectors-clash", crowd("B4", 1, 100), [
        Start("waiting", f"connectors cancel 12000 {nobody(5)}"),
        Pause(1.5),
        Run("clash", "connectors one F0:0D:BE:AC:B4:01", exit=(1,), text=["resource busy"]),
        End("waiting"),
    ], needs_program=False, measures=True, needs_python=False),
    # or a link is lost that has carried nothing.
    Scenario("connectors-lost", [Beacon("target", "F0:0D:BE:AC:B5:01", mode="suota", family="58x")], [
        Start("lose", "connectors lose F0:0D:BE:AC:B5:01"),
        Pause(2),
        PowerCycle("target"),
        End("lose", text=["closed"]),
    ], needs_program=False, measures=True, needs_python=False),
]


# Seconds to erase a page, and to write 20 bytes, of a flash that takes 10 kB/s.
SLOW_FLASH = [0.087, 0.0016]


def a_tray(subnet: str, **settings) -> dict[str, tuple[Beacon, str, str | None]]:
    """Slot, beacon, address, and firmware; without the firmware the catalogue decides."""
    def loader(slot: str, last: int):
        address = f"F0:0D:BE:AC:{subnet}:{last:02X}"
        return slot, (bootloader(f"{subnet}-{slot}", address, flash=SLOW_FLASH, **settings), address, PACKAGE)

    def tag(slot: str, last: int):
        address = f"F0:0D:BE:AC:{subnet}:{last:02X}"
        beacon = Beacon(f"{subnet}-{slot}", address, mode="suota", family="58x", flash=SERIAL_FLASH, **settings)
        return slot, (beacon, address, IMAGE_58X[0])

    return dict([loader("A1", 0x01), loader("A2", 0x11), loader("A3", 0x21), loader("A4", 0x31),
                 tag("B1", 0x41), tag("B2", 0x51), tag("B3", 0x61), tag("B4", 0x71)])


def with_trouble(subnet: str) -> dict[str, tuple[Beacon, str, str | None]]:
    """The same with one that loses its link twice, one that vanishes, one of another model, one with a low battery."""
    tray = a_tray(subnet)
    _, twice, package = tray["A2"]
    tray["A2"] = (bootloader(f"{subnet}-A2", twice, drop_at=[6000, 20000], remembers="everything"), twice, package)
    _, gone, package = tray["A3"]
    tray["A3"] = (bootloader(f"{subnet}-A3", gone, vanish_at=6000), gone, package)
    number = 0x80 + int(subnet, 16) % 16 * 2
    for slot, beacon in [("B3", feasycom(f"{subnet}-B3", number, 25, 830, 100)),
                         ("B4", feasycom(f"{subnet}-B4", number + 1, 21, 830, 9))]:
        tray[slot] = (beacon, beacon.address, None)
    return tray


def tray_file(tray: dict, **limits: int) -> str:
    """Writes it, and removes any other journal."""
    # As `--from-scan` writes them: digits alone could match two beacons, and need a longer scan.
    slots = [{"slot": slot, "device": f"{address}/random", **({"firmware": firmware} if firmware else {})}
             for slot, (_, address, firmware) in tray.items()]
    text = json.dumps({"tray": 1, "catalogue": {"folder": "/bench/catalogue"}, "limits": {"links": 8, **limits}, "slots": slots})
    return f"printf '%s' '{text}' >/tmp/tray.yaml; rm -f /tmp/journal*; "


def batch(tray: dict, *options: str, adapter: str = "hci0", **limits: int) -> str:
    return (f"{tray_file(tray, **limits)}/tmp/beacon-dfu batch /tmp/tray.yaml --adapter {adapter} --journal /tmp/journal.sqlite --json {' '.join(options)}")


def one_by_one(tray: dict) -> str:
    return "; ".join(
        f"/tmp/beacon-dfu flash {firmware} --adapter hci0 --device {address}" if firmware else
        f"/tmp/beacon-dfu flash --from-catalogue --catalogue /bench/catalogue --adapter hci0 --device {address}"
        for _, address, firmware in tray.values())


def beside(tray: dict, twins: dict, *options: str, **limits: int) -> str:
    """A tray in parallel, and its twins one after the other; then a line about the elapsed and the processor time of
    both."""
    # Seconds since the boot, and ticks of 10 ms of the processes that have ended (proc(5): cutime, cstime).
    now = "$(cut -d' ' -f1 /proc/uptime) $(awk '{print $16 + $17}' /proc/$$/stat)"
    line = (r'{\"event\":\"times\",\"batch\":%.1f,\"singles\":%.1f,\"times\":%.2f,\"batch_cpu\":%.2f,\"singles_cpu\":%.2f}'
            r'\n')
    return (f"set -- {now}; {batch(tray, *options, **limits)}; set -- $* {now}; ({one_by_one(twins)}) >&2; set -- $* {now}; "
            f"echo $* | awk '{{ printf \"{line}\", $3 - $1, $5 - $3, ($5 - $3) / ($3 - $1), ($4 - $2) / 100, ($6 - $4) / 100 }}'")


def ended(slot: str, outcome: str, **members) -> dict:
    return {"event": "finished", "slot": slot, "outcome": outcome, **members}


def two_units(subnet: str) -> dict[str, tuple[Beacon, str, str | None]]:
    return {slot: one for slot, one in a_tray(subnet).items() if slot in ("A1", "B1")}


def troubled(name: str, subnet: str, twins: str, times: float, vanished: str, *options: str, **limits: int) -> Scenario:
    """Eight units in parallel, five of which pass, next to eight similar ones one after the other; the outcome of one that
    vanishes."""
    trays = (with_trouble(subnet), with_trouble(twins))
    return Scenario(name, [one for tray in trays for one, *_ in tray.values()], [
        FROM_MEMORY,
        Run("both", beside(*trays, *options, **limits), limit=500, lines=[
            {"event": "batch-finished", "exit": 1, "open": 0}, *(ended(slot, "passed") for slot in ("A1", "A4", "B1", "B2")),
            ended("A2", "passed", attempts=1),
            {"event": "attempted", "slot": "A2", "retries": at_least(2)},
            {"event": "failed", "slot": "A3", "code": vanished, "outcome": "failed"},
            {"event": "failed", "slot": "B3", "code": "wrong-model", "outcome": "failed"},
            {"event": "failed", "slot": "B4", "code": "battery-low", "outcome": "failed"},
            {"event": "times", "times": at_least(times)}]),
    ], measures=True, needs_python=False)


# The cost of the folder shared with the host is excluded.
FROM_MEMORY = Run("start", "cp /bench/bin/beacon-dfu /tmp; /tmp/beacon-dfu --version")
# Eight units of two kinds in parallel, over eight links of one adapter, and eight similar ones one after the other.
TRAYS = [
    Scenario("batch", [one for tray in (a_tray("C0"), a_tray("C1")) for one, *_ in tray.values()], [
        FROM_MEMORY,
        Run("both", beside(a_tray("C0"), a_tray("C1"), "--no-golden"), limit=400, lines=[
            {"event": "batch-finished", "exit": 0}, *(ended(slot, "passed") for slot in a_tray("C0")),
            {"event": "times", "times": at_least(3.5)}]),
    ], measures=True, needs_python=False),
    # The first alone, then the others: one loses its link twice, one vanishes, one is of another model, one has a low
    # battery. The bound is the first one's time and the search for the vanished one, 30 s.
    troubled("batch-trouble", "C2", "C3", 2.5, "link-lost"),
    # All from the beginning, and none may take longer than 15 s: the vanished one is given up.
    troubled("batch-limits", "C4", "C5", 3.5, "unit-time", "--no-golden", unit_s=15),
    # Eight that advertise once a second, over the kernel's connections and over an exclusive adapter's accept list.
    Scenario("batch-exclusive", [one for tray in (a_tray("C7", interval_ms=1000), a_tray("C8", interval_ms=1000))
                                 for one, *_ in tray.values()], [
        FROM_MEMORY,
        *(Run(name, batch(a_tray(subnet), "--no-golden", adapter=adapter), limit=300, lines=[
            {"event": "batch-finished", "exit": 0}, *(ended(slot, "passed") for slot in a_tray(subnet))])
          for name, subnet, adapter in (("exclusive", "C8", "exclusive:hci0"), ("kernel", "C7", "hci0"))),
    ], measures=True, needs_python=False),
    # One run per adapter.
    Scenario("batch-taken", [one for one, *_ in two_units("C6").values()], [
        FROM_MEMORY,
        Start("first", batch(two_units("C6"), "--no-golden"), limit=120),
        Heard("C6-A1", "connected"),
        Run("second", "/tmp/beacon-dfu batch /bench/blinker-1.1.0.zip --rule name=DfuTarg --adapter hci0 --journal /tmp/other.sqlite "
            "--json", exit=(75,), lines=[{"event": "failed", "code": "adapter-taken"}]),
        End("first", lines=[ended(slot, "passed") for slot in two_units("C6")]),
    ], needs_python=False),
]

for one in NORDIC:
    one.bootloaders = True
for one in SUOTA:
    one.suota = True

SCENARIOS = TOOLS + PROBE + PROBE_SUOTA + PROGRAM + NORDIC + SUOTA + CLIENT + CONTRACT + TOGETHER + MEASUREMENTS + CONNECTORS + EXCLUSIVE + TRAYS
