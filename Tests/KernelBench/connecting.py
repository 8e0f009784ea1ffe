"""How the kernel connects: by itself (Add Device), and with other defaults. Measurements, run by name
(docs/decisions/0011)."""

from host.plan import Beacon, End, Full, Pause, PowerCycle, Run, Scenario, Start
from scenarios import ANOTHER_ADAPTER, DAEMONS, NO_DAEMONS, bootloader, crowd, finished, flash, nobody


def measured(name: str, beacons: list[Beacon], steps: list, **more) -> Scenario:
    return Scenario(name, beacons, steps, needs_program=False, measures=True, **{"needs_python": False} | more)


def ways(subnet: str, count: int, interval: int) -> Scenario:
    """One after the other, all sockets at once, and by the kernel itself, with its window and with a full one."""
    beacons = crowd(subnet, count, interval)
    units = " ".join(one.address for one in beacons)
    steps: list = []
    for turn in (1, 2):
        for name, command in [("one", f"connectors one {units}"), ("sockets", f"connectors all {units}"),
                              ("auto", f"autoconnect all 60 {units}")]:
            steps += [Run(f"{name}-{turn}", command, limit=100), Pause(4)]
        steps += [Run(f"wide-{turn}", "autoconnect set 0 0x0e 0x60"),
                  Run(f"auto-wide-{turn}", f"autoconnect all 60 {units}", limit=100), Pause(4),
                  Run(f"narrow-{turn}", "autoconnect set 0 0x0e 0x30")]
    return measured(f"auto-{count}-{interval}", beacons, steps)


SLOW, HERE = "F0:0D:BE:AC:BA:01", "F0:0D:BE:AC:BB:01"
CONNECTING = [
    ways("B6", 8, 1000), ways("B7", 8, 100), ways("B8", 16, 1000), ways("B9", 16, 100),
    # A beacon that advertises every 10.24 s, with more time for the kernel's attempt.
    measured("auto-slow", crowd("BA", 1, 10240), [
        Run("read", "autoconnect read 0"),
        Run("set", "autoconnect set 0 0x1b 25000"),
        Run("read-again", "autoconnect read 0"),
        Run("plain-1", f"autoconnect wait 30 {SLOW}"), Pause(4),
        Run("plain-2", f"autoconnect wait 30 {SLOW}"), Pause(4),
        Run("auto-1", f"autoconnect all 30 {SLOW}"), Pause(4),
        Run("auto-2", f"autoconnect all 30 {SLOW}"), Pause(4),
        Run("reset", "autoconnect set 0 0x1b 4000"),
    ]),
    # The kernel gives up the connection, and Debian's 6.1.192 reports a BUG when the socket is closed.
    measured("auto-slow-default", crowd("BA", 1, 10240), [
        Run("plain", f"autoconnect wait 35 {SLOW}", exit=(1,), text=["timed out"]),
    ]),
    # An absent one beside one that is there.
    measured("auto-absent", crowd("BB", 1, 100), [
        Run("auto", f"autoconnect all 6 {HERE} {nobody(11)}", exit=(1,)), Pause(4),
        Run("one", f"connectors one {HERE}"),
    ]),
    # The controller refuses, without a socket that waits for it.
    measured("auto-refused", crowd("BB", 1, 100), [
        Full("at once"),
        Run("auto", f"autoconnect all 6 {HERE}", exit=(1,)),
        Full(None),
        Pause(4),
        Run("one", f"connectors one {HERE}"),
    ]),
    # A link is lost that has carried nothing.
    measured("auto-lost", [Beacon("target", "F0:0D:BE:AC:BC:01", mode="suota", family="58x")], [
        Start("auto", "autoconnect leave 12 F0:0D:BE:AC:BC:01"),
        Pause(1.5),
        PowerCycle("target"),
        End("auto"),
        Run("remove", "autoconnect remove 4 F0:0D:BE:AC:BC:01"),
        Run("one", "connectors one F0:0D:BE:AC:BC:01"),
    ]),
    # Killed with entries: the kernel goes on connecting, for nobody.
    measured("auto-killed", crowd("BD", 2, 100), [
        Run("leave", "autoconnect leave 1 F0:0D:BE:AC:BD:01"),
        Pause(12),
        Run("other", "connectors one F0:0D:BE:AC:BD:02"),
        Run("remove", "autoconnect remove 5 F0:0D:BE:AC:BD:01"),
        Run("again", "connectors one F0:0D:BE:AC:BD:01"),
    ]),
    # With bluetoothd, which did not ask for the entry.
    measured("auto-daemon", crowd("BE", 1, 100), [
        *DAEMONS,
        Run("auto", "autoconnect all 20 F0:0D:BE:AC:BE:01"),
        Pause(3),
        Run("leave", "autoconnect leave 8 F0:0D:BE:AC:BE:01"),
        Run("remove", "autoconnect remove 1 F0:0D:BE:AC:BE:01"),
        *NO_DAEMONS,
        *ANOTHER_ADAPTER,
    ], needs_daemons=True, needs_python=True),
    # A whole update of a beacon that advertises every 10.24 s, before and after it.
    Scenario("flash-rare", [bootloader("target", "F0:0D:BE:AC:BF:81", interval_ms=10240)], [
        Run("flash", flash("F0:0D:BE:AC:BF:81") + " --scan-for 30", limit=150, lines=[finished()]),
        Run("after", "autoconnect read 0", lines=[{"event": "defaults", "1b": 4000}]),
    ], measures=True, needs_python=False),
]
