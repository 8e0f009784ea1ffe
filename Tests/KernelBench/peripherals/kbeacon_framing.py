"""The framing of commands to a KBeacon and of its answers: in pieces that are acknowledged one by one. (KKM's SDKs: what
`KBeacon.java` of each generation takes.)

    byte 0        type << 4 | tag; then the offset of this piece, u16, and its data
    an ack        type << 4 | 3, next offset, window, cause: each u16; of the device there may be data behind it

JSON, and everything of the first generation, ends with its last piece, or with cause 0; cause 6, which may follow, says
nothing. A binary answer of the second generation has frames, each of which ends with a last piece; cause 7 announces another one,
and cause 6 or 0 ends the answer.

It judges its client: what no SDK sends is a violation.
"""

import struct

_COMMANDS, _ACKS = (0, 2), (3, 5)
_BINARY, _JSON_REPORT, _BINARY_REPORT, _LOG = 0, 3, 5, b"\x53\x00\x00\x10"
_START, _MIDDLE, _END, _SINGLE = range(4)
_CLIENTS_WINDOW, _LEAST_MTU = 1000, 23
_DONE, _WRONG_SEQUENCE, _NEXT_PIECE, _EXECUTING, _COMPLETE, _MORE_TO_COME = 0, 1, 4, 5, 6, 7
# The time that a unit takes to acknowledge a piece, and to have its answer.
_A_MOMENT = 0.02


