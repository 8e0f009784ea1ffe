"""Plays one scenario and reports its outcome."""

import asyncio
import contextlib
import dataclasses
import json
import pathlib
import re

from host.air import Air, Relay, ScanPauses
from host.machine import Ended, GuestError, Machine
from host.peripherals import NotHeard, Peripheral
from host.pieces import Pieces
from host.plan import (CLIENT, FIRST, SECOND, Client, End, Full, Heard, Launch, Listened, Pause, Plug, PowerCycle, Press, Printed,
                       Scanning, Scenario, Start, Touched, Unplug, Untouched, matches)


class Failed(Exception):
    pass


@dataclasses.dataclass
class Outcome:
    name: str
    seconds: float = 0
    bytes: int = 0
    speed: float = 0  # bytes per second, from the first data object to the complete image, as the beacon saw it
    dropped: int = 0  # firmware packets that the beacons had no place for, or dropped at random
    failures: list[str] = dataclasses.field(default_factory=list)


class Stage:
    def __init__(self, pieces: Pieces, air: Air, relays: list[Relay], machines: dict[str, Machine], folder: pathlib.Path):
        """The relays are those of the first guest, one for each of its adapters."""
        self._pieces, self._air, self._relays, self._machines = pieces, air, relays, machines
        self._relay = relays[FIRST]
        self._folder = folder
        self._preparations = 0

    async def switch_adapter_on(self, guest: str = CLIENT, number: int = 0):
        """LE on, BR/EDR off, power on. A new adapter takes a moment to appear in mgmt."""
        async with asyncio.timeout(20):
            while True:
                self._preparations += 1
                tool = f"btmgmt --index {number}"
                done = await self._machines[guest].run(
                    f"adapter-on-{self._preparations}",
                    f"{tool} le on; {tool} bredr off; {tool} power on; {tool} info", 10)
                if re.search(r"current settings:.* le ", done.stdout) and "powered" in \
                        done.stdout.split("current settings:")[1]:
                    return
                await asyncio.sleep(0.2)

    async def _appeared(self, number: int):
        """Waits until the kernel has an adapter with this number."""
        self._preparations += 1
        done = await self._machines[CLIENT].run(
            f"adapter-there-{self._preparations}",
            f"until [ -e /sys/class/bluetooth/hci{number} ]; do usleep 20000; done; true", 10)
        if done.status != 0:
            raise Failed(f"there is no hci{number}")

    async def _gone(self, rest: int):
        """Waits until the kernel has only so many adapters, so that the next one gets the lowest number that is free."""
        self._preparations += 1
        done = await self._machines[CLIENT].run(
            f"adapter-gone-{self._preparations}",
            f"while [ $(ls /sys/class/bluetooth | grep -c '^hci[0-9]*$') -gt {rest} ]; do usleep 20000; done; true", 10)
        if done.status != 0:
            raise Failed("the kernel has not noticed that an adapter was removed")

    async def _tidy(self, scenario: Scenario):
        """Restores the first adapter as hci0, switched on, with the second one removed, whatever the scenario has left."""
        steps = scenario.flat_steps()
        if scenario.two_adapters:
            self._relays[SECOND].unplug()
            if any(isinstance(step, Unplug) for step in steps):
                self._relay.unplug()
                await self._machines[CLIENT].run(
                    "adapters-gone", "while [ -e /sys/class/bluetooth/hci0 -o -e /sys/class/bluetooth/hci1 ]; do "
                    "usleep 20000; done; true", 10)
        # A scenario that failed half-way, or left it to the program to switch the adapter on and off.
        if not self._relay.is_plugged() or any(isinstance(step, Plug) and not step.switch_on for step in steps):
            await self._relay.plug()
            await self.switch_adapter_on()

    async def play(self, scenario: Scenario, limit: float) -> Outcome:
        outcome = Outcome(scenario.name)
        folder = self._folder / scenario.name
        folder.mkdir()
        cast = {beacon.name: Peripheral(beacon, folder) for beacon in scenario.beacons}
        begun = asyncio.get_running_loop().time()
        self._started: dict[str, asyncio.Task[Ended]] = {}
        self._runs_in: dict[str, Machine] = {}
        self._relay.pauses = ScanPauses()
        try:
            async with asyncio.timeout(limit):
                if scenario.two_adapters:
                    await self._relays[SECOND].plug()
                    await self.switch_adapter_on(number=1)
                first = [beacon for beacon in cast.values() if not isinstance(beacon.beacon, Client)]
                await asyncio.gather(*(beacon.start(self._pieces, self._air) for beacon in first))
                for beacon in first:
                    await beacon.heard("advertising", {}, 20)
                for step in scenario.flat_steps():
                    await self._step(scenario, step, cast)
        except (Failed, NotHeard, GuestError) as failure:
            outcome.failures.append(str(failure))
        except TimeoutError:
            outcome.failures.append("took too long")
        finally:
            self._relay.refusal = None
            outcome.seconds = asyncio.get_running_loop().time() - begun
            for machine in self._machines.values():
                await machine.clear()
            for task in self._started.values():
                task.cancel()
            for beacon in cast.values():
                with contextlib.suppress(AttributeError):  # not started
                    await beacon.stop()
        await self._tidy(scenario)
        for beacon in cast.values():
            for violation in [] if scenario.errs else beacon.violations()[:3]:
                outcome.failures.append(f"{beacon.beacon.name}: {json.dumps(violation)}")
            _measure(beacon, outcome)
        if self._air.has_ended():
            outcome.failures.append("RootCanal has ended; see rootcanal.log")
        for machine in self._machines.values():
            outcome.failures += [f"kernel: {line}" for line in machine.kernel_trouble()]
        return outcome

    async def _step(self, scenario: Scenario, step, cast: dict[str, Peripheral]):
        def in_guest(name: str) -> str:
            return f"{scenario.name}.{name}"

        match step:
            case Start():
                self._runs_in[step.name] = self._machines[step.guest]
                self._started[step.name] = self._runs_in[step.name].begin(
                    in_guest(step.name), step.command, step.limit, step.user)
            case End():
                _judge(step, await self._started[step.name])
            case Heard():
                await cast[step.beacon].heard(step.event, step.members, step.within)
            case Launch():
                await cast[step.client].start(self._pieces, self._air)
            case Printed():
                await self._printed(in_guest(step.name), step)
            case Listened(longest_pause=limit):
                if (seen := self._relay.pauses.longest) > limit:
                    raise Failed(f"the adapter did not scan for {seen:.1f} s in between, more than {limit}")
            case Scanning():
                await self._scanning(step)
            case Full():
                self._relay.refusal = step.when
            case PowerCycle() | Press():
                cast[step.beacon].power_cycle()
            case Pause():
                await asyncio.sleep(step.seconds)
            case Unplug():
                self._relays[step.adapter].unplug()
                await self._gone(sum(relay.is_plugged() for relay in self._relays))
            case Plug():
                await self._relays[step.adapter].plug()
                if step.switch_on:
                    await self.switch_adapter_on(number=step.number)
                else:
                    await self._appeared(step.number)
            case Untouched():
                if count := self._relays[step.adapter].wishes:
                    raise Failed(f"adapter {step.adapter} had {count} link requests")
            case Touched():
                if not self._relays[step.adapter].wishes:
                    raise Failed(f"adapter {step.adapter} had no link request")

    async def _scanning(self, step: Scanning):
        deadline = asyncio.get_running_loop().time() + step.within
        while not self._relay.pauses.is_on:
            if asyncio.get_running_loop().time() > deadline:
                raise Failed("the adapter does not scan")
            await asyncio.sleep(0.05)

    async def _printed(self, name: str, step: Printed):
        deadline = asyncio.get_running_loop().time() + step.within
        while not any(matches(line, step.members) for line in _json_lines(self._runs_in[step.name].text(f"{name}.stdout"))):
            if asyncio.get_running_loop().time() > deadline:
                raise Failed(f"{step.name}: no line with {step.members}")
            await asyncio.sleep(0.1)


