"""One beacon: `beacon.py JSON`. Every event is a line of JSON on stdout. SIGUSR1 switches a receiver of
SUOTA or SMP off and on, and presses the button of an Orange Beacon Tag; SIGKILL ends it.

    port           RootCanal's HCI port
    snoop          path of the recordings, without number and suffix
    address        of the program that runs at first
    public         it uses its controller's public address instead
    mode           plain | application | bootloader | suota | kbeacon | fbeacon | orange | smp
    kbeacon        the settings of `kbeacon.py`, for that; fbeacon likewise, whose version is a number; orange those of `orange_tag.py`,
                   smp those of `smp_device.py`, whose version is major.minor.revision
    advertising    hex, for plain; scan_response likewise
    interval_ms    of advertising
    extended       [primary, secondary] PHY, 1M | 2M | coded, of extended advertising; without it, legacy
    turns          list of hex: the following advertisements, each for two seconds, then again from the first
    connectable    for plain
    mtu            the largest that it agrees to
    drop_at        list of firmware byte counts; at each the link is lost once
    vanish_at      firmware byte count at which the beacon is gone for good
    remembers      init | everything: what the bootloader keeps over a lost link
    encrypted      the DFU characteristics require an encrypted link
    pairs          whether it pairs on request
    bonds          DFU requires a bond: the application makes it, the bootloader at the same address only uses it
    version        what the application reports at first
    softdevice     FWID of the initial SoftDevice
    flash          [seconds to erase a page, seconds to write 20 bytes]; without it, flash takes no time
    places         of the flash queue
    loses          one of so many firmware packets is dropped silently
    receiver       application: it takes updates itself; the text is its version after one
    chatty         Secure, with receiver: it answers each packet with 60 03 01
    switched_off   with receiver: every access to its service is refused with 08
    legacy         Legacy DFU instead of Secure: the minor number of the bootloader's DFU Version, 5 to 8
    takes_name     the bootloader uses the name that the application received
    echo_psm       PSM of a credit-based channel that sends every packet back
    sink           [PSM, bytes]: one that accepts so many bytes and then sends one

For suota, where `flash` has sectors for pages:

    family         580 | 58x | 531 | 68x | 69x
    psm            68x, 69x: of the channel that a start opens; channel_mtu its largest packet
    data_size      of PATCH_DATA, if not the family's
    buffer         58x: for a block, likewise
    pins           58x: hex of the GPIO map at which the flash is found; without it, at any
    resets         58x: whether REBOOT restarts it, and does not only end the link
    early_status   a status leaves before the answer to the write that it is about
    drop_in_block  list of block numbers; at the start of each the link is lost once
"""

import asyncio
import itertools
import json
import logging
import pathlib
import signal
import sys
import time

from bumble.core import UUID
from bumble.device import AdvertisingEventProperties, AdvertisingParameters, AdvertisingType, Device
from bumble.gatt import Characteristic, Service
from bumble.hci import Address, OwnAddressType, Phy
from bumble.keys import MemoryKeyStore
from bumble.l2cap import LeCreditBasedChannelSpec
from bumble.pairing import PairingConfig, PairingDelegate

from advertising import ad
from bootloader import Bootloader
from controller import open_controller
from fbeacon import FBeacon
from flash import Flash
from installed import Installed
from kbeacon import KBeacon
from legacy_bootloader import LegacyBootloader
from legacy_receiver import LegacyReceiver
from orange_tag import OrangeTag
from smp_device import SMPDevice
from strict import StrictServer
from suota_service import SERVICE as _SUOTA, SuotaDevice

