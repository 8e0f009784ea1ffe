"""A KBeacon's application: its adverts, its session, and its entry into the bootloader. (kbeacon.md)

Settings, all in `kbeacon`:

    generation     1 | 2
    password       by default the factory's
    called         its name; by default the factory's
    identity       [UUID, major, minor] of its iBeacon
    period_ms      of its adverts, as reported
    battery        percent; may be above 100
    shape          inline | report | split: of its answers in JSON
    records        number of recorded ones, by kind (`kbeacon_records.py`)
    record_shape   inline | report | split: of its answers in binary
    in_frame       the maximum of records in a frame; an answer of the second generation has several frames
    at_once        the maximum of records in an answer
    end            6 | 0: the cause with which the second generation ends an answer in binary
    after          seconds from the last piece of an answer to the cause that follows
    digest         long | folded; by the MTU otherwise
    says_mtu       the MTU that it reports when the session opens
    fault          silent | refused: the fault of its handshake
    causes         [cause, times] with which it refuses a message, by its name
    foreign        first generation: the cause with which it refuses the second one's query; without it, it is silent
    chatty         it sends log text, and the announcement of more, before each answer
    misplaces      it sends a piece with a wrong offset, once
    takes_updates  as it reports
    entry          session | any | fresh: the links on which it enters its bootloader
    keeps          whether its settings outlive an update
    revision       its Firmware Revision String, which no update changes
    versions       its texts for installed versions, by the number in the init packet
"""

import asyncio
import time

from bumble.core import UUID
from bumble.device import Device
from bumble.gatt import Characteristic, Service

from installed import Installed
from kbeacon_frames import scan_response, sensor_frame, system_frame
from kbeacon_framing import Framing
from kbeacon_handshake import Handshake
from kbeacon_messages import Messages, Parameters
from kbeacon_records import Records
from strict import StrictServer

_SERVICE, _COMMANDS, _REPORTS, _EVENTS = map(UUID.from_16_bits, (0xFEA0, 0xFEA1, 0xFEA2, 0xFEA3))
_DEVICE_INFORMATION, _SYSTEM_ID, _MODEL, _FIRMWARE = map(UUID.from_16_bits, (0x180A, 0x2A23, 0x2A24, 0x2A26))
_DEFAULTS = dict(generation=2, password="0" * 16, called=None, identity=["E2C56DB5-DFFB-48D2-B060-D0F5A71096E0", 7, 42],
                 period_ms=1285, battery=97, shape="inline", records={}, record_shape="report",
                 in_frame=7, at_once=20, end=6, after=0.2, digest=None, says_mtu=None, fault=None, causes={}, foreign=None, chatty=False,
                 misplaces=False, takes_updates=True, entry="session", keeps=True, revision="1.0",
                 versions={})
_HANDSHAKE = 1
_MODEL_NUMBER = 6
_P = Characteristic.Properties


