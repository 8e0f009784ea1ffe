"""The words in which `scenarios.py` is written."""

import dataclasses
import typing


# The guest that most scenarios have, and the one whose beacons it updates in those with `two_guests`.
CLIENT, SERVER = "guest", "server"


# The adapter that most scenarios have, and the one that those with `two_adapters` have too. The second one's address.
FIRST, SECOND = 0, 1
SECOND_ADDRESS = "00:1B:DC:07:00:02"
# The one that RootCanal gives to its first controller.
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
    """Starts a shell command in a guest and goes on. It is killed after `limit` seconds."""
    name: str
    command: str
    limit: float = 60
    user: str = "root"
    guest: str = CLIENT


@dataclasses.dataclass
class End:
    """Waits for the end of what was started.

    exit    one of these
    lines   for each there is a JSON line on stdout that has these members
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
    """Waits until the beacon has reported an event with these members. Reports are heard once, in order."""

    def __init__(self, beacon: str, event: str, within: float = 20, **members):
        self.beacon, self.event, self.within, self.members = beacon, event, within, members


@dataclasses.dataclass
class Launch:
    """Starts a client of the scenario."""
    client: str


@dataclasses.dataclass
class Printed:
    """Waits until what was started has printed a JSON line with these members."""
    name: str
    members: dict
    within: float = 30


@dataclasses.dataclass
class PowerCycle:
    """Switches a receiver of SUOTA off and on."""
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
    """Pulls an adapter out."""
    adapter: int = FIRST


@dataclasses.dataclass
class Plug:
    """Puts an adapter in again, and waits until the kernel has given it this number: the lowest one that is free. Then switches it
    on, unless somebody else is to do that."""
    switch_on: bool = True
    adapter: int = FIRST
    number: int = 0


@dataclasses.dataclass
class Untouched:
    """Nobody has wanted a link of this adapter since it was plugged in."""
    adapter: int


@dataclasses.dataclass
class Touched:
    """Somebody has wanted a link of this adapter since it was plugged in."""
    adapter: int


@dataclasses.dataclass
class Full:
    """From now on the controller refuses every further link for having too many: "at once", "later", or no more (None)."""
    when: str | None


@dataclasses.dataclass
class Listened:
    """The adapter has scanned since it began to, but for pauses of at most so many seconds."""
    longest_pause: float


@dataclasses.dataclass
class Scenario:
    name: str
    beacons: list[Beacon]
    steps: list
    needs_program: bool = True
    needs_client: bool = False
    # About bootloaders of another kind; a boot of their own.
    bootloaders: bool = False
    # About receivers of SUOTA; likewise.
    suota: bool = False
    # About beacons that have a password or a PIN; likewise.
    sessions: bool = False
    # About beacons that the program serves, for clients of others; likewise.
    simulate: bool = False
    # About update clients of other people; likewise.
    others: bool = False
    # A second adapter in the guest, hci1 at first.
    two_adapters: bool = False
    # A second guest, whose program serves beacons: both ends of a link in one kernel crash it.
    two_guests: bool = False
    # The client is meant to do wrong.
    errs: bool = False
    # What the program cannot do yet; such a scenario runs only when it is asked for by name.
    awaits: str | None = None

    # A measurement: runs only when it is asked for by name. Unless it says otherwise the guest has Python, and a large
    # package.
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
