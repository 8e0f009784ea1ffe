"""One client of a served beacon: `central.py JSON`. Every event is a line of JSON on stdout.

    port       RootCanal's HCI port
    snoop      path of the recordings, without number and suffix
    peer       address of the beacon, a random one
    called     looks for a beacon of that name instead, at any address
    enters     the beacon runs its application, and has to enter its bootloader at the next address first
    speaks     secure | legacy | suota | channel
    package    for Nordic: a ZIP with one .dat and one .bin; image a file, for SUOTA
    stop_at    bytes of the image after which the link is closed and another one opened, once
    errs       its error: execute-early | no-subscription | second-mtu
    mtu        that it requests
"""

import asyncio
import json
import pathlib
import struct
import sys
import time
import zipfile
import zlib

from bumble.core import AdvertisingData, UUID
from bumble.device import Device, Peer
from bumble.hci import Address
from bumble.l2cap import LeCreditBasedChannelSpec

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "peripherals"))
from controller import open_controller  # noqa: E402

_DEFAULTS = dict(called=None, enters=False, package=None, image=None, stop_at=None, errs=None, mtu=517)
_SECURE = "8EC9{:04X}-F315-4F60-9FB8-838830DAEA50"
_LEGACY = "0000{:04X}-1212-EFDE-1523-785FEABCD123"
_MEMORY, _PINS, _INFO, _LENGTH, _DATA, _STATUS, _PSM = (
    "8082CAA8-41A6-4021-91C6-56F9B954CC34", "724249F0-5EC3-4B5F-8804-42345AF08651",
    "6C53DB25-47A1-45FE-A022-7C92FB334FD4", "9D84B9A3-000C-49D8-9183-855B673FDA31",
    "457871E8-D516-4CA1-9116-57D0B17B9CB2", "5F78DF94-798C-46F5-990A-B3EB6A065C88",
    "61C8849C-F639-4765-946E-5C3419BEBB2A")
# Seconds between two packets. The simulated air takes no time, and flash does: its queue would overflow.
_PACE = 0.02
_begun = time.monotonic()


def report(event: str, **members):
    print(json.dumps({"event": event, "at": round(time.monotonic() - _begun, 3), **members}), flush=True)


class Stopped(Exception):
    pass


