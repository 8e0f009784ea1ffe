"""An update over SMP by smpclient from PyPI: `smp_client.py ADDRESS IMAGE`. Every step is a line of JSON on stdout, the last
one the verdict; a table for people is on stderr.

It speaks through BlueZ's daemon (bleak), or with --bumble through a controller of Bumble's, named as Bumble does:
`tcp-client:127.0.0.1:6402`. Shares no code with the program.

    --keeps old    leaves the image in test: another restart has to bring the old one back
    --swap         seconds that the new image may take until it answers
"""

import argparse
import asyncio
import json
import pathlib
import struct
import sys
import time

from smpclient import SMPClient
from smpclient.generics import error
from smpclient.requests.image_management import ImageStatesRead, ImageStatesWrite
from smpclient.requests.os_management import BootloaderInformationRead, EchoWrite, MCUMgrParametersRead, ResetWrite

_SHA256 = 0x10
_CONNECTING, _QUIET = 15, 2
_ECHOED = "An answer that is longer than one notification at the smallest MTU."
_begun = time.monotonic()


class Failed(Exception):
    pass


def image_hash(content: bytes) -> bytes:
    header, protected, size = struct.unpack_from("<HHI", content, 8)
    at = header + size + protected + 4
    while at < len(content):
        kind, length = struct.unpack_from("<HH", content, at)
        if kind == _SHA256:
            return content[at + 4:at + 4 + length]
        at += 4 + length
    raise SystemExit("smp_client: the image has no SHA-256")


class Update:
    def __init__(self, options: argparse.Namespace):
        self._options = options
        self._image = options.image.read_bytes()
        self._hash = image_hash(self._image)
        self._steps: list[tuple[str, str]] = []

    def _done(self, step: str, **members):
        self._steps.append((step, ", ".join(f"{name} {value}" for name, value in members.items())))
        print(json.dumps({"event": "step", "step": step, "at": round(time.monotonic() - _begun, 1), **members}), flush=True)

    async def run(self) -> bool:
        try:
            await self._update()
        except Exception as failure:
            self._done("failed", why=f"{type(failure).__name__}: {failure}")
        passed = self._steps[-1][0] != "failed"
        for step, said in self._steps:
            print(f"{step:<12} {said}", file=sys.stderr)
        print(json.dumps({"event": "verdict", "passed": passed, "steps": [step for step, _ in self._steps]}), flush=True)
        return passed

    async def _update(self):
        client = await self._connected(_CONNECTING)
        echoed = await self._ask(client, EchoWrite(d=_ECHOED))
        if echoed.r != _ECHOED:
            raise Failed(f"the echo is {echoed.r!r}")
        self._done("echo", characters=len(_ECHOED))
        await self._optional(client, "parameters", MCUMgrParametersRead(), "buf_size", "buf_count")
        await self._optional(client, "bootloader", BootloaderInformationRead(), "bootloader")
        old = self._slot(await self._state(client), 0)
        self._expect(old, active=True, confirmed=True)
        self._done("state", version=old.version)

        begun, requests = time.monotonic(), 0
        async for offset in client.upload(self._image):
            requests += 1
        if offset != len(self._image):
            raise Failed(f"the upload ended at {offset} of {len(self._image)}")
        self._done("upload", bytes=offset, requests=requests, seconds=round(time.monotonic() - begun, 1))
        new = self._slot(await self._state(client), 1)
        self._expect(new, hash=self._hash, pending=False, active=False)
        self._done("uploaded", version=new.version)

        state = await self._ask(client, ImageStatesWrite(hash=self._hash))
        self._expect(self._slot(state.images, 1), hash=self._hash, pending=True, permanent=False)
        self._done("test")
        client = await self._restarted(client)
        images = await self._state(client)
        self._expect(self._slot(images, 0), hash=self._hash, active=True, confirmed=False)
        self._expect(self._slot(images, 1), hash=bytes(old.hash), active=False, confirmed=True)
        self._done("in-test", version=self._slot(images, 0).version)

        kept = self._hash
        if self._options.keeps == "old":
            kept = bytes(old.hash)
        else:
            state = await self._ask(client, ImageStatesWrite(confirm=True))
            self._expect(self._slot(state.images, 0), hash=self._hash, active=True, confirmed=True)
            self._done("confirm")
        client = await self._restarted(client)
        running = self._slot(await self._state(client), 0)
        self._expect(running, hash=kept, active=True, confirmed=True)
        self._done("stays" if kept == self._hash else "reverted", version=running.version)
        await client.disconnect()

    # Links

    async def _connected(self, within: float) -> SMPClient:
        deadline = time.monotonic() + within
        while True:
            client = SMPClient(self._transport(), self._options.address)
            try:
                await client.connect(min(within, _CONNECTING))
                break
            except Exception as failure:
                if time.monotonic() > deadline:
                    raise Failed(f"no link within {within} s: {type(failure).__name__}: {failure}") from failure
                await asyncio.sleep(_QUIET)
        # Neither transport has a name for the size of a packet before parameters were read.
        transport = client._transport
        self._done("connected", packet=transport._state.max_write if self._options.bumble else transport.mtu)
        return client

    def _transport(self):
        if self._options.bumble:
            from smpclient.transport.bumble import SMPBumbleTransport
            return SMPBumbleTransport(hci=self._options.bumble)
        from smpclient.transport.ble import SMPBLETransport
        return SMPBLETransport()

    async def _restarted(self, client: SMPClient) -> SMPClient:
        try:
            await self._ask(client, ResetWrite())
        except Exception as failure:  # its answer may be lost
            self._done("reset-unanswered", why=type(failure).__name__)
        else:
            self._done("reset")
        await asyncio.sleep(_QUIET)
        try:
            await client.disconnect()
        except Exception:  # the link has gone
            pass
        return await self._connected(self._options.swap)

    # Requests

    async def _ask(self, client: SMPClient, request):
        answer = await client.request(request, timeout_s=5)
        if error(answer):
            raise Failed(f"{type(request).__name__}: {answer}")
        return answer

    async def _optional(self, client: SMPClient, step: str, request, *names: str):
        answer = await client.request(request, timeout_s=5)
        if error(answer):
            self._done(step, offered=False)
        else:
            self._done(step, **{name: getattr(answer, name, None) for name in names})

    async def _state(self, client: SMPClient) -> list:
        return (await self._ask(client, ImageStatesRead())).images

    def _slot(self, images: list, number: int):
        for image in images:
            if image.slot == number:
                return image
        raise Failed(f"slot {number} is not listed")

    def _expect(self, image, hash: bytes | None = None, **flags: bool):
        """A flag that is not set may be missing."""
        if hash is not None and bytes(image.hash) != hash:
            raise Failed(f"slot {image.slot} has another hash, {bytes(image.hash).hex()}")
        for name, wanted in flags.items():
            if bool(getattr(image, name)) != wanted:
                raise Failed(f"slot {image.slot}: {name} is {getattr(image, name)}")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("address")
    parser.add_argument("image", type=pathlib.Path)
    parser.add_argument("--bumble", metavar="TRANSPORT")
    parser.add_argument("--keeps", choices=["new", "old"], default="new")
    parser.add_argument("--swap", type=float, default=60)
    return 0 if asyncio.run(Update(parser.parse_args()).run()) else 1


sys.exit(main())