class Framing:
    """`send(frame)` notifies, `later(seconds, do)` does so unless the link has ended, `perform(kind, command)` returns a
    cause and the answer, of a binary one its frames, or None if nothing is sent. `shapes` are those of answers in JSON and in
    binary: inline, report or split; a `chatty` unit sends log text and "more to come" before an answer; one that `misplaces`
    sends a piece with a wrong offset, once. A binary answer of the second generation ends with the cause `end`, `after` seconds
    after its last piece."""

    def __init__(self, report, send, later, perform, generation: int, shapes: tuple[str, str], chatty: bool, misplaces: bool,
                 end: int, after: float):
        self._report, self._send, self._later, self._perform = report, send, later, perform
        self._ends_by_word = generation == 2
        self._shapes, self._chatty, self._misplaces, self._end, self._after = shapes, chatty, misplaces, end, after
        self._command: bytearray | None = None
        self._owes_ack = self._executes = False
        self._kind = _BINARY     # of the command being answered
        self._answer = b""
        self._frames: list[bytes] = []  # after the answer's first
        self._sent = 0           # bytes of the answer that have been sent
        self._waits_for_ack = self._is_misplaced = False
        self._not_acked = 0      # of a complete answer

    def ended(self):
        """The link has ended, or another command comes."""
        if self._not_acked:
            self._report("violation", what="last piece of an answer not acknowledged", bytes=self._not_acked)
            self._not_acked = 0

    def received(self, frame: bytes, capacity: int, says_mtu: int | None):
        """`capacity` of a write or a notification; a unit that reported no MTU uses the smallest."""
        kind, tag = frame[0] >> 4, frame[0] & 0x0F
        self._capacity, self._takes = capacity, min(capacity, (says_mtu or _LEAST_MTU) - 3)
        if kind in _ACKS:
            self._acked(kind, tag, frame)
        elif kind in _COMMANDS and tag <= _SINGLE and len(frame) > 3:
            self._piece(kind, tag, int.from_bytes(frame[1:3], "big"), frame[3:])
        else:
            self._violation("frame", first=frame[0], bytes=len(frame))

    def _violation(self, what: str, **members):
        self._report("violation", what=what, **members)

    # Commands

    def _piece(self, kind: int, tag: int, offset: int, data: bytes):
        self.ended()
        if self._owes_ack:
            self._violation("piece before the ack of the last", offset=offset)
        if self._executes:
            self._violation("command before the answer to another")
        if len(data) + 3 > self._takes:
            self._violation("piece longer than it may be", bytes=len(data), limit=self._takes - 3)
        if tag in (_START, _SINGLE):
            if self._command:
                self._violation("command inside another")
            self._command = bytearray()
        if self._command is None or offset != len(self._command):
            held = len(self._command or b"")
            self._violation("offset of a piece", offset=offset, held=held)
            self._send(_ack(kind, held, _NEXT_PIECE))
            return
        self._command += data
        if tag in (_END, _SINGLE):
            command, self._command = bytes(self._command), None
            if tag == _END and len(command) + 3 <= self._takes:
                self._violation("pieces of what fits into one", bytes=len(command))
            self._executes = True
            self._later(_A_MOMENT, lambda: self._execute(kind, command))
        else:
            self._owes_ack = True
            self._later(_A_MOMENT, lambda: self._ask_on(kind))

    def _ask_on(self, kind: int):
        self._owes_ack = False
        self._send(_ack(kind, len(self._command or b""), _NEXT_PIECE))

    def _execute(self, kind: int, command: bytes):
        said = self._perform(kind, command)
        if said is None:  # ready for the next one
            self._executes = False
            return
        cause, answer = said
        if self._chatty:
            self._send(_LOG + b"log: command")
            self._send(_ack(kind, len(command), _MORE_TO_COME))
        if not answer:
            self._executes = False
            self._send(_ack(kind, 0, cause))
            return
        frames = answer if kind == _BINARY else [answer]
        self._kind, self._answer, self._frames, self._sent = kind, frames[0], frames[1:], 0
        shape, room = self._shapes[kind == _BINARY], self._capacity - 7
        fits = len(self._answer) <= room and not self._frames
        if shape == "inline" and fits:
            self._executes = False
            self._send(_ack(kind, len(self._answer), _DONE) + self._answer)
        elif shape == "report":
            self._send(_ack(kind, len(command), _EXECUTING))
            self._send_piece()
        elif fits and kind == _BINARY:
            # The whole answer follows the ack; a later ack only marks its end.
            self._sent = self._not_acked = len(self._answer)
            self._send(_ack(kind, len(command), _EXECUTING) + self._answer)
            self._end_later(self._end if self._ends_by_word else _DONE, is_end=True)
        else:
            self._sent = min(room, len(self._answer) // 2)
            self._waits_for_ack = True
            self._send(_ack(kind, len(command), _EXECUTING) + self._answer[:self._sent])

    # Answers

    def _end_later(self, cause: int, is_end: bool):
        """If it `is_end`, this ends the answer; otherwise it has no meaning, and may come during the next request."""
        kind, count = self._kind, len(self._answer)

        def send():
            if is_end:
                self._executes = False
            self._send(_ack(kind, count, cause))

        self._later(self._after, send)

    @property
    def _has_frames(self) -> bool:
        return self._ends_by_word and self._kind == _BINARY

    def _send_piece(self):
        if self._sent == len(self._answer) and self._frames:
            self._answer, self._sent = self._frames.pop(0), 0
            self._send(_ack(self._kind, 0, _MORE_TO_COME))
        begin, end = self._sent, min(self._sent + self._capacity - 3, len(self._answer))
        is_last = end == len(self._answer)
        tag = (_SINGLE if begin == 0 else _END) if is_last else (_START if begin == 0 else _MIDDLE)
        self._is_misplaced = self._misplaces and begin > 0
        if self._is_misplaced:
            self._misplaces = False
        else:
            self._sent = end
        # The ack of the very last piece is not awaited.
        self._waits_for_ack = self._is_misplaced or not is_last or bool(self._frames)
        self._executes = self._waits_for_ack or self._has_frames
        self._not_acked = 0 if self._waits_for_ack else end
        offset = struct.pack(">H", begin + self._is_misplaced)
        report = _BINARY_REPORT if self._kind == _BINARY else _JSON_REPORT
        self._send(bytes([report << 4 | tag]) + offset + self._answer[begin:end])
        if not self._waits_for_ack:
            self._end_later(self._end if self._has_frames else _COMPLETE, is_end=self._has_frames)

    def _acked(self, kind: int, tag: int, frame: bytes):
        if tag != _SINGLE or len(frame) != 7:
            self._violation("form of an ack", frame=frame.hex())
            return
        count, window, cause = struct.unpack(">HHH", frame[1:])
        if kind != (_BINARY_REPORT if self._kind == _BINARY else _JSON_REPORT):
            self._violation("ack of another kind of report", frame=frame.hex())
        if window != _CLIENTS_WINDOW:
            self._violation("window of an ack", window=window)
        if not self._waits_for_ack and not self._not_acked:
            self._violation("ack of nothing", frame=frame.hex())
            return
        if (cause, count) != (_WRONG_SEQUENCE if self._is_misplaced else _DONE, self._sent):
            self._violation("ack", cause=cause, count=count, sent=self._sent, misplaced=self._is_misplaced)
        self._not_acked = 0
        if self._waits_for_ack:
            self._later(0, self._send_piece)


def _ack(kind: int, offset: int, cause: int) -> bytes:
    """Windows of 0, 1 and 4 have been seen, without effect."""
    return bytes([kind << 4 | 3]) + struct.pack(">HHH", offset, (0, 1, 4)[offset % 3], cause)