class Central:
    def __init__(self, settings: dict):
        self._settings = {**_DEFAULTS, **settings}
        self._stops = self._settings["stop_at"]
        if package := self._settings["package"]:
            with zipfile.ZipFile(package) as archive:
                names = archive.namelist()
                self._init = archive.read(next(name for name in names if name.endswith(".dat")))
                self._image = archive.read(next(name for name in names if name.endswith(".bin")))
        else:
            self._image = pathlib.Path(self._settings["image"]).read_bytes()

    async def live(self):
        transport = await open_controller(
            self._settings["port"], pathlib.Path(self._settings["snoop"] + "-1.btsnoop"))
        self._device = Device.with_hci("central", Address("F0:F1:F2:F3:F4:F5"), transport.source, transport.sink)
        await self._device.power_on()
        report("advertising")  # all peripherals begin with that
        while True:
            try:
                await self._conversation()
                return report("finished", bytes=len(self._image), seconds=round(time.monotonic() - self._linked, 3))
            except Stopped:
                report("stopped")
            except ConnectionError:
                report("lost")

    async def _conversation(self):
        self._link = await self._device.connect(await self._address(), timeout=30)
        self._linked = time.monotonic()
        self._ended = asyncio.Event()
        self._link.on("disconnection", lambda _: self._ended.set())
        self._peer = Peer(self._link)
        mtu = await self._peer.request_mtu(self._settings["mtu"])
        report("connected", mtu=mtu, peer=str(self._link.peer_address))
        if self._settings["errs"] == "second-mtu":
            self._peer.gatt_client.mtu_exchange_done = False  # Bumble takes another name
            await self._peer.request_mtu(self._settings["mtu"])
        await self._peer.discover_services()
        await self._peer.discover_characteristics()
        self._payload = (mtu - 3) // 4 * 4
        self._answers: asyncio.Queue[bytes] = asyncio.Queue()
        if self._settings["enters"]:
            await self._enter()
            return await self._conversation()
        talk = asyncio.ensure_future(getattr(self, "_" + self._settings["speaks"])())
        end = asyncio.ensure_future(self._ended.wait())
        await asyncio.wait([talk, end], return_when=asyncio.FIRST_COMPLETED)
        if not talk.done():
            talk.cancel()
            await asyncio.wait([talk])
            raise ConnectionError
        await talk
        async with asyncio.timeout(20):
            await end

    async def _address(self) -> Address:
        if not (name := self._settings["called"]):
            return Address(self._settings["peer"], Address.RANDOM_DEVICE_ADDRESS)
        found = asyncio.get_running_loop().create_future()

        def heard(report):
            data = report.data if isinstance(report.data, AdvertisingData) else AdvertisingData.from_bytes(report.data)
            if data.get(AdvertisingData.COMPLETE_LOCAL_NAME) == name and not found.done():
                found.set_result(report.address)

        self._device.host.on("advertising_report", heard)
        await self._device.start_scanning(filter_duplicates=False)
        async with asyncio.timeout(20):
            address = await found
        await self._device.stop_scanning()
        report("found", peer=str(address))
        return address

    async def _enter(self):
        """Sends the application to its bootloader, which is one address further."""
        entry = self._find(_SECURE.format(3))
        await entry.subscribe(lambda value: self._answers.put_nowait(bytes(value)), prefer_notify=False)
        await entry.write_value(b"\x01", with_response=True)
        await self._answer(b"\x20\x01\x01")
        async with asyncio.timeout(20):
            await self._ended.wait()
        head, last = self._settings["peer"].rsplit(":", 1)
        self._settings |= {"enters": False, "peer": f"{head}:{(int(last, 16) + 1) % 256:02X}"}
        report("entered")

    def _find(self, uuid: str):
        return self._peer.get_characteristics_by_uuid(UUID(uuid))[0]

    async def _listen(self, characteristic):
        if self._settings["errs"] != "no-subscription":
            await characteristic.subscribe(lambda value: self._answers.put_nowait(bytes(value)))

    async def _answer(self, head: bytes) -> bytes:
        async with asyncio.timeout(20):
            answer = await self._answers.get()
        if answer[:len(head)] != head:
            raise RuntimeError(f"{answer.hex()} instead of {head.hex()}")
        return answer[len(head):]

    async def _may_stop(self, sent: int):
        if self._stops is not None and sent >= self._stops:
            self._stops = None
            await self._link.disconnect()
            raise Stopped

    # Secure DFU

    async def _secure(self):
        control, self._packet = self._find(_SECURE.format(1)), self._find(_SECURE.format(2))
        await self._listen(control)

        async def ask(request: bytes) -> bytes:
            await control.write_value(request, with_response=True)
            return await self._answer(bytes([0x60, request[0], 1]))

        await ask(b"\x02\x00\x00")
        size, offset, checksum = struct.unpack("<III", await ask(b"\x06\x01"))
        if (offset, checksum) != (len(self._init), zlib.crc32(self._init)):
            await self._object(ask, 1, self._init, self._init)
        else:
            report("init-known")
            await ask(b"\x04")
        size, offset, checksum = struct.unpack("<III", await ask(b"\x06\x02"))
        report("resumed", offset=offset, right=checksum == zlib.crc32(self._image[:offset]))
        begin = offset // size * size
        # A whole object may not have been executed yet.
        if offset and offset == begin and offset < len(self._image):
            await control.write_value(b"\x04", with_response=True)
            async with asyncio.timeout(20):
                await self._answers.get()
        for start in range(begin, len(self._image), size):
            await self._object(ask, 2, self._image[start:start + size], self._image[:start + size])
            await self._may_stop(start + size)

    async def _object(self, ask, kind: int, content: bytes, whole: bytes):
        early = kind == 2 and self._settings["errs"] == "execute-early"
        for pace in (_PACE, 3 * _PACE):
            await ask(struct.pack("<BBI", 1, kind, len(content)))
            # A page is being erased.
            await asyncio.sleep(0.1 if kind == 2 else 0)
            for start in range(0, len(content) // 2 if early else len(content), self._payload):
                await self._packet.write_value(content[start:start + self._payload], with_response=False)
                await asyncio.sleep(pace)
            if early:
                break
            told = await ask(b"\x03")
            if told == struct.pack("<II", len(whole), zlib.crc32(whole)):
                break
            report("again", told=told.hex())
            await asyncio.sleep(0.5)
        await ask(b"\x04")

    # Legacy DFU

    async def _legacy(self):
        control, packet = self._find(_LEGACY.format(0x1531)), self._find(_LEGACY.format(0x1532))
        await self._listen(control)

        async def ask(request: bytes):
            await control.write_value(request, with_response=True)

        async def send(content: bytes):
            await packet.write_value(content, with_response=False)

        await ask(b"\x01\x04")
        await send(struct.pack("<III", 0, 0, len(self._image)))
        await self._answer(b"\x10\x01\x01")
        await ask(b"\x02\x00")
        for start in range(0, len(self._init), 20):
            await send(self._init[start:start + 20])
        await ask(b"\x02\x01")
        await self._answer(b"\x10\x02\x01")
        await ask(b"\x08\x04\x00")
        await ask(b"\x03")
        for number, start in enumerate(range(0, len(self._image), 20), 1):
            await send(self._image[start:start + 20])
            if number % 4 == 0 and start + 20 < len(self._image):
                await self._answer(b"\x11")
        await self._answer(b"\x10\x03\x01")
        await ask(b"\x04")
        await self._answer(b"\x10\x04\x01")
        await control.write_value(b"\x05", with_response=True)

    # SUOTA

    async def _begin_suota(self):
        self._memory = self._find(_MEMORY)
        await self._listen(self._find(_STATUS))
        await self._memory.write_value(struct.pack("<I", 0x13000000), with_response=True)
        await self._answer(b"\x10")

    async def _end_suota(self):
        await self._memory.write_value(struct.pack("<I", 0xFE000000), with_response=True)
        await self._answer(b"\x02")
        await self._memory.write_value(struct.pack("<I", 0xFD000000), with_response=True)

    async def _suota(self):
        await self._begin_suota()
        await self._find(_PINS).write_value(bytes([0, 3, 6, 5]), with_response=True)
        length, data = self._find(_LENGTH), self._find(_DATA)
        parity = 0
        for byte in self._image:
            parity ^= byte
        content, block, told = self._image + bytes([parity]), 240, 0
        for start in range(0, len(content), block):
            part = content[start:start + block]
            if len(part) != told:
                told = len(part)
                await length.write_value(struct.pack("<H", told), with_response=True)
            for place in range(0, len(part), 20):
                await data.write_value(part[place:place + 20], with_response=False)
            await self._answer(b"\x02")
            await self._may_stop(start + block)
        await self._end_suota()

    async def _channel(self):
        await self._begin_suota()
        psm = struct.unpack("<H", await self._find(_PSM).read_value())[0]
        channel = await self._link.create_l2cap_channel(LeCreditBasedChannelSpec(psm=psm, mtu=512, mps=247))
        report("channel", psm=psm, mtu=channel.peer_mtu)
        size = channel.peer_mtu - 2
        for start in range(0, len(self._image), size):
            channel.write(self._image[start:start + size])
            await channel.drain()
        info = self._find(_INFO)
        async with asyncio.timeout(30):
            while struct.unpack("<I", await info.read_value())[0] < len(self._image):
                await asyncio.sleep(0.1)
        await self._end_suota()


async def main():
    try:
        await Central(json.loads(sys.argv[1])).live()
    except Exception as error:
        report("failed", why=f"{type(error).__name__}: {error}")
    await asyncio.Event().wait()  # the parent process ends it


asyncio.run(main())
