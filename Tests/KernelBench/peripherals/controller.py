"""Opens a virtual controller for a peripheral and records its packets."""

import asyncio
import pathlib
import socket
import sys

from bumble.transport.common import StreamPacketSink, StreamPacketSource, Transport

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from host.btsnoop import Snoop  # noqa: E402


class _Source(StreamPacketSource):
    """As Bumble's own, with quick acknowledgements; `host/air.py` explains why."""

    def __init__(self, snoop: Snoop):
        super().__init__()
        self._snoop = snoop

    def connection_made(self, transport):
        self._socket = transport.get_extra_info("socket")

    def data_received(self, data: bytes):
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
        self._snoop.received(data)
        super().data_received(data)

    def connection_lost(self, _):
        self.on_transport_lost()


class _Sink(StreamPacketSink):
    def __init__(self, transport, snoop: Snoop):
        super().__init__(transport)
        self._snoop = snoop

    def on_packet(self, packet: bytes):
        self._snoop.sent(packet)
        super().on_packet(packet)


async def open_controller(port: int, snoop_path: pathlib.Path) -> Transport:
    snoop = Snoop(snoop_path)
    stream, source = await asyncio.get_running_loop().create_connection(
        lambda: _Source(snoop), "127.0.0.1", port)
    stream.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return Transport(source, _Sink(stream, snoop))
