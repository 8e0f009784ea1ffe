"""Wrong clocks, for selected programs."""

import pathlib

from host.room import Room


class Clock:
    """A clock that is ahead by some seconds, and can be set while programs run."""

    def __init__(self, room: Room, name, ahead=0):
        self.library = room.folder / "clock.so"
        if not self.library.exists():
            room.must(["cc", "-shared", "-fPIC", "-O2", "-o", self.library, pathlib.Path(__file__).with_name("clock.c")])
        self.file = room.folder / f"clock.{name}"
        self.set(ahead)

    def set(self, ahead):
        """Sets it; the file is written as a whole."""
        draft = self.file.with_suffix(".new")
        draft.write_text(f"{ahead}\n")
        draft.rename(self.file)

    @property
    def environment(self) -> dict:
        return {"LD_PRELOAD": str(self.library), "CLOCK_SHIFT_FILE": str(self.file)}
