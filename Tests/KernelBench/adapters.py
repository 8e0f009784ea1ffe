"""Scenarios with two adapters in the guest: hci0, and hci1 at `SECOND_ADDRESS`."""

from host.plan import (FIRST, FIRST_ADDRESS, SECOND, SECOND_ADDRESS, End, Heard, Pause, Plug, Run, Scenario, Start, Touched, Unplug,
                       Untouched, at_least)
from scenarios import (FROM_MEMORY, PACKAGE, SLOW_FLASH, bootloader, ended, failed, finished, flash, tray_file, without)


def loaders(subnet: str, count: int, **settings) -> dict:
    places = {f"A{number + 1}": f"F0:0D:BE:AC:{subnet}:{number * 0x10 + 1:02X}" for number in range(count)}
    return {slot: (bootloader(f"{subnet}-{slot}", address, **settings), address, PACKAGE) for slot, address in places.items()}


def tray(units: dict, adapters: str, journal: str = "/tmp/journal.sqlite") -> str:
    """One link per adapter. A removed adapter is switched on again."""
    return tray_file(units, links=1) + again(adapters, journal)


def again(adapters: str, journal: str) -> str:
    """The same with the tray file of the previous run."""
    return f"/tmp/beacon-dfu batch /tmp/tray.yaml --adapter {adapters} --power-on --no-golden --journal {journal} --json"


BOTH = f"hci0,{SECOND_ADDRESS}"
TARGET = "F0:0D:BE:AC:D4:01"
# More units than one adapter begins with, whichever hears them better.
FOUR = loaders("D0", 4)
# They take some seconds.
SLOW = loaders("D2", 2, flash=SLOW_FLASH)

ADAPTERS = [
    # Each has its own channels from before CAP_NET_ADMIN was given up.
    Scenario("two-adapters", [bootloader("target", TARGET), *(one for one, *_ in FOUR.values())], [
        FROM_MEMORY,
        # One of them by its address, while the other is used: the second has had no link request yet.
        Start("flash", f"/tmp/beacon-dfu flash {PACKAGE} --adapter {SECOND_ADDRESS} --device {TARGET} --json"),
        Start("scan", f"/tmp/beacon-dfu scan --adapter {FIRST_ADDRESS} --for 2 --json"),
        Run("info", f"/tmp/beacon-dfu info --adapter {FIRST_ADDRESS} --device F0:0D:BE:AC:D0:01 --json", lines=[{"event": "info"}]),
        # It may not hear the beacon to which `info` is connected.
        End("scan", lines=[{"event": "beacon", "address": address} for _, address, _ in list(FOUR.values())[1:]]),
        End("flash", lines=[finished()]),
        Heard("target", "image", hash_ok=True),
        Touched(SECOND),
        Run("doctor", f"/tmp/beacon-dfu doctor --tray --for 0.5 --adapter {FIRST_ADDRESS.lower()},{SECOND_ADDRESS} --json "
            "--journal /tmp/j.sqlite", exit=(0, 69), text=[
                rf"hci0 \({FIRST_ADDRESS}\) is on", rf"hci1 \({SECOND_ADDRESS}\) is on", r"hci0 hears", r"hci1 hears",
                without("permission|CAP_NET_ADMIN is")]),
        Run("batch", tray(FOUR, BOTH), limit=60, text=[without("adapter-gone")], lines=[
            {"event": "batch-finished", "exit": 0}, *(ended(slot, "passed", attempts=1) for slot in FOUR)]),
        Run("rows", "cat /out/two-adapters.batch.stdout", text=['"adapter":"hci0"', '"adapter":"hci1"']),
        # An adapter that cannot work is reported before anything is begun.
        Start("missing", again("hci0,hci7", "/tmp/journal.sqlite")),
        Run("user", again(BOTH, "/tmp/own-journal.sqlite"), user="user", exit=(77,),
            lines=[{**failed(77), "code": "permission-missing"}]),
        End("missing", exit=(69,), lines=[{**failed(69), "code": "no-adapter"}]),
    ], two_adapters=True),
    # An adapter is identified by its address: another one gets its number, and it comes back under the other's. The program
    # switches it on again, and off at the end.
    Scenario("adapter-renumbered", [bootloader("target", "F0:0D:BE:AC:D1:01", mtu=23)], [
        Start("flash", flash("F0:0D:BE:AC:D1:01") + " --power-on", limit=80),
        Heard("target", "object", executed=at_least(4096)),
        Unplug(FIRST),
        Unplug(SECOND),
        Plug(adapter=SECOND, number=0),
        Pause(1),
        Untouched(SECOND),
        Plug(switch_on=False, adapter=FIRST, number=1),
        End("flash", lines=[finished(retries=at_least(1))], text=[
            rf"hci0 is another adapter now \({SECOND_ADDRESS}\)", r"hci0 \(.*\) is back as hci1"]),
        Untouched(SECOND),
        Heard("target", "image", hash_ok=True),
        Run("settings", "btmgmt --index 1 info </tmp/idle", text=["current settings: (?!.*powered)"]),
    ], two_adapters=True),
    # Both are removed in the middle of a tray, for so long that the units' updates give them up, but not the run; and come
    # back with each other's numbers.
    Scenario("batch-unplugged", [one for one, *_ in SLOW.values()], [
        FROM_MEMORY,
        Start("tray", tray(SLOW, BOTH), limit=120),
        Heard("D2-A1", "object"),
        Unplug(FIRST),
        Unplug(SECOND),
        Pause(13),
        Plug(switch_on=False, adapter=SECOND, number=0),
        Plug(switch_on=False, adapter=FIRST, number=1),
        End("tray", lines=[{"event": "adapter-gone"}, {"event": "adapter-back"}, {"event": "finished", "attempts": 2}] + [
            ended(slot, "passed") for slot in SLOW], text=[
            r"hci0 \(.*\) is back as hci1", rf"hci1 \({SECOND_ADDRESS}\) is back as hci0"]),
    ], two_adapters=True),
]
