"""The two slots of an image, and what MCUboot makes of them at a restart. (docs/protocols/mcuboot-smp.md)"""

import hashlib
import pathlib
import sys

from flash import Flash

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
from host.mcuboot_images import MAGIC, image_hash, image_version  # noqa: E402

PAGE, SIZE = 4096, 256 * 1024
# Results of group 1, as version 2 of the protocol numbers them, and what version 1 answers instead.
NO_FREE_SLOT, HASH_NOT_FOUND, NO_LENGTH, NO_OFFSET = 9, 8, 21, 20
SHORT_HEADER, WRONG_MAGIC, WRONG_HASH, ALREADY_PENDING, TOO_LARGE, TOO_MUCH, IS_ACTIVE = 22, 23, 24, 28, 30, 31, 33
VERSION_1 = {NO_FREE_SLOT: 6, NO_LENGTH: 3, NO_OFFSET: 3, SHORT_HEADER: 3, WRONG_HASH: 3, ALREADY_PENDING: 6}


class Refused(Exception):
    def __init__(self, result: int):
        self.result = result


class Slots:
    """`content` is that of both; the first one runs. `new` is the fate of another one:

        runs       it answers
        crashes    it restarts before it answers, and so the old one comes back
        refused    the bootloader finds it invalid, and erases it
    """

    def __init__(self, content: list[bytes], new: str, aligned: bool, flash: Flash, report):
        self._content = content
        self._new, self._aligned, self._flash, self._report = new, aligned, flash, report
        self._pending: str | None = None  # test | permanent
        self._in_test = False
        self._upload: dict | None = None

    @property
    def version(self) -> str:
        return image_version(self._content[0])

    @property
    def received(self) -> int:
        """Bytes of the upload that goes on."""
        return len(self._upload["got"]) if self._upload else 0

    def state(self) -> list[dict]:
        entries = []
        for slot, content in enumerate(self._content):
            if not content:
                continue
            active = slot == 0
            entries.append({
                "slot": slot, "version": image_version(content), "hash": image_hash(content) or bytes(32), "bootable": True,
                "pending": not active and bool(self._pending), "confirmed": active != self._in_test, "active": active,
                "permanent": not active and self._pending == "permanent"})
        return entries

    # Requests

    def write_state(self, digest: bytes | None, confirms: bool):
        if digest is None and not confirms:
            raise Refused(WRONG_HASH)
        hashes = [image_hash(content) if content else None for content in self._content]
        if digest is not None and digest not in hashes:
            raise Refused(HASH_NOT_FOUND)
        slot = 0 if digest is None else hashes.index(digest)
        if slot == 0 and not confirms:
            raise Refused(IS_ACTIVE)
        if slot == 0:
            if self._in_test:
                self._report("confirmed", version=self.version)
            self._in_test = False
            return
        if self._in_test or self._pending == "permanent":
            raise Refused(ALREADY_PENDING)
        self._pending = "permanent" if confirms else "test"
        self._report("pending", kind=self._pending, version=image_version(self._content[1]))

    def upload(self, request: dict) -> int:
        """The offset that is wanted next. Flash takes its time."""
        match request:
            case {"off": int(offset), "data": bytes(data)}:
                pass
            case _:
                raise Refused(NO_OFFSET)
        if offset == 0 and (resumed := self._begin(request, data)) is not None:
            return resumed
        upload = self._upload
        if upload is None:
            return 0
        if offset != len(upload["got"]):
            self._report("misplaced", offset=offset, wanted=len(upload["got"]))
            return len(upload["got"])
        if offset + len(data) > upload["length"]:
            raise Refused(TOO_MUCH)
        if self._aligned and len(data) % 4 and offset + len(data) < upload["length"]:
            self._report("client-error", what="a piece that is not a multiple of 4 bytes", bytes=len(data))
        self._flash.write(len(data), queued=False)
        upload["got"] += data
        if len(upload["got"]) == upload["length"]:
            return self._end()
        return len(upload["got"])

    def _begin(self, request: dict, data: bytes) -> int | None:
        """The offset of an upload that goes on; nothing for a new one."""
        digest, running = request.get("sha"), self._upload
        if digest and running and running["sha"] == digest:
            self._report("resumed", offset=len(running["got"]))
            return len(running["got"])
        if len(data) < 32:
            raise Refused(SHORT_HEADER)
        if not isinstance(length := request.get("len"), int):
            raise Refused(NO_LENGTH)
        if int.from_bytes(data[:4], "little") != MAGIC:
            raise Refused(WRONG_MAGIC)
        if self._pending or self._in_test:
            raise Refused(NO_FREE_SLOT)
        if length > SIZE - PAGE:
            raise Refused(TOO_LARGE)
        if self._content[1] or running:
            self._flash.erase(-(-length // PAGE), queued=False)
        self._content[1] = b""
        self._upload = {"sha": digest, "length": length, "got": bytearray()}
        self._report("receive", bytes=length)
        return None

    def _end(self) -> int:
        upload, self._upload = self._upload, None
        content = bytes(upload["got"])
        right = upload["sha"] in (None, hashlib.sha256(content).digest())
        self._content[1] = content
        self._report("image", bytes=len(content), hash_ok=right and image_hash(content) is not None,
                     version=image_version(content))
        return len(content)

    def erase(self):
        if self._pending or self._in_test:
            raise Refused(NO_FREE_SLOT)
        self._upload = None
        if self._content[1]:
            self._flash.erase(SIZE // PAGE, queued=False)
        self._content[1] = b""

    # Restart

    def restart(self) -> str:
        """nothing | swap | revert | crash | refused"""
        self._upload = None
        did = "nothing"
        if self._pending and (self._new == "refused" or image_hash(self._content[1]) is None):
            self._content[1], did = b"", "refused"
        elif self._pending and self._new == "crashes" and self._pending == "test":
            did = "crash"  # there and back
        elif self._pending or self._in_test:
            self._content.reverse()
            did = "swap" if self._pending else "revert"
            self._in_test = self._pending == "test"
        self._pending = None
        return did
