"""A beacon that MCUboot starts and whose application takes updates over SMP. (docs/protocols/mcuboot-smp.md)

Settings, all in `smp`:

    size           bytes of the program in its first image
    spare          version of another image in slot 1, which has to be erased before the first answer
    new            the fate of another image, as in `smp_slots.py`
    swap           seconds that the bootloader takes to exchange the images
    cut            seconds for which its power is lost in the first exchange, which then goes on
    mode           of the bootloader (3 exchanges by moving); null if it does not tell
    dialect        1 for servers that answer as version 1 whatever was asked
    buffer         bytes of a frame that it takes; buffers so many frames, counting the answer
    reassembles    whether a frame may come in several writes
    parameters     whether it tells its buffers
    named          its name; it also advertises its service if it `says_service`
    forgets        one of so many requests finds no buffer
    aligned        whether it expects pieces of a multiple of 4 bytes, as old ones do
"""

import asyncio

from bumble.core import UUID
from bumble.device import Device
from bumble.gatt import Characteristic, Service

from advertising import ad
from flash import Flash
from smp_server import HEADER, SMPServer
from smp_slots import Slots
from strict import StrictServer

from host.mcuboot_images import image  # noqa: E402, found by smp_slots

_SERVICE = UUID("8D53DC1D-1DB7-4CD3-868B-8A527460AA84")
_VALUE = UUID("DA2E7828-FBCE-4E01-AE9E-261174997C48")
_DEFAULTS = dict(size=20000, spare=None, new="runs", swap=3, cut=0, mode=3, dialect=2, buffer=2475, buffers=4,
                 reassembles=True, parameters=True, named="Bench SMP", says_service=True, forgets=None, aligned=True)
_UNLIMITED = 1 << 30  # places of a flash without a queue
_BEFORE_RESTART, _RESTART = 0.25, 0.5
_P = Characteristic.Properties


class SMPDevice:
    """`report(event, **members)` gets all events; `settings` are those of `beacon.py`."""

    def __init__(self, settings: dict, report):
        self._settings, self._report = {**_DEFAULTS, **settings["smp"]}, report
        self._is_encrypted = settings["encrypted"]
        self._drops = list(settings["drop_at"])
        self._flash = Flash(_UNLIMITED, *settings["flash"])
        first, spare = (image(version, self._settings["size"]) if version else b""
                        for version in (settings["version"], self._settings["spare"]))
        self._slots = Slots([first, spare], self._settings["new"], self._settings["aligned"], self._flash, report)
        self._server = SMPServer(self._settings, self._slots, report)
        self._cut = self._settings["cut"]
        self._requests = 0
        self._forget_link()

    @property
    def version(self) -> str:
        return self._slots.version

    def _forget_link(self):
        self._link = None
        self._begun = b""            # a frame of which not all has come
        self._waiting: list[bytes] = []
        self._is_busy = False

    def lost_link(self) -> bool:
        """Whether it restarts. The upload stays, and so does a request to restart."""
        self._forget_link()
        return False

    def restart(self) -> float:
        """Seconds until it is back on the air."""
        settings, did = self._settings, self._slots.restart()
        self._server.restarts = False
        seconds = {"swap": settings["swap"], "revert": settings["swap"], "crash": 2 * settings["swap"]}.get(did, 0)
        if seconds and self._cut:
            self._report("power-lost", seconds=self._cut)
            seconds, self._cut = seconds + self._cut, 0
        self._report("boot", did=did, version=self.version, seconds=seconds)
        return _RESTART + seconds

    # On the air

    def frame(self) -> tuple[bytes, bytes]:
        """Advertising data and scan response."""
        service = ad(0x07, bytes(_SERVICE)) if self._settings["says_service"] else b""
        return ad(0x01, b"\x06") + service, ad(0x09, self._settings["named"].encode())

    def serve(self, device: Device, strict: StrictServer, ends):
        """`ends(why)` takes it off the air."""
        self._strict, self._ends = strict, ends
        self._value = Characteristic(_VALUE, _P.WRITE_WITHOUT_RESPONSE | _P.NOTIFY, Characteristic.WRITEABLE, b"")
        device.add_service(Service(_SERVICE, [self._value]))
        strict.on_write(self._value, self._written, self._is_encrypted)

    def _written(self, connection, value: bytes):
        self._link = connection
        if not self._strict.listens(connection, self._value):
            self._report("violation", what="written before its answers were asked for")
        self._begun += value
        if len(self._begun) < HEADER:
            return self._drop("fragment without a header")
        length = HEADER + int.from_bytes(self._begun[2:4], "big")
        if length > self._settings["buffer"] or len(self._begun) > length:
            return self._drop("frame longer than it says, or than the buffer")
        if len(self._begun) < length:
            if not self._settings["reassembles"]:
                self._drop("fragment")
            return
        frame, self._begun = self._begun, b""
        # One buffer is for the answer.
        if len(self._waiting) + self._is_busy >= self._settings["buffers"]:
            return self._drop("request without a buffer")
        self._requests += 1
        if self._settings["forgets"] and self._requests % self._settings["forgets"] == 0:
            self._report("dropped", request=self._requests)
            return
        self._waiting.append(frame)
        self._next()

    def _drop(self, what: str):
        self._report("violation", what=what, bytes=len(self._begun))
        self._begun = b""

    def _next(self):
        if self._is_busy or not self._waiting:
            return
        link, self._is_busy = self._link, True
        answer = self._server.answer(self._waiting.pop(0))

        def send():
            if self._link is not link:
                return
            size = link.att_mtu - 3
            for at in range(0, len(answer), size):
                self._strict.notify(link, self._value, answer[at:at + size])
            self._is_busy = False
            if self._server.restarts:
                asyncio.get_running_loop().call_later(_BEFORE_RESTART, self._ends, "rebooted")
            self._next()

        if self._drops and self._slots.received >= self._drops[0]:
            self._report("link-dropped", received=self._drops.pop(0))
            self._ends("link-lost")
            return
        asyncio.get_running_loop().call_later(self._flash.busy(), send)
