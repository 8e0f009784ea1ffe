"""A Feasycom beacon that accepts open containers, which no real one does. (feasycom-fbeacon.md, 2, 4, 6, 8)

Settings, all in `fbeacon`:

    model, bootloader  numbers; the model determines whether the link lasts from the session into the update
    battery        percent, 101 for external power
    pin            digits; none is required without it
    called         its name: by default the model's
    light, buzzer  whether it has and reports them; by default a light alone
    values         unusual initial settings, as {"LED": "300"}
    spaced         an empty line precedes the OK that ends an answer with a value
    calls_name     the key of its name in the answer to AT+NAME
    open           whether it has the mark of devices that accept open containers (docs/protocols/fbeacon.md)
    restores       the digit of EnterDFU that restores the default settings, which the mark names
    image          [bytes, SHA-256, version] of the expected image; it starts no other
    reply          the text of its answer to EnterDFU, if it differs
    drops          the number of received packets at which the link is lost, once
    faults         those of `xmodem_receiver.py`
"""

import asyncio
import hashlib
import re
import struct
import time

from bumble.core import UUID
from bumble.device import Device
from bumble.gatt import Characteristic, Service

from advertising import ad
from fbeacon_settings import FBeaconSettings
from flash import Flash
from strict import StrictServer
from xmodem_receiver import XModemReceiver, is_filled_up

_SERVICE, _ANSWERS, _WRITES = map(UUID.from_16_bits, (0xFFF0, 0xFFF1, 0xFFF2))
_MARK, _CONTAINER_VERSION = UUID("8E7F1A60-2D41-4B6E-9C35-0FBEAC0F0001"), 1
_DEVICE_INFORMATION, _MODEL, _SOFTWARE = map(UUID.from_16_bits, (0x180A, 0x2A24, 0x2A28))
_NAMES = {21: "BP102", 25: "BP109", 36: "BP120", 39: "BP108", 40: "BP108N"}
# Models that continue with the update on the same link.
_STAY = {12, 15, 19, 20, 23, 24, 32, 34, 37, 40, 47, 49, 50}
_DEFAULTS = dict(model=21, bootloader=651, battery=100, pin=None, open=True, restores=1, image=None, reply=None, drops=None,
                 faults={}, called=None, light=True, buzzer=False, values={}, spaced=False, calls_name="NAME")
_OPENS_ENGINE = b"$OpenFscAtEngine$"
_ENTER = re.compile(rb"EnterDFU[01]")
_NO_PIN, _PIN, _LIGHT, _BUZZER = 1, 2, 1 << 4, 1 << 5
_A_MOMENT = 0.05
# The time for which a client leaves a device that restarts for the update.
_BEFORE_LEAVING = 0.9
_UNLIMITED = 1 << 30  # places of a flash without a queue
_P = Characteristic.Properties


