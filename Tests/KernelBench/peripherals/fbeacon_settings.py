"""The settings of a Feasycom beacon by AT commands, and its light and sound. (docs/protocols/fbeacon.md, Settings, Showing
itself)"""

import re
import time

# Settings of other beacons that this one does not have.
_ABSENT = {"BWMODE", "KEYCFG", "GSCFG", "TLM", "BADVDATA"}
_DBM = 31  # the model with its power in dBm
_NAME, _NUMBER, _LEVEL = re.compile("[ -~]{1,29}"), re.compile("-?[0-9]+"), re.compile("[0-9A-Fa-f]")
_ON = re.compile("1,[1-9][0-9]*")


class FBeaconSettings:
    """`later(seconds, do)` does so unless the link has ended; `values` has the initial settings by name. Without a light
    there is no LED, without a buzzer no BUZ. Queries are answered with `OK`, after an empty line if `spaced`."""

    def __init__(self, report, later, model: int, values: dict, light: bool, buzzer: bool, spaced: bool, calls_name: str):
        self._report, self._later, self._model, self._buzzer = report, later, model, buzzer
        self._values = dict(values)
        if not light:
            del self._values["LED"]
        self._space, self._calls_name = "\r\n" if spaced else "", calls_name
        self._light_since = self._sound_since = None  # while they are on
        self._forget_link()

    def _forget_link(self):
        self._asked, self._unproven, self._is_changed = set(), set(), False

    @property
    def name(self) -> str:
        return self._values["NAME"]

    @property
    def interval_ms(self) -> int:
        return int(self._values["ADVIN"])

    def knows(self, name: str) -> bool:
        return name in self._values or name in _ABSENT or name in ("LED", "BUZ")

    def perform(self, name: str, value: str | None) -> str:
        if name == "BUZ" and value is not None:
            done = self._buzz(value)
        elif name not in self._values:
            done = False
        elif value is None:
            self._asked.add(name)
            self._unproven.discard(name)
            called = self._calls_name if name == "NAME" else name
            return f"+{called}={self._values[name]}\r\n{self._space}OK\r\n"
        else:
            done = self._set(name, value)
        return "OK\r\n" if done else "ERROR\r\n"

    # Settings

    def _set(self, name: str, value: str) -> bool:
        if name not in self._asked:
            self._report("violation", what="set before it was asked for", name=name)
        if not self._takes(name, value):
            return False
        was, self._values[name] = self._values[name], self._kept(name, value)
        self._report("set", name=name, value=self._values[name], was=was)
        self._is_changed = True
        if name == "LED":
            self._shine(int(value))
        else:
            self._unproven.add(name)
            if was == self._values[name]:
                self._report("violation", what="set to what it was", name=name)
        return True

    def _takes(self, name: str, value: str) -> bool:
        if name == "NAME":
            return bool(_NAME.fullmatch(value))
        if name == "TXPOWER" and self._model != _DBM:
            return bool(_LEVEL.fullmatch(value))
        if not _NUMBER.fullmatch(value):
            return False
        # Without any other reason than ADVIN to advertise, 0 is refused.
        least, most = {"ADVIN": (100, 10000), "TXPOWER": (-40, 20), "LED": (0, 2**31 - 1)}[name]
        return least <= int(value) <= most

    def _kept(self, name: str, value: str) -> str:
        if name == "NAME":
            return value
        return value.upper() if name == "TXPOWER" and self._model != _DBM else str(int(value))

    # Light and sound

    def _shine(self, milliseconds: int):
        self._darken()
        if milliseconds:
            begun = self._light_since = time.monotonic()
            self._report("light", on=True, asked=milliseconds)
            self._later(milliseconds / 1000, lambda: self._light_since == begun and self._darken())

    def _darken(self):
        if self._light_since is not None:
            self._report("light", on=False, milliseconds=self._since(self._light_since))
        self._light_since = None

    def _buzz(self, value: str) -> bool:
        if not self._buzzer or not (value == "0" or _ON.fullmatch(value)):
            return False
        if value == "0":
            self._silence()
        elif self._sound_since is None:
            self._sound_since = time.monotonic()
            self._report("sound", on=True)
        return True

    def _silence(self):
        if self._sound_since is not None:
            self._report("sound", on=False, milliseconds=self._since(self._sound_since))
        self._sound_since = None

    @staticmethod
    def _since(begun: float) -> int:
        return round((time.monotonic() - begun) * 1000)

    def lost_link(self):
        self._darken()
        self._silence()
        if self._is_changed:
            self._report("settings", **self._values)
        for name in sorted(self._unproven):
            self._report("violation", what="set, and not asked for again", name=name)
        self._forget_link()
