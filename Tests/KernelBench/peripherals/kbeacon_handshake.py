"""The handshake by which a KBeacon and its client prove to each other that they know the password. (kbeacon.md, 4)

The client is the first to learn that its password is wrong, and sends nothing more then: a wrong digest of the client's is a
violation. Nonces and digests are not reported.
"""

import hashlib
import os
import time

_MARK = bytes.fromhex("A9B1")
_LONG, _FOLDED = (0x01, 0x02), (0x0B, 0x0C)  # the device's answer, the client's
_REFUSED = 0xF1
_A_DAY = 86400


class Handshake:
    """`fault` is silent or refused: it does not answer, or rejects the right digest."""

    def __init__(self, report, password: str, form: str | None, says_mtu: int | None, fault: str | None):
        self._report, self._password = report, password
        self._form, self._says_mtu, self._fault = form, says_mtu, fault
        self._failed = False  # a client left after the digest
        self.lost_link()

    def lost_link(self):
        if getattr(self, "_drawn", None):
            self._failed = True
            self._report("walked-away")
        self._drawn = self._codes = None
        self.is_done = False

    def _digest(self, mac: bytes, drawn: bytes) -> bytes:
        return hashlib.md5(mac[::-1] + _MARK + drawn + self._password.encode(), usedforsecurity=False).digest()

    def answer(self, frame: bytes, mac: bytes, capacity: int) -> bytes | None:
        """The answer to a frame of type 1; `capacity` is that of a notification, `mac` in display order."""
        code = frame[1] if len(frame) > 1 else None
        if frame[0] != 0x13:
            self._report("violation", what="first byte of a handshake", byte=frame[0])
        if code == 0x01 and len(frame) in (6, 10):
            return self._begin(frame[2:6], frame[6:], mac, capacity)
        if self._codes and code in (_LONG[1], _FOLDED[1]):
            return self._end(frame, mac)
        self._report("violation", what="handshake", code=code, bytes=len(frame), begun=self._codes is not None)
        return None

    def _begin(self, drawn: bytes, clock: bytes, mac: bytes, capacity: int) -> bytes | None:
        if self._drawn or self._failed:
            self._report("violation", what="another handshake after a digest that did not fit")
        if self.is_done:
            self._report("violation", what="another handshake in a session")
        if clock and abs(int.from_bytes(clock, "big") - time.time()) > _A_DAY:
            self._report("violation", what="clock that is wrong by a day", clock=clock.hex())
        self._report("handshake", clock=bool(clock))
        if self._fault == "silent":
            return None
        self._drawn, self.is_done = os.urandom(4), False
        digest = self._digest(mac, drawn)
        form = self._form or ("long" if 6 + len(digest) <= capacity else "folded")
        self._codes = _LONG if form == "long" else _FOLDED
        return bytes([0x13, self._codes[0]]) + self._drawn + _folded(digest, form)

    def _end(self, frame: bytes, mac: bytes) -> bytes:
        form = "long" if self._codes is _LONG else "folded"
        fits = frame[2:] == _folded(self._digest(mac, self._drawn), form)
        if frame[1] != self._codes[1]:
            self._report("violation", what="digest of the other form", code=frame[1])
        elif not fits:
            self._report("violation", what="digest of another password")
        fits = fits and frame[1] == self._codes[1] and self._fault != "refused"
        self._drawn = self._codes = None
        self.is_done = fits
        self._report("session", opened=fits, form=form)
        if not fits:
            return bytes([0x13, _REFUSED])
        return bytes([0x13, 0x02]) + (bytes([self._says_mtu]) if self._says_mtu else b"")


def _folded(digest: bytes, form: str) -> bytes:
    if form == "long":
        return digest
    return bytes(one ^ other for one, other in zip(digest[:8], digest[8:]))
