"""Receives XMODEM-1K as Feasycom's beacons do, without any radio. (feasycom-fbeacon.md, 4.3)

    packet    02, number from 1 modulo 256, its complement, 1024 bytes, CRC-16/XMODEM big-endian
    the last  is padded with one 1A, then zeros

A link loses no byte: a damaged packet was sent so, and is a violation.
"""

import binascii

_PACKET, _END, _ACK, _NAK, _CANCEL, _OPENS = 0x02, 0x04, 0x06, 0x15, 0x18, b"S"
_BLOCK = 1024
_FILL = 0x1A
_TRIES = 24
_AGAIN, _CANCELS_AGAIN = 0.8, 0.2  # seconds between opening bytes, and between cancelling ones


class XModemReceiver:
    """`send(bytes)` notifies, `later(seconds, do)` does so unless the link has ended; `ended(received)` gets everything,
    including the padding.

    naks      numbers of packets that it requests again, once each
    mute      numbers of packets whose ACK is lost, likewise
    cancels   the number of the packet at which it gives up
    deaf      the number of EOTs that it does not answer
    """

    def __init__(self, report, send, later, flash, ended, faults: dict):
        self._report, self._send, self._later, self._flash, self._ended = report, send, later, flash, ended
        self._naks, self._mute = list(faults.get("naks", [])), list(faults.get("mute", []))
        self._cancels, self._deaf = faults.get("cancels"), faults.get("deaf", 0)
        self._held = bytearray()
        self._received = bytearray()
        self.taken = 0  # packets
        self._tries = 0
        self._is_open = self._has_begun = self._answers = self._is_over = False
        self._ack_was_lost = False  # of the last packet

    def open(self, is_heard):
        """Sends it until the first packet begins to arrive; `is_heard()` returns whether a client is subscribed."""
        if self._has_begun or self._is_over:
            return
        if is_heard():
            self._is_open = True
            self._send(_OPENS)
        self._later(_AGAIN, lambda: self.open(is_heard))

    def data(self, data: bytes):
        if not self._is_open or self._is_over:
            self._violation("data at the wrong time", bytes=len(data))
            return
        if self._answers:
            self._violation("data before the answer to a packet", bytes=len(data))
        self._has_begun = True
        self._held += data
        while self._held and not self._is_over:
            if self._held[0] == _PACKET:
                if len(self._held) < _BLOCK + 5:
                    return
                packet = bytes(self._held[:_BLOCK + 5])
                del self._held[:_BLOCK + 5]
                self._packet(packet)
            else:
                self._control(self._held.pop(0))

    def _violation(self, what: str, **members):
        self._report("violation", what=what, **members)

    def _control(self, byte: int):
        if byte == _CANCEL:
            self._report("cancelled", by="client")
            self._send(bytes([_ACK]))
            self._is_over = True
        elif byte != _END:
            self._violation("byte between packets", byte=byte)
        elif self._deaf:
            self._deaf -= 1
        else:
            self._is_over = True
            self._later(self._flash.busy(), lambda: (self._send(bytes([_ACK])), self._ended(bytes(self._received))))

    def _packet(self, packet: bytes):
        number, complement, block = packet[1], packet[2], packet[3:-2]
        self._tries += 1
        if self._tries > _TRIES:
            self._violation("packet sent too often", number=number)
        if number ^ complement != 0xFF or binascii.crc_hqx(block, 0) != int.from_bytes(packet[-2:], "big"):
            self._violation("damaged packet", number=number)
            self._answer(_NAK)
            return
        if self.taken and number == self.taken % 256:
            # Its ACK may have come too late for the client, so this is not a violation.
            self._report("duplicate", number=number, ack_was_lost=self._ack_was_lost)
            self._ack_was_lost = False
            self._answer(_ACK)
            return
        expected = self.taken + 1
        if number != expected % 256:
            self._violation("number of a packet", number=number, expected=expected % 256)
            self._answer(_NAK)
        elif expected == self._cancels:
            self._report("cancelled", by="device", number=expected)
            self._is_over = True
            for time in range(3):
                self._later(time * _CANCELS_AGAIN, lambda: self._send(bytes([_CANCEL])))
        elif expected in self._naks:
            self._naks.remove(expected)
            self._answer(_NAK)
        else:
            self.taken, self._tries = expected, 0
            self._received += block
            self._flash.write(len(block))
            self._ack_was_lost = expected in self._mute
            if self._ack_was_lost:
                self._mute.remove(expected)
            else:
                self._answer(_ACK)

    def _answer(self, byte: int):
        self._answers = True

        def say():
            self._answers = False
            self._send(bytes([byte]))

        self._later(self._flash.busy(), say)


def is_filled_up(received: bytes, size: int) -> bool:
    """Whether the bytes after so many are the expected padding."""
    rest = received[size:]
    whole = -size % _BLOCK
    return len(rest) == whole and rest == bytes([_FILL])[:whole] + bytes(max(whole - 1, 0))
