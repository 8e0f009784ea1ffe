"""One beacon: `beacon.py JSON`. Everything that happens is a line of JSON on stdout; SIGKILL is its end.

    port           RootCanal's HCI port
    snoop          path of the recordings, without number and suffix
    address        of what runs at first
    mode           plain | application | bootloader
    advertising    hex, for plain; scan_response likewise
    connectable    for plain
    mtu            the largest that it agrees to
    drop_at        list of counts of firmware bytes; at each the link is lost once
    vanish_at      count of firmware bytes at which the beacon is gone for good
    remembers      init | everything: what the bootloader keeps over a lost link
    encrypted      the DFU characteristics want an encrypted link
    pairs          whether it pairs when it is asked to
    version        what the application reports at first
    takes_name     the bootloader calls itself what the application was told
    echo_psm       PSM of a credit-based channel that sends every packet back
    sink           [PSM, bytes]: one that takes so many bytes and then sends one
"""

import asyncio
import json
import logging
import pathlib
import sys
import time

from bumble.core import UUID
from bumble.device import AdvertisingType, Device
from bumble.gatt import Characteristic, Service
from bumble.hci import Address
from bumble.l2cap import LeCreditBasedChannelSpec
from bumble.pairing import PairingConfig, PairingDelegate

from bootloader import Bootloader
from controller import open_controller
from strict import StrictServer

_DFU = UUID.from_16_bits(0xFE59)
_DFU_BASE = "8EC9{:04X}-F315-4F60-9FB8-838830DAEA50"
_DEVICE_INFORMATION, _FIRMWARE_REVISION = UUID.from_16_bits(0x180A), UUID.from_16_bits(0x2A26)
_DEFAULTS = dict(mode="plain", advertising="", scan_response="", connectable=True, mtu=247, drop_at=[],
                 vanish_at=None, remembers="init", encrypted=False, pairs=True, version="1", echo_psm=None, sink=None,
                 takes_name=True)
_P = Characteristic.Properties
# What an application takes to be copied into place, and a chip to start again. Real ones take longer.
_RESTART = 0.5
_begun = time.monotonic()


def report(event: str, **members):
    print(json.dumps({"event": event, "at": round(time.monotonic() - _begun, 3), **members}), flush=True)


def ad(kind: int, value: bytes) -> bytes:
    return bytes([len(value) + 1, kind]) + value


class Refusing(PairingDelegate):
    async def accept(self) -> bool:
        return False