class FBeacon:
    """`report(event, **members)` gets all events; `settings` are those of `beacon.py`."""

    def __init__(self, settings: dict, report, mac: bytes):
        self._settings, self._report, self._mac = {**_DEFAULTS, **settings["fbeacon"]}, report, mac
        self._flash = Flash(_UNLIMITED, *settings["flash"])
        self.version = int(settings["version"])
        self._entered_at: float | None = None  # since when it waits for an update
        self._receiver: XModemReceiver | None = None
        self._refused = False  # a PIN
        self._drops = self._settings["drops"]
        usual = {"NAME": self._settings["called"] or self._model, "ADVIN": str(settings["interval_ms"]), "TXPOWER": "0",
                 "LED": "500"}
        self._set = FBeaconSettings(
            report, self._later, self._settings["model"], {**usual, **self._settings["values"]}, self._settings["light"],
            self._settings["buzzer"], self._settings["spaced"], self._settings["calls_name"])
        self._forget_link()

    def _forget_link(self):
        self._link, self._receiver = None, None
        self._line = b""
        self._owed = 0  # answers
        self._engine = False
        self._is_trusted = self._settings["pin"] is None

    def frame(self) -> tuple[bytes, bytes]:
        """Advertising data and scan response."""
        settings = self._settings
        features = _LIGHT * settings["light"] | _BUZZER * settings["buzzer"] | (_PIN if settings["pin"] else _NO_PIN)
        body = struct.pack(">BHB", settings["model"], self.version, features) + self._mac + bytes([settings["battery"]])
        return ad(0x01, b"\x06") + ad(0x16, b"\xF0\xFF" + body), ad(0x09, self._set.name.encode())

    @property
    def interval_ms(self) -> int:
        return self._set.interval_ms

    @property
    def _model(self) -> str:
        return _NAMES.get(self._settings["model"], "FSC")

    # Attributes

    def serve(self, device: Device, strict: StrictServer, ends):
        """`ends(why)` takes it off the air."""
        self._strict, self._ends = strict, ends
        self._leaves = False
        self._answers = Characteristic(_ANSWERS, _P.NOTIFY, Characteristic.READABLE, b"")
        writes = Characteristic(_WRITES, _P.WRITE | _P.WRITE_WITHOUT_RESPONSE, Characteristic.WRITEABLE, b"")
        says = bytes([_CONTAINER_VERSION]) + str(self._settings["restores"]).encode()
        mark = Characteristic(_MARK, _P.READ, Characteristic.READABLE, says)
        device.add_service(Service(_SERVICE, [self._answers, writes] + [mark] * self._settings["open"]))
        software = f"{self._model},{self.version / 100:.2f},{self._settings['bootloader']}"
        device.add_service(Service(_DEVICE_INFORMATION, [
            Characteristic(uuid, _P.READ, Characteristic.READABLE, value.encode()) for uuid, value in [
                (_MODEL, self._model), (_SOFTWARE, software)]]))
        strict.on_plain_write(writes, self._written)
        device.on("connection", self._connected)

    def _connected(self, connection):
        self._link = connection
        if self._entered_at is not None:
            self._begin_update()

    def lost_link(self) -> bool:
        """Whether it restarts."""
        if self._link is None:
            return False
        self._set.lost_link()
        entered, updates = self._entered_at is not None, self._receiver is not None
        if entered and not updates and time.monotonic() - self._entered_at < _BEFORE_LEAVING:
            self._report("violation", what="left at once after EnterDFU")
        if updates:  # the update has to be entered again
            self._entered_at = None
        self._forget_link()
        return entered

    def _later(self, seconds: float, do):
        link = self._link
        asyncio.get_running_loop().call_later(seconds, lambda: self._link is link and do())

    def _send(self, value: bytes):
        self._strict.notify(self._link, self._answers, value)

    def _written(self, connection, value: bytes):
        if self._leaves:
            return
        self._link = self._link or connection
        if not self._strict.listens(connection, self._answers):
            self._report("violation", what="written before its answers were asked for")
        if self._receiver:
            self._receiver.data(value)
            if self._drops and self._receiver.taken >= self._drops:
                self._report("link-dropped", packets=self._drops)
                self._drops, self._leaves = None, True
                self._ends("rebooted")
        elif value == _OPENS_ENGINE:
            self._engine = True
            self._say(b"$OK,Opened$")
        elif _ENTER.fullmatch(value):
            self._enter(value[-1:])
        elif self._engine:
            self._at(value)
        else:
            self._report("violation", what="neither command nor update", bytes=len(value))

    def _say(self, text: bytes):
        self._owed += 1
        size = self._link.att_mtu - 3

        def send():
            self._owed -= 1
            for at in range(0, len(text), size):
                self._send(text[at:at + size])

        self._later(_A_MOMENT, send)

    # Commands

    def _at(self, value: bytes):
        self._line += value
        while b"\r\n" in self._line:
            line, _, self._line = self._line.partition(b"\r\n")
            if self._owed:
                self._report("violation", what="command before the answer to another")
            name, is_told, argument = line.decode(errors="replace").partition("=")
            name = name.removeprefix("AT+") if name.startswith("AT+") else ""
            if name == "PIN":
                self._take_pin(argument)
            elif not self._is_trusted:
                self._report("violation", what="command without its PIN", name=name)
                self._say(b"ERROR\r\n")
            elif name == "VER":
                self._say(f"+VER={self.version / 100:.2f}\r\nOK\r\n".encode())
            elif self._set.knows(name):
                self._say(self._set.perform(name, argument if is_told else None).encode())
            else:
                self._report("violation", what="unknown command", name=name)
                self._say(b"ERROR\r\n")

    def _take_pin(self, pin: str):
        if self._refused:
            self._report("violation", what="another PIN after a wrong one")
        self._is_trusted = self._is_trusted or pin == self._settings["pin"]
        self._refused = not self._is_trusted
        self._report("pin", right=self._is_trusted)
        self._say(b"OK\r\n" if self._is_trusted else b"ERROR\r\n")

    def _enter(self, digit: bytes):
        self._report("enter", restores=int(digit) == self._settings["restores"])
        if not self._settings["open"]:
            self._report("violation", what="EnterDFU for a vendor's device")
        if not self._is_trusted:
            self._report("violation", what="EnterDFU without its PIN")
            self._say(b"ERROR\r\n")
            return
        settings = self._settings
        said = settings["reply"] or "OK," + struct.pack(
            "<HHH", self.version, settings["bootloader"], settings["model"]).hex().upper()
        self._say(said.encode())
        self._entered_at = time.monotonic()
        if settings["model"] in _STAY:
            self._later(2 * _A_MOMENT, self._begin_update)

    # Update

    def _begin_update(self):
        link = self._link
        self._receiver = XModemReceiver(self._report, self._send, self._later, self._flash, self._take,
                                        self._settings["faults"])
        self._receiver.open(lambda: self._strict.listens(link, self._answers))

    def _take(self, received: bytes):
        size, digest, version = self._settings["image"]
        right = hashlib.sha256(received[:size]).hexdigest() == digest
        filled = is_filled_up(received, size)
        self._report("image", bytes=size, received=len(received), hash_ok=right, filled_up=filled)
        if right and not filled:
            self._report("violation", what="end of the last packet")
        if right:
            self.version = version
        self._entered_at = None
        # The answer leaves first.
        self._later(_A_MOMENT, lambda: self._ends("rebooted"))
