"""A Nordic DFU client on bleak, for comparison: the same writes as `central.py`, through BlueZ's daemon.

    bleak_central.py ADDRESS DAT BIN PAYLOAD     dbus-daemon and bluetoothd are running

PAYLOAD is the number of bytes in a packet; the update begins when BlueZ has agreed on an MTU for that.

Prints the CPU time (user and system) of the transfer alone, and of everything since this program's start, for each
of the three processes that do the work.
"""

import asyncio
import json
import os
import pathlib
import struct
import sys
import time
import zlib

import dbus_fast.message
from bleak import BleakClient, BleakScanner

_DFU = "8ec9{:04x}-f315-4f60-9fb8-838830daea50"
_CONTROL, _PACKET = _DFU.format(1), _DFU.format(2)
_PAGE = 4096
_TICKS = os.sysconf("SC_CLK_TCK")


def process(name: str) -> pathlib.Path:
    return next(path for path in pathlib.Path("/proc").glob("[0-9]*")
                if (path / "comm").read_text().strip() == name)


_PROCESSES = {"python": pathlib.Path("/proc/self"), "bluetoothd": process("bluetoothd"),
              "dbus-daemon": process("dbus-daemon")}


def cpu() -> dict[str, tuple[float, float]]:
    """User and system time of each process, and of its children that have ended."""
    spent = {}
    for name, path in _PROCESSES.items():
        # Fields 14 to 17 of proc(5); the name, in parentheses, may contain spaces.
        times = (path / "stat").read_text().rpartition(")")[2].split()[11:15]
        user, system, child_user, child_system = (int(time) / _TICKS for time in times)
        spent[name] = (user + child_user, system + child_system)
    return spent


def since(before: dict[str, tuple[float, float]]) -> dict:
    spent = {name: {"user": round(user - before[name][0], 2), "system": round(system - before[name][1], 2)}
             for name, (user, system) in cpu().items()}
    return {**spent, "sum": round(sum(one["user"] + one["system"] for one in spent.values()), 2)}


# Only this program's own start counts, not earlier work of the daemons.
_AT_START = {**cpu(), "python": (0, 0)}


class Client:
    def __init__(self, link: BleakClient, payload: int):
        self._link, self._payload = link, payload
        self._packet = link.services.get_characteristic(_PACKET)
        self._control = link.services.get_characteristic(_CONTROL)
        self._answers: asyncio.Queue[bytes] = asyncio.Queue()

    async def start(self):
        await self._link.start_notify(self._control, lambda _, value: self._answers.put_nowait(bytes(value)))
        async with asyncio.timeout(10):
            while self.largest_packet() < self._payload:  # until BlueZ has agreed on an MTU
                await asyncio.sleep(0.1)

    def largest_packet(self) -> int:
        return self._packet.max_write_without_response_size

    async def ask(self, request: bytes) -> bytes:
        await self._link.write_gatt_char(self._control, request, response=True)
        answer = await asyncio.wait_for(self._answers.get(), 20)
        assert answer[:3] == bytes([0x60, request[0], 1]), answer.hex()
        return answer[3:]

    async def bring(self, kind: int, content: bytes, whole: bytes):
        await self.ask(struct.pack("<BBI", 1, kind, len(content)))
        for start in range(0, len(content), self._payload):
            await self._link.write_gatt_char(self._packet, content[start:start + self._payload], response=False)
        assert await self.ask(b"\x03") == struct.pack("<II", len(whole), zlib.crc32(whole))
        await self.ask(b"\x04")


async def main(address: str, packet: bytes, image: bytes, payload: int):
    device = await BleakScanner.find_device_by_address(address, timeout=20)
    async with BleakClient(device) as link:
        client = Client(link, payload)
        await client.start()
        begun, before = time.monotonic(), cpu()
        await client.ask(b"\x02\x00\x00")
        await client.ask(b"\x06\x01")
        await client.bring(1, packet, packet)
        await client.ask(b"\x06\x02")
        for start in range(0, len(image), _PAGE):
            await client.bring(2, image[start:start + _PAGE], image[:start + _PAGE])
        print(json.dumps({"event": "sent", "bytes": len(image), "seconds": round(time.monotonic() - begun, 2),
                          "payload": client.largest_packet(), "compiled": dbus_fast.message.__file__.endswith(".so"),
                          "transfer_cpu": since(before), "whole_cpu": since(_AT_START)}), flush=True)


asyncio.run(main(sys.argv[1], open(sys.argv[2], "rb").read(), open(sys.argv[3], "rb").read(), int(sys.argv[4])))
