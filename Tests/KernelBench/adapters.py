"""What is tried with two adapters in the guest: hci0, and hci1 at `SECOND_ADDRESS`."""

from host.plan import FIRST, SECOND, SECOND_ADDRESS, End, Heard, Pause, Plug, Run, Scenario, Start, Unplug, Untouched, at_least
from scenarios import (FROM_MEMORY, PACKAGE, SLOW_FLASH, bootloader, ended, failed, finished, flash, tray_file, without)


def loaders(subnet: str, count: int, **settings) -> dict:
    places = {f"A{number + 1}": f"F0:0D:BE:AC:{subnet}:{number * 0x10 + 1:02X}" for number in range(count)}
    return {slot: (bootloader(f"{subnet}-{slot}", address, **settings), address, PACKAGE) for slot, address in places.items()}


def tray(units: dict, adapters: str, journal: str = "/tmp/journal.sqlite") -> str:
    """One link an adapter. An adapter that was pulled out is switched on again."""
    return (f"{tray_file(units, links=1)}/tmp/beacon-dfu batch /tmp/tray.yaml --adapter {adapters} --power-on --no-golden "
            f"--journal {journal} --json")


BOTH = f"hci0,{SECOND_ADDRESS}"
# More units than one adapter begins with, whichever hears them better.
FOUR = loaders("D0", 4)
# They take some seconds.
SLOW = loaders("D2", 2, flash=SLOW_FLASH)

ADAPTERS = [
    # Each has its own channels from before CAP_NET_ADMIN was given up.
    Scenario("two-adapters", [one for one, *_ in FOUR.values()], [
        FROM_MEMORY,
        Run("doctor", f"/tmp/beacon-dfu doctor --tray --for 0.5 --adapter {BOTH} --json --journal /tmp/j.sqlite", exit=(0, 69),
            text=[rf"hci1 \({SECOND_ADDRESS}\) is on", r"hci0 hears", r"hci1 hears", without("permission|CAP_NET_ADMIN is")]),
        Run("batch", tray(FOUR, BOTH), limit=60, text=[without("adapter-gone")], lines=[
            {"event": "batch-finished", "exit": 0}, *(ended(slot, "passed", attempts=1) for slot in FOUR)]),
        Run("rows", "cat /out/two-adapters.batch.stdout", text=['"adapter":"hci0"', '"adapter":"hci1"']),
        # One that cannot work is told before anything is begun.
        Run("missing", tray(FOUR, "hci0,hci7"), exit=(69,), lines=[{**failed(69), "code": "no-adapter"}]),
        Run("user", tray(FOUR, BOTH, "/tmp/own-journal.sqlite"), user="user", exit=(77,),
            lines=[{**failed(77), "code": "permission-missing"}]),
    ], two_adapters=True),
    # Its address is what it is known by: another one gets its number, and it comes back under the other one's. The program is what
    # switches it on again, and off after it.
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
    # Both are pulled out in the middle of a tray, for so long that the units' updates give them up, not the run; and come back with
    # each other's numbers.
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
