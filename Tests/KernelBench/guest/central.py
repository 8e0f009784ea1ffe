"""A Nordic DFU client on Bumble, for comparison: the same writes as the program's, from Python.

    central.py ADDRESS DAT BIN     the adapter has to be off; it is taken over as a whole (HCI user channel)

Prints the CPU time (user and system) of the transfer alone, and of everything.
"""

import asyncio
import json
import os
import struct
import sys
import time
import zlib

from bumble.core import UUID
from bumble.device import Device, Peer
from bumble.hci import Address, HCI_Reset_Command  # noqa: F401
from bumble.transport import open_transport

_DFU = "8EC9{:04X}-F315-4F60-9FB8-838830DAEA50"
_PAGE = 4096


def cpu() -> float:
    times = os.times()
    return times.user + times.system


class Client:
    def __init__(self, control, packet, payload: int):
        self._control, self._packet, self._payload = control, packet, payload
        self._answers: asyncio.Queue[bytes] = asyncio.Queue()

    async def start(self):
        await self._control.subscribe(lambda value: self._answers.put_nowait(bytes(value)))

    async def ask(self, request: bytes) -> bytes:
        await self._control.write_value(request, with_response=True)
        answer = await asyncio.wait_for(self._answers.get(), 20)
        assert answer[:3] == bytes([0x60, request[0], 1]), answer.hex()
        return answer[3:]

    async def bring(self, kind: int, content: bytes, whole: bytes):
        await self.ask(struct.pack("<BBI", 1, kind, len(content)))
        for start in range(0, len(content), self._payload):
            await self._packet.write_value(content[start:start + self._payload], with_response=False)
        assert await self.ask(b"\x03") == struct.pack("<II", len(whole), zlib.crc32(whole))
        await self.ask(b"\x04")


async def main(address: str, packet: bytes, image: bytes):
    async with await open_transport("hci-socket:0") as transport:
        device = Device.with_hci("central", Address("F0:F1:F2:F3:F4:F5"), transport.source, transport.sink)
        await device.power_on()
        link = await device.connect(Address(address, Address.RANDOM_DEVICE_ADDRESS))
        peer = Peer(link)
        mtu = await peer.request_mtu(517)
        await peer.discover_services()
        await peer.discover_characteristics()
        control, data = (peer.get_characteristics_by_uuid(UUID(_DFU.format(number)))[0] for number in (1, 2))
        client = Client(control, data, (mtu - 3) // 4 * 4)
        await client.start()
        begun, spent = time.monotonic(), cpu()
        await client.ask(b"\x02\x00\x00")
        await client.ask(b"\x06\x01")
        await client.bring(1, packet, packet)
        await client.ask(b"\x06\x02")
        for start in range(0, len(image), _PAGE):
            await client.bring(2, image[start:start + _PAGE], image[:start + _PAGE])
        print(json.dumps({"event": "sent", "bytes": len(image), "seconds": round(time.monotonic() - begun, 2),
                          "transfer_cpu": round(cpu() - spent, 3), "whole_cpu": round(cpu(), 3)}), flush=True)


asyncio.run(main(sys.argv[1], open(sys.argv[2], "rb").read(), open(sys.argv[3], "rb").read()))