_DFU = UUID.from_16_bits(0xFE59)
_DFU_BASE = "8EC9{:04X}-F315-4F60-9FB8-838830DAEA50"
_LEGACY_BASE = "0000{:04X}-1212-EFDE-1523-785FEABCD123"
_DEVICE_INFORMATION, _FIRMWARE_REVISION = UUID.from_16_bits(0x180A), UUID.from_16_bits(0x2A26)
_BATTERY, _BATTERY_LEVEL = UUID.from_16_bits(0x180F), UUID.from_16_bits(0x2A19)
_MANUFACTURER, _MODEL, _SOFTWARE_REVISION = map(UUID.from_16_bits, (0x2A29, 0x2A24, 0x2A28))
_DEFAULTS = dict(mode="plain", advertising="", scan_response="", connectable=True, mtu=247, drop_at=[],
                 vanish_at=None, remembers="init", encrypted=False, pairs=True, version="1", echo_psm=None, sink=None,
                 takes_name=True, softdevice=0x98, flash=[0, 0], places=16, loses=None, legacy=None, bonds=False,
                 family="58x", psm=None, channel_mtu=512, data_size=None, buffer=None, pins=None, resets=True,
                 early_status=False, drop_in_block=[], receiver=None, chatty=False, switched_off=False,
                 public=False, extended=None, turns=[], interval_ms=30, kbeacon={}, fbeacon={}, orange={}, smp={})
_P = Characteristic.Properties
_PHYS = {"1M": Phy.LE_1M, "2M": Phy.LE_2M, "coded": Phy.LE_CODED}
# The time to copy an application into place, and to restart a chip. Real ones take longer.
_RESTART, _FEASYCOM_RESTART = 0.5, 2
# The time for which a bootloader waits after a new SoftDevice for the next part, before the application starts.
_HURRY = 10
# The time for which each alternating frame is advertised.
_TURN = 2
_begun = time.monotonic()


def report(event: str, **members):
    print(json.dumps({"event": event, "at": round(time.monotonic() - _begun, 3), **members}), flush=True)


class Agreeing(PairingDelegate):
    """Sends no identity key: the beacon has no other address than the one at which it is heard."""

    def __init__(self):
        only = PairingDelegate.KeyDistribution.DISTRIBUTE_ENCRYPTION_KEY
        super().__init__(local_initiator_key_distribution=only, local_responder_key_distribution=only)


class Refusing(PairingDelegate):
    async def accept(self) -> bool:
        return False


