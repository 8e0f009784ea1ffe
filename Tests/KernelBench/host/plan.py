"""The words of `scenarios.py`."""

import dataclasses
import typing


# The guest of most scenarios, and the one whose beacons it updates in those with `two_guests`.
CLIENT, SERVER = "guest", "server"


# The adapter of most scenarios, and the additional one of those with `two_adapters`. The second one's address.
FIRST, SECOND = 0, 1
SECOND_ADDRESS = "00:1B:DC:07:00:02"
# The address that RootCanal gives to its first controller.
FIRST_ADDRESS = "DA:4C:10:DE:17:00"


class Beacon:
    """A peripheral; the settings are those of `peripherals/beacon.py`."""

    script = "peripherals/beacon.py"

    def __init__(self, name: str, address: str, **settings):
        self.name, self.address, self.settings = name, address, settings


class Client(Beacon):
    """A central outside the guest; the settings are those of `clients/central.py`. It begins at its `Launch`."""

    script = "clients/central.py"

    def __init__(self, name: str, peer: str, **settings):
        super().__init__(name, peer, peer=peer, **settings)


@dataclasses.dataclass
class Start:
    """Starts a shell command in a guest without waiting. It is killed after `limit` seconds."""
    name: str
    command: str
    limit: float = 60
    user: str = "root"
    guest: str = CLIENT


@dataclasses.dataclass
class End:
    """Waits for the end of a started command.

    exit    one of these
    lines   for each, there is a JSON line on stdout with these members
    text    regular expressions, each found in stdout or stderr
    within  seconds from the start
    """
    name: str
    exit: tuple[int, ...] = (0,)
    lines: typing.Sequence[dict] = ()
    text: typing.Sequence[str] = ()
    within: float | None = None


class Run:
    """`Start`, then `End`."""

    def __init__(self, name: str, command: str, limit: float = 60, user: str = "root", guest: str = CLIENT, **expected):
        self.steps = [Start(name, command, limit, user, guest), End(name, **expected)]


class Heard:
    """Waits until the beacon has reported an event with these members. Each report counts once, in order."""

    def __init__(self, beacon: str, event: str, within: float = 20, **members):
        self.beacon, self.event, self.within, self.members = beacon, event, within, members


@dataclasses.dataclass
class Launch:
    """Starts a client of the scenario."""
    client: str


@dataclasses.dataclass
class Printed:
    """Waits until the started command has printed a JSON line with these members."""
    name: str
    members: dict
    within: float = 30


@dataclasses.dataclass
class PowerCycle:
    """Switches a SUOTA receiver, or a beacon with MCUboot, off and on."""
    beacon: str


@dataclasses.dataclass
class Press:
    """Presses the button of an Orange Beacon Tag."""
    beacon: str


@dataclasses.dataclass
class Pause:
    seconds: float


@dataclasses.dataclass
class Unplug:
    """Removes an adapter, and waits until the kernel has none with its number any more."""
    adapter: int = FIRST


@dataclasses.dataclass
class Plug:
    """Plugs an adapter in again, and waits until the kernel has given it this number: the lowest one that is free. Then switches it
    on, unless the program is to do that."""
    switch_on: bool = True
    adapter: int = FIRST
    number: int = 0


@dataclasses.dataclass
class Untouched:
    """No link of this adapter was requested since it was plugged in."""
    adapter: int


@dataclasses.dataclass
class Touched:
    """A link of this adapter was requested since it was plugged in."""
    adapter: int


@dataclasses.dataclass
class Full:
    """From now on the controller refuses every further link for having too many: "at once", "later", or no more (None)."""
    when: str | None


@dataclasses.dataclass
class Scanning:
    """Waits until the adapter scans."""
    within: float = 20


@dataclasses.dataclass
class Listened:
    """The adapter has scanned since it began to, except for pauses of at most so many seconds."""
    longest_pause: float


@dataclasses.dataclass
class Scenario:
    name: str
    beacons: list[Beacon]
    steps: list
    needs_program: bool = True
    needs_client: bool = False
    # With bootloaders of another kind; a boot of their own.
    bootloaders: bool = False
    # With SUOTA receivers; likewise.
    suota: bool = False
    # With beacons that have a password or a PIN; likewise.
    sessions: bool = False
    # With beacons that MCUboot starts; likewise.
    mcuboot: bool = False
    # With beacons that the program serves, for independent clients; likewise.
    simulate: bool = False
    # With third-party update clients; likewise.
    others: bool = False
    # A second adapter in the guest, initially hci1.
    two_adapters: bool = False
    # A second guest, whose program serves beacons: both ends of a link in one kernel crash it.
    two_guests: bool = False
    # The client is meant to err.
    errs: bool = False
    # A feature that the program does not have yet; such a scenario runs only by name.
    awaits: str | None = None

    # A measurement: runs only by name. By default the guest has Python, and a large package.
    measures: bool = False
    needs_python: bool = True
    # The guest also has dbus-daemon, bluetoothd, and bleak.
    needs_daemons: bool = False

    def flat_steps(self) -> list:
        return [step for outer in self.steps for step in (outer.steps if isinstance(outer, Run) else [outer])]


class Such:
    """A member that is not known exactly."""

    def __init__(self, words: str, holds: typing.Callable[[typing.Any], bool]):
        self.words, self.holds = words, holds

    def __repr__(self):
        return self.words


def at_least(bound):
    return Such(f"at least {bound}", lambda value: isinstance(value, (int, float)) and value >= bound)


def at_most(bound):
    return Such(f"at most {bound}", lambda value: isinstance(value, (int, float)) and value <= bound)


def matches(found: dict, members: dict) -> bool:
    return all(name in found and (want.holds(found[name]) if isinstance(want, Such) else found[name] == want)
               for name, want in members.items())
