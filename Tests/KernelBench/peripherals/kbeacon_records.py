"""The records of a KBeacon's sensors, and its answers to binary queries for them. Written from KKM's SDKs
(`android_kbeaconlib2`: KBRecordDataHandler, KBRecord*; `android_kbeaconlib`: KBSensorDataMsgBase, KBHumidityDataMsg).

    01 kind                                       the summary
    02 kind position[4] count[2] order            records; of the second generation with a connection interval after it
    03 kind                                       clears them: forbidden
"""

import struct

KINDS = {"humidity": 0x02, "alarm": 0x08, "pir": 0x10, "light": 0x20, "voc": 0x40, "co2": 0x41}
FIRST_TIME, PERIOD = 1_700_000_000, 60
_SUMMARY, _RECORDS, _CLEAR = 1, 2, 3
_OLDEST_FIRST, _NEWEST_FIRST, _UNREAD = 0, 1, 2
_NOWHERE = 0xFFFFFFFF
_NO_SENSOR, _INVALID = 0x0118, 0x0103
# The second generation's application requests an interval of 30 ms while records are sent.
_INTERVAL = 24


def values(kind: str, number: int) -> tuple:
    """The values of record `number`; temperature and humidity in 256ths."""
    celsius, percent = (-3 if number % 7 == 6 else 20) * 256 + number, (40 + number % 20) * 256 + 128
    return {"humidity": (celsius, percent), "alarm": (number % 2,), "pir": (number % 2,),
            "light": (number % 2, 65_535 - 100 * number), "voc": (100 + number, 1 + number % 5),
            "co2": (400 + 10 * number, celsius, percent)}[kind]


def _encoded(kind: str, number: int) -> bytes:
    form = {"humidity": ">hh", "alarm": ">B", "pir": ">B", "light": ">BxH", "voc": ">HH", "co2": ">Hhh"}[kind]
    return struct.pack(">I", FIRST_TIME + PERIOD * number) + struct.pack(form, *values(kind, number))


class Records:
    """`kept` is the number of each kind. A frame has at most `in_frame` of them, and an answer `at_once`."""

    def __init__(self, report, generation: int, kept: dict, in_frame: int, at_once: int):
        self._report, self._generation, self._kept = report, generation, kept
        self._in_frame, self._at_once = in_frame, at_once
        self._unread = dict(kept)

    def perform(self, command: bytes) -> tuple[int, list[bytes]]:
        """A cause, and the frames of the answer."""
        self._report("binary", command=command.hex())
        name = next((name for name, number in KINDS.items() if command[1:2] == bytes([number])), None)
        if name not in self._kept:
            return _NO_SENSOR, []
        if command[0] == _SUMMARY and len(command) == 2:
            form = ">BBHHI" if self._generation == 1 else ">BBIII"
            return 0, [struct.pack(form, 1, KINDS[name], self._kept[name], self._unread[name], FIRST_TIME + 100_000)]
        if command[0] == _RECORDS and len(command) == (9 if self._generation == 1 else 10):
            return self._records(name, *struct.unpack(">IHB", command[2:9]), command[9:])
        self._report("violation", what="binary question", command=command.hex())
        return _INVALID, []

    def _records(self, name: str, position: int, count: int, order: int, interval: bytes) -> tuple[int, list[bytes]]:
        if interval not in (b"", bytes([_INTERVAL])):
            self._report("violation", what="interval while records are sent", interval=interval.hex())
        if order not in (_OLDEST_FIRST, _NEWEST_FIRST):
            self._report("violation", what="records marked as read" if order == _UNREAD else "order of records")
            return _INVALID, []
        kept, step = self._kept[name], 1 if order == _OLDEST_FIRST else -1
        if position == _NOWHERE and order == _OLDEST_FIRST:
            self._report("violation", what="records from nowhere on")
        start = position if position < kept else kept - 1 if step < 0 else kept
        numbers = list(range(start, kept if step > 0 else -1, step))[:min(count, self._at_once)]
        frames = []
        for begin in range(0, max(1, len(numbers)), self._in_frame):
            part = numbers[begin:begin + self._in_frame]
            following = part[-1] + step if part else -1
            body = bytes([KINDS[name]]) + struct.pack(">I", following if 0 <= following < kept else _NOWHERE)
            body += b"".join(_encoded(name, number) for number in part)
            frames.append(struct.pack(">BH", _RECORDS, len(body)) + body)
        return 0, frames