class Beacon:
    def __init__(self, settings: dict):
        self._settings = {**_DEFAULTS, **settings}
        self._address = bytes.fromhex(self._settings["address"].replace(":", ""))
        self._mode = self._settings["mode"]
        # The first and the last step of an update.
        self._own_mode = "application" if self._mode == "bootloader" else self._mode
        self._hurries = False
        self._installed = Installed(
            self._settings["version"], self._settings["softdevice"], bootloader_version=1)
        self._drops = list(self._settings["drop_at"])
        self._bootloader: Bootloader | LegacyBootloader | LegacyReceiver | None = None
        self._suota = SuotaDevice(self._settings, report) if self._mode == "suota" else None
        self._kbeacon = self._fbeacon = self._orange = self._smp = None
        if self._mode == "kbeacon":
            self._kbeacon = KBeacon(self._settings["kbeacon"], report, self._installed, self._address)
        elif self._mode == "fbeacon":
            self._fbeacon = FBeacon(self._settings, report, self._address)
        elif self._mode == "orange":
            self._orange = OrangeTag(self._settings, report)
        elif self._mode == "smp":
            self._smp = SMPDevice(self._settings, report)
        self._own = self._suota or self._kbeacon or self._fbeacon or self._orange or self._smp
        self._keys = MemoryKeyStore()  # of bonds
        self._encrypted = self._settings["encrypted"] or self._settings["bonds"]
        self._client = None   # the receiver of the bootloader's answers: connection, control point
        self._late_answers = 0
        self._stays = 0
        self._name = b""

    async def live(self):
        """Each round is one period on the air, from power-up to a reset or a lost link."""
        press = self._orange.press if self._orange else lambda: self._ends("switched-off")
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, press)
        while True:
            self._stays += 1
            ended = await self._stay()
            report("off-air", why=ended)
            match ended:
                case "vanished":
                    await asyncio.Event().wait()
                case "link-lost" | "rebooted" | "switched-off" if self._suota:
                    restarts = self._suota.lost_link() or ended != "link-lost"
                    await asyncio.sleep(_RESTART + self._suota.restart() if restarts else 0.2)
                case "rebooted" | "switched-off" if self._smp:
                    await asyncio.sleep(self._smp.restart())
                case "link-lost" if self._smp:
                    await asyncio.sleep(0.2)
                case "rebooted" if self._fbeacon:
                    await asyncio.sleep(_FEASYCOM_RESTART)
                case "link-lost":
                    self._bootloader.lost_link()
                    await asyncio.sleep(0.2)
                case "activated" if self._settings["receiver"]:
                    self._installed.application = self._settings["receiver"]
                    self._bootloader = None
                    await asyncio.sleep(_RESTART)
                case "updated":
                    self._bootloader = None
                    await asyncio.sleep(_RESTART)
                case "entered-bootloader":
                    self._move(+1, "bootloader")
                    await asyncio.sleep(_RESTART)
                case "activated-system":
                    self._bootloader, self._hurries = None, True
                    await asyncio.sleep(_RESTART)
                case "reset" if self._installed.application is None:
                    self._bootloader = None
                    await asyncio.sleep(_RESTART)
                case "activated" | "refused" | "reset" | "waited-enough":
                    self._move(-1, self._own_mode)
                    if self._kbeacon and ended == "activated":
                        self._kbeacon.updated()
                    await asyncio.sleep(_RESTART)

    def _move(self, step: int, mode: str):
        """Only the last byte changes, without carry; with bonds none does."""
        step = 0 if self._settings["bonds"] else step
        self._address = self._address[:5] + bytes([(self._address[5] + step) % 256])
        self._mode = mode
        self._bootloader, self._hurries = None, False

    async def _stay(self) -> str:
        snoop = pathlib.Path(f"{self._settings['snoop']}-{self._stays}.btsnoop")
        transport = await open_controller(self._settings["port"], snoop)
        text = ":".join(f"{byte:02X}" for byte in self._address)
        device = Device.with_hci("", Address(text, Address.RANDOM_DEVICE_ADDRESS), transport.source,
                                 transport.sink)
        self._end = asyncio.get_running_loop().create_future()
        self._client = None
        self._device = device
        self._strict = StrictServer(device, report)
        device.gatt_server.max_mtu = self._settings["mtu"]
        pairs = self._settings["pairs"] and not (self._settings["bonds"] and self._mode == "bootloader")
        device.pairing_config_factory = lambda _: PairingConfig(
            mitm=False, delegate=Agreeing() if pairs else Refusing())
        device.keystore = self._keys
        await device.power_on()
        if self._kbeacon and self._settings["public"]:
            self._kbeacon.mac = bytes(device.public_address)[::-1]
        self._turns = self._settings["turns"]
        advertising, response = self._profile(device)
        self._serve_channels(device)
        kind = AdvertisingType.UNDIRECTED_CONNECTABLE_SCANNABLE
        if not self._settings["connectable"]:
            kind = AdvertisingType.UNDIRECTED_SCANNABLE if response else AdvertisingType.UNDIRECTED

        interval = self._settings["interval_ms"]
        # The bootloader of a beacon with a public address has one of its own.
        public = self._settings["public"] and self._mode != "bootloader"

        async def advertise():
            nonlocal advertising, response, interval, kind
            if self._fbeacon:
                (advertising, response), interval = self._fbeacon.frame(), self._fbeacon.interval_ms
            elif self._orange:
                (advertising, response), interval = self._orange.frame(), self._orange.interval_ms
                kind = self._orange.kind
            if self._settings["extended"]:
                primary, secondary = (_PHYS[name] for name in self._settings["extended"])
                # A connectable extended advertisement has no scan response, but room for its data.
                await device.create_advertising_set(AdvertisingParameters(
                    AdvertisingEventProperties(is_connectable=self._settings["connectable"]),
                    primary_advertising_interval_min=interval, primary_advertising_interval_max=interval,
                    primary_advertising_phy=primary, secondary_advertising_phy=secondary,
                    own_address_type=OwnAddressType.PUBLIC if public else OwnAddressType.RANDOM),
                    Address(text, Address.RANDOM_DEVICE_ADDRESS), advertising + response)
                return report("advertising", address=text, mode=self._mode)
            await device.start_advertising(
                advertising_type=kind, advertising_data=advertising, scan_response_data=response,
                advertising_interval_min=interval, advertising_interval_max=interval,
                own_address_type=OwnAddressType.PUBLIC if public else OwnAddressType.RANDOM)
            version = {"version": self._own.version} if self._own and self._mode != "bootloader" else {}
            report("advertising", address=text, mode=self._mode, **version)

        def disconnected(handle: int, reason: int):
            report("disconnected", reason=reason)
            self._strict.link_lost(handle)
            self._client = None
            if self._bootloader and not self._end.done():
                self._bootloader.lost_link()
            if self._own and self._own.lost_link():
                self._ends("rebooted")
            else:
                asyncio.ensure_future(advertise())

        def paired(link):
            # Bumble keeps the keys of every pairing; only a bond's are to be kept.
            session = device.smp_manager.sessions.get(link.handle)
            if session is None or not session.bonding:
                self._keys.all_keys.clear()
            report("paired", bonded=bool(self._keys.all_keys))

        device.on("connection", lambda link: (
            report("connected", peer=str(link.peer_address)),
            link.on("connection_encryption_change", lambda: report("encrypted", level=link.encryption)),
            link.on("pairing", lambda _: paired(link))))
        device.host.on("disconnection", disconnected)
        self._advertise = advertise
        await advertise()
        turns = asyncio.ensure_future(self._take_turns(device, advertising))
        if self._hurries:
            asyncio.get_running_loop().call_later(_HURRY, self._waited_enough, self._end)
        why = await self._end
        turns.cancel()
        device.host.remove_listener("disconnection", disconnected)
        if speaks := self._kbeacon or self._fbeacon or self._smp:
            speaks.lost_link()
        if why not in ("vanished", "link-lost", "switched-off", "updated"):
            for link in list(device.connections.values()):
                await link.disconnect()
        await transport.close()
        return why

    async def _advertise_anew(self):
        """Advertises the new state, unless a client is connected."""
        if not self._device.connections:
            await self._device.stop_advertising()
            await self._advertise()

    async def _take_turns(self, device: Device, first: bytes):
        others = [bytes.fromhex(text) for text in self._turns]
        for data in itertools.cycle([*others, first]) if others else []:
            await asyncio.sleep(_TURN)
            # Nothing is advertised while a client is connected.
            if on_air := device.legacy_advertising_set:
                await on_air.set_advertising_data(data)

    def _waited_enough(self, end: asyncio.Future):
        if not end.done() and not self._bootloader.has_begun:
            end.set_result("waited-enough")

    def _ends(self, why: str):
        if not self._end.done():
            self._end.set_result(why)

    def _profile(self, device: Device) -> tuple[bytes, bytes]:
        """The services of the mode; returns advertising data and scan response."""
        if self._mode == "bootloader":
            self._serve_bootloader(device)
            name = self._name or b"DfuTarg"
            if self._settings["legacy"]:
                service = bytes(UUID(_LEGACY_BASE.format(0x1530)))
                return ad(0x01, b"\x06") + ad(0x06, service) + ad(0x09, name), b""
            flags = b"\x04" if self._settings["bonds"] else b"\x06"  # discoverable only for its peer
            return ad(0x01, flags) + ad(0x02, b"\x59\xFE") + ad(0x09, name), b""
        if self._suota:
            return self._serve_suota(device), b""
        if self._mode == "kbeacon":
            self._name = b""
            self._kbeacon.serve(device, self._strict)
            self._serve_application(device)
            (first, *others), response = self._kbeacon.frames()
            self._turns = [one.hex() for one in others]
            return first, response
        if self._fbeacon:
            self._fbeacon.serve(device, self._strict, self._ends)
            return self._fbeacon.frame()
        if self._smp:
            self._smp.serve(device, self._strict, self._ends)
            return self._smp.frame()
        if self._orange:
            self._orange.serve(device, self._strict, lambda: asyncio.ensure_future(self._advertise_anew()))
            return self._orange.frame()
        device.add_service(Service(_DEVICE_INFORMATION, [Characteristic(
            _FIRMWARE_REVISION, _P.READ, Characteristic.READABLE, self._installed.application.encode())]))
        if self._settings["receiver"]:
            device.add_service(Service(_BATTERY, [Characteristic(
                _BATTERY_LEVEL, _P.READ, Characteristic.READABLE, bytes([80]))]))
            self._serve_bootloader(device)
            return ad(0x01, b"\x06") + ad(0x09, b"Watch"), b""
        if self._mode == "application":
            self._name = b""
            self._serve_application(device)
            return ad(0x01, b"\x06") + ad(0x09, b"Blinker"), b""
        return bytes.fromhex(self._settings["advertising"]), bytes.fromhex(self._settings["scan_response"])

    def _serve_suota(self, device: Device) -> bytes:
        version = self._suota.version
        device.add_service(Service(_DEVICE_INFORMATION, [
            Characteristic(uuid, _P.READ, Characteristic.READABLE, value.encode()) for uuid, value in [
                (_MANUFACTURER, "Bench"), (_MODEL, self._suota.model), (_FIRMWARE_REVISION, version),
                (_SOFTWARE_REVISION, version)]]))

        def disconnect():
            for link in list(device.connections.values()):
                asyncio.ensure_future(link.disconnect())

        self._suota.serve(device, self._strict, self._ends, disconnect)
        return ad(0x01, b"\x06") + ad(0x03, bytes(_SUOTA)) + ad(0x09, b"Bench SUOTA")

    def _serve_channels(self, device: Device):
        if psm := self._settings["echo_psm"]:
            def echo(channel):
                report("channel", psm=psm, peer_mtu=channel.peer_mtu)
                channel.on("close", lambda: report("channel-closed", psm=psm))
                channel.sink = channel.write

            device.create_l2cap_server(LeCreditBasedChannelSpec(psm=psm, mtu=1024, mps=251, max_credits=8), echo)
        if self._settings["sink"]:
            psm, expected = self._settings["sink"]

            def swallow(channel):
                got = 0

                def take(data: bytes):
                    nonlocal got
                    got += len(data)
                    if got >= expected:
                        report("swallowed", bytes=got)
                        channel.write(b"\x01")

                channel.sink = take

            device.create_l2cap_server(
                LeCreditBasedChannelSpec(psm=psm, mtu=4096, mps=251, max_credits=32), swallow)

    def _serve_application(self, device: Device):
        if self._settings["legacy"]:
            self._serve_legacy_application(device)
            return
        bonds = self._settings["bonds"]
        enter = Characteristic(UUID(_DFU_BASE.format(4 if bonds else 3)), _P.WRITE | _P.INDICATE, Characteristic.WRITEABLE, b"")
        device.add_service(Service(_DFU, [enter]))

        def write(connection, value: bytes):
            report("buttonless", request=value.hex())
            if value == b"\x01" and bonds and not self._keys.all_keys:
                self._strict.indicate(connection, enter, b"\x20\x01\x07", lambda: None)
            elif value == b"\x01" and self._kbeacon and not self._kbeacon.lets_enter():
                self._strict.indicate(connection, enter, b"\x20\x01\x04", lambda: None)
            elif value == b"\x01":
                self._strict.indicate(connection, enter, b"\x20\x01\x01",
                                      lambda: self._ends("entered-bootloader"))
            elif not bonds and len(value) > 2 and value[0] == 2 and len(value) == 2 + value[1] <= 22:
                if self._settings["takes_name"]:
                    self._name = bytes(value[2:])
                self._strict.indicate(connection, enter, b"\x20\x02\x01", lambda: None)
            else:
                self._strict.indicate(connection, enter, b"\x20" + value[:1] + b"\x02", lambda: None)

        self._strict.on_write(enter, write, self._encrypted)

    def _legacy_service(self, device: Device, minor: int) -> tuple[Characteristic, Characteristic]:
        """Control point and packets; DFU Version has 0 and a minor number, in reverse order."""
        control = Characteristic(UUID(_LEGACY_BASE.format(0x1531)), _P.WRITE | _P.NOTIFY,
                                 Characteristic.WRITEABLE, b"")
        packet = Characteristic(UUID(_LEGACY_BASE.format(0x1532)), _P.WRITE_WITHOUT_RESPONSE,
                                Characteristic.WRITEABLE, b"")
        version = Characteristic(UUID(_LEGACY_BASE.format(0x1534)), _P.READ, Characteristic.READABLE,
                                 bytes([minor, 0]))
        device.add_service(Service(UUID(_LEGACY_BASE.format(0x1530)), [control, packet, version]))
        return control, packet

    def _serve_legacy_application(self, device: Device):
        control, packet = self._legacy_service(device, 1)

        def write(connection, value: bytes):
            report("buttonless", request=value.hex())
            if value == b"\x01\x04":
                self._ends("entered-bootloader")
            else:
                self._strict.notify(connection, control, b"\x10\x01\x03")

        self._strict.on_write(control, write, self._encrypted)
        self._strict.on_write(packet, lambda _, value: report(
            "violation", what="packet for an application", bytes=len(value)), self._encrypted)

    def _serve_bootloader(self, device: Device):
        if minor := self._settings["legacy"]:
            # A host that stores the attribute's handle instead of the version.
            control, packet = self._legacy_service(device, 0x1E if self._settings["receiver"] else minor)
        else:
            control = Characteristic(UUID(_DFU_BASE.format(1)), _P.WRITE | _P.NOTIFY, Characteristic.WRITEABLE,
                                     b"")
            packet = Characteristic(UUID(_DFU_BASE.format(2)), _P.WRITE_WITHOUT_RESPONSE,
                                    Characteristic.WRITEABLE, b"")
            device.add_service(Service(_DFU, [control, packet]))
        if self._bootloader is None:
            erase, piece = self._settings["flash"]
            if self._settings["legacy"] and self._settings["receiver"]:
                self._bootloader = LegacyReceiver(report, self._notify, self._installed,
                                                  Flash(LegacyBootloader.BUFFERS, erase, piece),
                                                  self._settings["receiver"])
            elif self._settings["legacy"]:
                self._bootloader = LegacyBootloader(report, self._notify, self._installed,
                                                    Flash(LegacyBootloader.BUFFERS, erase, piece))
            else:
                self._bootloader = Bootloader(report, self._notify, self._installed, self._settings["remembers"],
                                              Flash(self._settings["places"], erase, piece),
                                              self._settings["loses"])
        loader = self._bootloader

        def write_control(connection, value: bytes):
            if self._late_answers and not self._settings["receiver"]:
                report("violation", what="request before the answer to another", request=value.hex())
            self._client = (connection, control)
            loader.request(value)
            if loader.ended:
                # The bootloader leaves its client some time to receive the answer.
                asyncio.get_running_loop().call_later(loader.busy() + 0.2, self._ends, loader.ended)

        def write_packet(connection, value: bytes):
            if self._end.done():
                return
            loader.packet(value)
            if self._settings["chatty"]:
                self._notify(0, b"\x60\x03\x01")
            if self._settings["vanish_at"] is not None and loader.received >= self._settings["vanish_at"]:
                self._ends("vanished")
            elif self._drops and loader.received >= self._drops[0]:
                report("link-dropped", received=loader.received)
                self._drops.pop(0)
                self._ends("link-lost")

        self._strict.on_write(control, write_control, self._encrypted)
        self._strict.on_write(packet, write_packet, self._encrypted)
        if self._settings["switched_off"]:
            base = _LEGACY_BASE if self._settings["legacy"] else _DFU_BASE
            self._strict.forbid(base.partition("}")[2])

    def _notify(self, seconds: float, value: bytes):
        """An answer of the bootloader, unless the link has gone by then."""
        client = self._client
        if client is None:
            return
        if not seconds:
            self._strict.notify(*client, value)
            return

        def late():
            self._late_answers -= 1
            if self._client is client:
                self._strict.notify(*client, value)

        self._late_answers += 1
        asyncio.get_running_loop().call_later(seconds, late)


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    asyncio.run(Beacon(json.loads(sys.argv[1])).live())