class Beacon:
    def __init__(self, settings: dict):
        self._settings = {**_DEFAULTS, **settings}
        self._address = bytes.fromhex(self._settings["address"].replace(":", ""))
        self._mode = self._settings["mode"]
        self._version = self._settings["version"]
        self._drops = list(self._settings["drop_at"])
        self._bootloader: Bootloader | None = None
        self._stays = 0
        self._name = b""

    async def live(self):
        """Each round is one stay on the air, from power-up to a reset or a lost link."""
        while True:
            self._stays += 1
            ended = await self._stay()
            report("off-air", why=ended)
            match ended:
                case "vanished":
                    await asyncio.Event().wait()
                case "link-lost":
                    self._bootloader.lost_link()
                    await asyncio.sleep(0.2)
                case "entered-bootloader":
                    self._move(+1, "bootloader")
                    await asyncio.sleep(_RESTART)
                case "activated":
                    self._version = str(self._bootloader.activated.firmware_version)
                    self._move(-1, "application")
                    await asyncio.sleep(_RESTART)
                case "refused":
                    self._move(-1, "application")
                    await asyncio.sleep(_RESTART)

    def _move(self, step: int, mode: str):
        """Only the last byte moves, without carry."""
        self._address = self._address[:5] + bytes([(self._address[5] + step) % 256])
        self._mode = mode
        self._bootloader = None

    async def _stay(self) -> str:
        snoop = pathlib.Path(f"{self._settings['snoop']}-{self._stays}.btsnoop")
        transport = await open_controller(self._settings["port"], snoop)
        text = ":".join(f"{byte:02X}" for byte in self._address)
        device = Device.with_hci("", Address(text, Address.RANDOM_DEVICE_ADDRESS), transport.source,
                                 transport.sink)
        self._end = asyncio.get_running_loop().create_future()
        self._device = device
        self._strict = StrictServer(device, report)
        device.gatt_server.max_mtu = self._settings["mtu"]
        device.pairing_config_factory = lambda _: PairingConfig(
            mitm=False, delegate=PairingDelegate() if self._settings["pairs"] else Refusing())
        advertising, response = self._profile(device)
        self._serve_channels(device)
        kind = AdvertisingType.UNDIRECTED_CONNECTABLE_SCANNABLE
        if not self._settings["connectable"]:
            kind = AdvertisingType.UNDIRECTED_SCANNABLE if response else AdvertisingType.UNDIRECTED

        async def advertise():
            await device.start_advertising(
                advertising_type=kind, advertising_data=advertising, scan_response_data=response,
                advertising_interval_min=30, advertising_interval_max=30)
            report("advertising", address=text, mode=self._mode)

        def disconnected(handle: int, reason: int):
            report("disconnected", reason=reason)
            self._strict.link_lost(handle)
            if self._bootloader and not self._end.done():
                self._bootloader.lost_link()
            asyncio.ensure_future(advertise())

        device.on("connection", lambda link: (
            report("connected", peer=str(link.peer_address)),
            link.on("connection_encryption_change", lambda: report("encrypted", level=link.encryption)),
            link.on("pairing", lambda _: report("paired"))))
        await device.power_on()
        device.host.on("disconnection", disconnected)
        await advertise()
        why = await self._end
        device.host.remove_listener("disconnection", disconnected)
        if why in ("activated", "refused", "entered-bootloader"):
            for link in list(device.connections.values()):
                await link.disconnect()
        await transport.close()
        return why

    def _ends(self, why: str):
        if not self._end.done():
            self._end.set_result(why)

    def _profile(self, device: Device) -> tuple[bytes, bytes]:
        """The services of the mode; returns advertising data and scan response."""
        if self._mode == "bootloader":
            self._serve_bootloader(device)
            name = self._name or b"DfuTarg"
            return ad(0x01, b"\x06") + ad(0x02, b"\x59\xFE") + ad(0x09, name), b""
        device.add_service(Service(_DEVICE_INFORMATION, [Characteristic(
            _FIRMWARE_REVISION, _P.READ, Characteristic.READABLE, self._version.encode())]))
        if self._mode == "application":
            self._name = b""
            self._serve_application(device)
            return ad(0x01, b"\x06") + ad(0x09, b"Blinker"), b""
        return bytes.fromhex(self._settings["advertising"]), bytes.fromhex(self._settings["scan_response"])

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
        enter = Characteristic(UUID(_DFU_BASE.format(3)), _P.WRITE | _P.INDICATE, Characteristic.WRITEABLE, b"")
        device.add_service(Service(_DFU, [enter]))

        def write(connection, value: bytes):
            report("buttonless", request=value.hex())
            if value == b"\x01":
                self._strict.indicate(connection, enter, b"\x20\x01\x01",
                                      lambda: self._ends("entered-bootloader"))
            elif len(value) > 2 and value[0] == 2 and len(value) == 2 + value[1] <= 22:
                if self._settings["takes_name"]:
                    self._name = bytes(value[2:])
                self._strict.indicate(connection, enter, b"\x20\x02\x01", lambda: None)
            else:
                self._strict.indicate(connection, enter, b"\x20" + value[:1] + b"\x02", lambda: None)

        self._strict.on_write(enter, write, self._settings["encrypted"])

    def _serve_bootloader(self, device: Device):
        control = Characteristic(UUID(_DFU_BASE.format(1)), _P.WRITE | _P.NOTIFY, Characteristic.WRITEABLE, b"")
        packet = Characteristic(UUID(_DFU_BASE.format(2)), _P.WRITE_WITHOUT_RESPONSE, Characteristic.WRITEABLE,
                                b"")
        device.add_service(Service(_DFU, [control, packet]))
        if self._bootloader is None:
            self._bootloader = Bootloader(report, self._settings["remembers"])
        loader = self._bootloader

        def write_control(connection, value: bytes):
            self._strict.notify(connection, control, loader.request(value))
            if loader.activated or loader.failed:
                why = "activated" if loader.activated else "refused"
                # The bootloader leaves its client some time to hear the answer.
                asyncio.get_running_loop().call_later(0.2, self._ends, why)

        def write_packet(connection, value: bytes):
            if self._end.done():
                return
            answer = loader.packet(value)
            if self._settings["vanish_at"] is not None and loader.received >= self._settings["vanish_at"]:
                self._ends("vanished")
            elif self._drops and loader.received >= self._drops[0]:
                report("link-dropped", received=loader.received)
                self._drops.pop(0)
                self._ends("link-lost")
            elif answer is not None:
                self._strict.notify(connection, control, answer)

        self._strict.on_write(control, write_control, self._settings["encrypted"])
        self._strict.on_write(packet, write_packet, self._settings["encrypted"])


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    asyncio.run(Beacon(json.loads(sys.argv[1])).live())