class KBeacon:
    """`report(event, **members)` gets all events. `mac` is the address of its application, in display
    order."""

    def __init__(self, settings: dict, report, installed: Installed, mac: bytes):
        settings = {**_DEFAULTS, **settings}
        family = "PU200" if settings["generation"] == 1 else "KBPro"
        settings["factory_name"] = f"{family}_{int.from_bytes(mac[3:], 'big') % 1_000_000:06}"
        self._settings, self._report, self._installed, self.mac = settings, report, installed, mac
        self._parameters = Parameters(settings)
        in_frame = settings["at_once"] if settings["generation"] == 1 else settings["in_frame"]
        self._messages = Messages(report, self._parameters, lambda: self.version, settings["causes"], settings["foreign"],
                                  Records(report, settings["generation"], settings["records"], in_frame, settings["at_once"]))
        self._handshake = Handshake(report, settings["password"], settings["digest"], settings["says_mtu"],
                                    settings["fault"])
        self._framing = None
        self._link = None
        self._answered_at = 0.0
        self._had_session = False  # on a link with an attempted entry

    @property
    def version(self) -> str:
        installed = self._installed.application
        return self._settings["versions"].get(installed, installed)

    def updated(self):
        self._parameters.updated()
        self._had_session = False
        self._report("settings", name=self._parameters.name, version=self.version)

    # Adverts

    def frames(self) -> tuple[list[bytes], bytes]:
        """The alternating frames, and the scan response."""
        shown = self._parameters
        battery = min(shown.battery, 100)
        sensor = sensor_frame(shown.generation, 3591, 25.164)
        if shown.generation == 1:
            return [sensor], scan_response(shown.name, shown.battery, (shown.major, shown.minor), self.mac)
        major, minor = (int(part) for part in (self.version.split(".") + ["0"])[:2])
        return ([system_frame(_MODEL_NUMBER, battery, self.mac, (major, minor)), sensor],
                scan_response(shown.name, shown.battery, None, self.mac))

    # Attributes

    def serve(self, device: Device, strict: StrictServer):
        self._strict = strict
        commands = Characteristic(_COMMANDS, _P.WRITE | _P.WRITE_WITHOUT_RESPONSE, Characteristic.WRITEABLE, b"")
        self._reports = Characteristic(_REPORTS, _P.NOTIFY, Characteristic.READABLE, b"")
        events = Characteristic(_EVENTS, _P.INDICATE, Characteristic.READABLE, b"")
        device.add_service(Service(_SERVICE, [commands, self._reports, events]))
        strict.on_plain_write(commands, self._written)
        device.add_service(Service(_DEVICE_INFORMATION, [
            Characteristic(uuid, _P.READ, Characteristic.READABLE, value) for uuid, value in [
                (_SYSTEM_ID, self.mac[:2:-1] + b"\xFF\xFE" + self.mac[2::-1]),
                (_MODEL, self._parameters.model.encode()), (_FIRMWARE, self._settings["revision"].encode())]]))

    def lost_link(self):
        if self._framing:
            self._framing.ended()
        if self._messages.rings_for > (held := time.monotonic() - self._answered_at):
            self._report("violation", what="link ended while it rang", held=round(held, 2), due=self._messages.rings_for)
        self._messages.rings_for = 0.0
        self._handshake.lost_link()
        self._link = self._framing = None

    def _begin_link(self, connection):
        self._link = connection
        settings = self._settings

        def later(seconds: float, do):
            asyncio.get_running_loop().call_later(seconds, lambda: self._link is connection and do())

        self._framing = Framing(self._report, self._send, later, self._messages.perform, settings["generation"],
                                (settings["shape"], settings["record_shape"]), settings["chatty"], settings["misplaces"],
                                settings["end"], settings["after"])

    def _send(self, frame: bytes):
        self._answered_at = time.monotonic()
        self._strict.notify(self._link, self._reports, frame)

    def _written(self, connection, frame: bytes):
        if self._link is None:
            self._begin_link(connection)
        if not self._strict.listens(connection, self._reports):
            self._report("violation", what="frame before its answers were asked for")
        capacity = connection.att_mtu - 3
        if not frame:
            self._report("violation", what="empty frame")
        elif frame[0] >> 4 == _HANDSHAKE:
            if (answer := self._handshake.answer(frame, self.mac, capacity)) is not None:
                self._send(answer)
        elif not self._handshake.is_done:
            self._report("violation", what="frame without a session", first=frame[0])
        else:
            self._framing.received(frame, capacity, self._settings["says_mtu"])

    # The bootloader entry

    def lets_enter(self) -> bool:
        in_session = self._link is not None and self._handshake.is_done
        if not self._parameters.takes_updates:
            self._report("violation", what="an update of what takes none")
        if not in_session and not self._had_session:
            self._report("violation", what="entry without a session, before it was tried in one")
        self._had_session = self._had_session or in_session
        wanted = self._settings["entry"]
        lets = self._parameters.takes_updates and (wanted == "any" or in_session == (wanted == "session"))
        self._report("entry", session=in_session, allowed=lets)
        return lets
