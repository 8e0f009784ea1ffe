"""The words of scenarios."""

import dataclasses
import typing

SCENARIOS = []


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    play: typing.Callable
    # More than a minute, or a measurement: only with --all, --measure or by name.
    kind: str
    needs: tuple
    seeds: bool


def scenario(name, kind="usual", needs=(), seeds=False):
    """Registers a function as a scenario."""
    def register(play):
        SCENARIOS.append(Scenario(name, play, kind, tuple(needs), seeds))
        return play
    return register
