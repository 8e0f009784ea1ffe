"""Beacons with MCUboot that take updates over SMP. Their settings are in `peripherals/smp_device.py`."""

from host.plan import Beacon, Heard, PowerCycle, Run, Scenario, at_least
from scenarios import ended, failed, flash, tray_file

OLD, NEW = "1.0.0", "2.0.0"
IMAGE, ZIP = "/bench/bench-2.0.0.bin", "/bench/bench-2.0.0.zip"
# Seconds to erase a page, and to write 20 bytes, of an nRF52840.
FLASH = [0.085, 0.0002]
SWAP = 3
SHOWN = {"event": "finished", "verified": "version"}


def beacon(address: str, name: str = "target", *, flash=FLASH, mtu=247, encrypted=False, pairs=True, drop_at=(), **smp) -> Beacon:
    return Beacon(name, address, mode="smp", version=OLD, flash=flash, mtu=mtu, encrypted=encrypted, pairs=pairs,
                  drop_at=list(drop_at), smp={"swap": SWAP, **smp})


# The image arrives, is tested, runs, and is confirmed.
IS_KEPT = [Heard("target", "image", hash_ok=True, version=NEW), Heard("target", "pending", kind="test"),
           Heard("target", "boot", did="swap", version=NEW), Heard("target", "confirmed", version=NEW)]


def updated(name: str, number: int, *heard, file: str = IMAGE, **settings) -> Scenario:
    address = f"F0:0D:BE:AC:E1:{number:02X}"
    return Scenario(f"mcuboot-{name}", [beacon(address, **settings)], [
        Run("flash", flash(address, file), limit=80, lines=[SHOWN]), *heard, *IS_KEPT])


def fails(name: str, number: int, code: str, did: str, **settings) -> Scenario:
    """The old image runs after it, also when the beacon is switched off and on."""
    address = f"F0:0D:BE:AC:E2:{number:02X}"
    return Scenario(f"mcuboot-{name}", [beacon(address, **settings)], [
        Run("flash", flash(address, IMAGE), limit=80, exit=(1,), lines=[{**failed(1), "code": code}]),
        Heard("target", "image", hash_ok=True, version=NEW), Heard("target", "boot", did=did, version=OLD),
        PowerCycle("target"), Heard("target", "boot", did="nothing", version=OLD)])


FLASHED = [
    updated("flash", 0x01),
    updated("zip", 0x02, file=ZIP),
    # The slot has to be erased before the first answer: 8 s.
    updated("slow-erase", 0x0C, spare="0.9.0", flash=[1, 0.0002]),
    # An application that advertises only a name.
    updated("unnamed", 0x03, says_service=False),
    updated("window-1", 0x04, buffers=2),
    updated("window-7", 0x05, buffers=8, buffer=512),
    # Packets of 20 bytes, which the beacon joins.
    updated("mtu-23", 0x06, mtu=23),
    # Whole frames only, and nothing told: the version of the protocol that Mynewt and old Zephyr speak.
    updated("version-1", 0x07, dialect=1, parameters=False, mode=None, reassembles=False),
    updated("link-lost", 0x08, Heard("target", "link-dropped"), Heard("target", "resumed", offset=at_least(9000)),
            drop_at=[9000]),
    updated("requests-lost", 0x09, Heard("target", "dropped"), forgets=20, reassembles=False, buffer=384),
    updated("encrypted", 0x0A, Heard("target", "encrypted"), encrypted=True),
    # Its power is lost while the bootloader exchanges the images, and the exchange goes on.
    updated("power-lost", 0x0B, cut=10),
]

OTHERWISE = [
    fails("reverts", 0x01, "image-reverted", "crash", new="crashes"),
    fails("refused", 0x02, "refused-at-boot", "refused", new="refused"),
    Scenario("mcuboot-encrypted-refused", [beacon("F0:0D:BE:AC:E2:03", encrypted=True, pairs=False)], [
        Run("flash", flash("F0:0D:BE:AC:E2:03", IMAGE), exit=(1,), within=15, text=["pairing failed"]),
    ]),
    # Only tested, it is undone by the next restart; the second time nothing is sent, and it is confirmed.
    Scenario("mcuboot-in-test", [beacon("F0:0D:BE:AC:E2:04")], [
        Run("test", flash("F0:0D:BE:AC:E2:04", IMAGE) + " --confirm test", limit=80, lines=[SHOWN]),
        Heard("target", "boot", did="swap", version=NEW),
        Run("confirm", flash("F0:0D:BE:AC:E2:04", IMAGE), limit=80, lines=[SHOWN]),
        Heard("target", "confirmed", version=NEW),
        PowerCycle("target"), Heard("target", "boot", did="nothing", version=NEW),
    ]),
    # Confirmed before the restart, it has no way back.
    Scenario("mcuboot-now", [beacon("F0:0D:BE:AC:E2:06")], [
        Run("flash", flash("F0:0D:BE:AC:E2:06", IMAGE) + " --confirm now", limit=80, lines=[SHOWN]),
        Heard("target", "pending", kind="permanent"), Heard("target", "boot", did="swap", version=NEW),
        PowerCycle("target"), Heard("target", "boot", did="nothing", version=NEW),
    ]),
    Scenario("mcuboot-undone", [beacon("F0:0D:BE:AC:E2:05")], [
        Run("test", flash("F0:0D:BE:AC:E2:05", IMAGE) + " --confirm test", limit=80, lines=[SHOWN]),
        Heard("target", "boot", did="swap", version=NEW),
        PowerCycle("target"), Heard("target", "boot", did="revert", version=OLD),
    ]),
]

# Eight in parallel: two come back with their old image, and one loses its power in the exchange.
REVERTING, CUT = ("A3", "B2"), "A4"
UNITS = {f"{row}{column}": f"F0:0D:BE:AC:E3:{16 * place + column:02X}"
         for place, row in enumerate("AB") for column in range(1, 5)}


def unit(slot: str) -> Beacon:
    settings = {"new": "crashes"} if slot in REVERTING else {"cut": 10} if slot == CUT else {}
    return beacon(UNITS[slot], slot, **settings)


def tray(name: str, file: str) -> Scenario:
    units = {slot: (unit(slot), address, file) for slot, address in UNITS.items()}
    return Scenario(name, [one for one, *_ in units.values()], [
        Run("batch", tray_file(units) + "beacon-dfu batch /tmp/tray.yaml --adapter hci0 --journal /tmp/journal.sqlite --json "
            "--no-golden", limit=150, exit=(1,), lines=[
                {"event": "batch-finished", "exit": 1, "open": 0},
                *(ended(slot, "passed", verified="version") for slot in UNITS if slot not in REVERTING),
                *({"event": "failed", "slot": slot, "code": "image-reverted", "outcome": "failed"} for slot in REVERTING)]),
        Heard(CUT, "power-lost"),
        *(Heard(slot, "confirmed", version=NEW) for slot in UNITS if slot not in REVERTING),
        *(Heard(slot, "boot", did="crash", version=OLD) for slot in REVERTING),
    ])


MCUBOOT = [*FLASHED, *OTHERWISE, tray("mcuboot-batch", IMAGE)]

for one in MCUBOOT:
    one.mcuboot = True
