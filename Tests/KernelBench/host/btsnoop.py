"""Records HCI packets in the file format that Wireshark and btmon read."""

import pathlib
import struct
import time

# The format counts microseconds from the year 0.
_EPOCH = 0x00DCDDB30F2F8000


class H4Splitter:
    """Cuts a byte stream into H4 packets."""

    # packet type: (bytes before the length, size of the length)
    _SHAPES = {1: (3, 1), 2: (3, 2), 3: (3, 1), 4: (2, 1), 5: (3, 2)}

    def __init__(self):
        self._held = b""

    def packets(self, data: bytes):
        self._held += data
        while self._held:
            before, size = self._SHAPES[self._held[0]]
            if len(self._held) < before + size:
                return
            length = int.from_bytes(self._held[before:before + size], "little") & 0x3FFF
            end = before + size + length
            if len(self._held) < end:
                return
            packet, self._held = self._held[:end], self._held[end:]
            yield packet


class Snoop:
    def __init__(self, path: pathlib.Path):
        self._file = open(path, "wb", buffering=0)  # a beacon is ended with SIGKILL
        self._file.write(b"btsnoop\0" + struct.pack(">II", 1, 1002))  # version 1, H4
        self._to_controller, self._to_host = H4Splitter(), H4Splitter()

    def sent(self, data: bytes):
        self._record(self._to_controller.packets(data), 0)

    def received(self, data: bytes):
        self._record(self._to_host.packets(data), 1)

    def _record(self, packets, direction: int):
        for packet in packets:
            flags = direction | (2 if packet[0] in (1, 4) else 0)
            when = int(time.time() * 1_000_000) + _EPOCH
            self._file.write(struct.pack(">IIIIQ", len(packet), len(packet), flags, 0, when) + packet)

    def close(self):
        self._file.close()