def _judge(expected: End, ended: Ended):
    said = (ended.stderr.strip() or ended.stdout.strip()).splitlines()
    said = [line for line in said if line.startswith("error")] or said[-1:]
    if ended.status not in expected.exit:
        wanted = " or ".join(map(str, expected.exit))
        raise Failed(f"{expected.name}: exit code {ended.status}, not {wanted}: {' '.join(said)}")
    if expected.within is not None and ended.seconds > expected.within:
        raise Failed(f"{expected.name}: {ended.seconds:.1f} s, more than {expected.within}")
    lines = _json_lines(ended.stdout)
    for members in expected.lines:
        if not any(matches(line, members) for line in lines):
            raise Failed(f"{expected.name}: no line with {members}")
    for pattern in expected.text:
        if not re.search(pattern, ended.stdout + ended.stderr):
            raise Failed(f"{expected.name}: nothing like /{pattern}/ in its output")


def _json_lines(text: str) -> list[dict]:
    lines = []
    for line in text.splitlines():
        with contextlib.suppress(ValueError):
            if isinstance(value := json.loads(line), dict):
                lines.append(value)
    return lines


def _measure(beacon: Peripheral, outcome: Outcome):
    amount = seconds = 0
    first = None
    for report in beacon.reports:
        match report:
            case {"event": "create", "object": 2} | {"event": "receive"}:
                first = first or report
            case {"event": "dropped"}:
                outcome.dropped += 1
            case {"event": "image"} if first:
                amount += report["bytes"]
                seconds += report["at"] - first["at"]
                first = None
    if seconds > 0:
        outcome.bytes += amount
        outcome.speed += amount / seconds
