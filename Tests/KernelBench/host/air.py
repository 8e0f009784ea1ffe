"""The simulated air (RootCanal), and the relay that connects one of its controllers to the guest.

RootCanal writes every packet in two pieces. With delayed acknowledgements the second waits about 40 ms for
the first to be acknowledged, so the relay requests quick ones after each read.

RootCanal reports support for LE Ping, but exits on its command (Write Authenticated Payload Timeout, which
the kernel sends as soon as a link is encrypted: net/bluetooth/hci_event.c). So the relay removes the feature.
"""

import asyncio
import pathlib
import socket
import time

from host import processes
from host.btsnoop import H4Splitter, Snoop
from host.pieces import Pieces


class Air:
    def __init__(self, pieces: Pieces, out: pathlib.Path):
        self._pieces, self._out = pieces, out
        self.port = 0

    async def start(self):
        self._lock, ports = _own_ports(4)
        self.port = ports[0]
        flags = [f"-{name}={port}" for name, port in zip(
            ["hci_port", "test_port", "link_port", "link_ble_port"], ports)]
        program = self._pieces.rootcanal
        self._log = open(self._out / "rootcanal.log", "wb")
        self._process = await processes.start(
            program, *flags, cwd=self._out, env={"LD_LIBRARY_PATH": str(program.parent)},
            stdin=asyncio.subprocess.DEVNULL, stdout=self._log, stderr=self._log)
        async with asyncio.timeout(30):
            while not _answers(self.port):
                await asyncio.sleep(0.05)

    def has_ended(self) -> bool:
        return self._process.returncode is not None

    async def stop(self):
        await processes.stop(self._process)
        self._log.close()
        self._lock.close()


# Commands (01): LE Create Connection (opcode 200D), LE Extended Create Connection (2043).
CREATE_CONNECTION = (b"\x01\x0D\x20", b"\x01\x43\x20")
_LIMIT_EXCEEDED = 0x09


def _refused(command: bytes, when: str) -> list[bytes]:
    """Command Status (0F), and with success there LE Enhanced Connection Complete (0A) without a link."""
    status = _LIMIT_EXCEEDED if when == "at once" else 0
    events = [bytes([0x04, 0x0F, 4, status, 1]) + command[1:3]]
    if not status:
        events.append(bytes([0x04, 0x3E, 31, 0x0A, _LIMIT_EXCEEDED]) + bytes(29))
    return events


class ScanPauses:
    """The pauses of an adapter's scan, from its stop to its next start; and whether it scans now."""

    def __init__(self):
        self.longest = 0.0
        self.is_on = False
        self._since: float | None = None

    def sent(self, packet: bytes):
        # A command (01): Reset (opcode 0C03), LE Set Scan Enable (200C) or LE Set Extended Scan Enable (2042); length, enable.
        if packet[:3] == b"\x01\x03\x0C":
            self.is_on = False
        if packet[:3] not in (b"\x01\x0C\x20", b"\x01\x42\x20"):
            return
        now = time.monotonic()
        self.is_on = bool(packet[4])
        if not packet[4]:
            self._since = now
        elif self._since is not None:
            self.longest = max(self.longest, now - self._since)
            self._since = None


class Relay:
    """Serves one HCI port of the guest on a Unix socket; each connection gets a controller of its own.

    To the guest it is one adapter, which keeps its address: RootCanal gives a controller the first free one.
    """

    def __init__(self, air: Air, path: pathlib.Path, out: pathlib.Path, name: str = "adapter", address: str | None = None):
        """Without an `address` it has that of its first controller."""
        self._air, self._path, self._out, self._name = air, path, out, name
        self._address = bytes.fromhex(address.replace(":", ""))[::-1] if address else None
        self._guest: asyncio.StreamWriter | None = None
        self._server: asyncio.Server | None = None
        self._count = 0
        self.pauses = ScanPauses()
        # Link requests since it was plugged in.
        self.wishes = 0
        # The controller's answer to a request for another link; None if it makes the link.
        self.refusal: str | None = None

    async def plug(self):
        """The port is closed while the adapter is unplugged: QEMU, which tries every second, would open the guest's port
        for a moment."""
        if self._server:
            return
        self.wishes = 0
        self._path.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._serve, self._path)

    def unplug(self):
        """For the guest, the adapter is removed."""
        if self._server:
            self._server.close()
        self._server = None
        if self._guest:
            self._guest.close()

    def is_plugged(self) -> bool:
        return self._server is not None

    async def _serve(self, from_guest: asyncio.StreamReader, to_guest: asyncio.StreamWriter):
        self._guest = to_guest
        self._count += 1
        snoop = Snoop(self._out / f"{self._name}-{self._count}.btsnoop")
        try:
            from_air, to_air = await asyncio.open_connection("127.0.0.1", self._air.port)
        except OSError:  # RootCanal has ended; the scenario will notice
            to_guest.close()
            return
        quick = to_air.get_extra_info("socket")
        quick.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        async def downwards():
            splitter = H4Splitter()
            while data := await from_guest.read(65536):
                snoop.sent(data)
                for packet in splitter.packets(data):
                    self.pauses.sent(packet)
                    self.wishes += packet[:3] in CREATE_CONNECTION
                    if self.refusal and packet[:3] in CREATE_CONNECTION:
                        for event in _refused(packet, self.refusal):
                            snoop.received(event)
                            to_guest.write(event)
                    else:
                        to_air.write(packet)

        async def upwards():
            splitter = H4Splitter()
            while data := await from_air.read(65536):
                quick.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
                for packet in map(self._as_the_adapter, splitter.packets(data)):
                    snoop.received(packet)
                    to_guest.write(packet)

        ends = [asyncio.ensure_future(downwards()), asyncio.ensure_future(upwards())]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.cancel()
            await asyncio.gather(*ends, return_exceptions=True)
            to_air.close()
            to_guest.close()
            snoop.close()


    def _as_the_adapter(self, packet: bytes) -> bytes:
        # Command Complete (0E) for Read BD_ADDR (opcode 1009), success; then the address.
        if packet[:2] == b"\x04\x0E" and packet[4:7] == b"\x09\x10\x00":
            self._address = self._address or packet[7:13]
            return packet[:7] + self._address + packet[13:]
        return _without_ping(packet)


def _without_ping(packet: bytes) -> bytes:
    # Command Complete (0E) for LE Read Local Supported Features (opcode 2003), success; then features[8].
    if packet[:2] == b"\x04\x0E" and packet[4:7] == b"\x03\x20\x00":
        return packet[:7] + bytes([packet[7] & ~0x10]) + packet[8:]
    return packet


def _own_ports(count: int) -> tuple[socket.socket, list[int]]:
    """Free ports, and the lock that keeps other benches from them. They are below the range from which the kernel gives ports to
    programs that ask for any, so that none of them gets one before RootCanal does."""
    for first in range(20_000, 30_000, count):
        lock = socket.socket(socket.AF_UNIX)
        ports = list(range(first, first + count))
        try:
            lock.bind(f"\0kernel-bench-{first}")
            for port in ports:
                socket.create_server(("127.0.0.1", port)).close()
            return lock, ports
        except OSError:
            lock.close()
    raise OSError("no free ports for RootCanal")


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
