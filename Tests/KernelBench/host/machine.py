"""The virtual machine, and the port for its commands."""

import asyncio
import contextlib
import dataclasses
import pathlib
import re

from host import processes
from host.pieces import Pieces

# The kernel's messages for serious faults, whatever the programs print.
_KERNEL_TROUBLE = re.compile(r"BUG:|kernel BUG|Oops|general protection|WARNING: CPU|Kernel panic")


class GuestError(Exception):
    pass


@dataclasses.dataclass
class Ended:
    status: int
    seconds: float
    stdout: str
    stderr: str


class Machine:
    def __init__(self, pieces: Pieces, image: pathlib.Path, programs: pathlib.Path, folder: pathlib.Path,
                 sockets: pathlib.Path, has_second_adapter: bool = False):
        self._has_second_adapter = has_second_adapter
        self._pieces, self._image, self._programs = pieces, image, programs
        self._console = folder / "console.log"
        self.out = folder / "guest"
        self.out.mkdir()
        self._folder, self._sockets = folder, sockets
        self._ends: dict[str, asyncio.Future[int]] = {}
        self._up: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._read_of_console = 0

    async def start(self) -> float:
        """Returns the guest's own count of seconds when it was ready."""
        control = self._sockets / "control"
        self._server = await asyncio.start_unix_server(self._listen, control)
        self._log = open(self._folder / "qemu.log", "wb")
        second = ["-chardev", f"socket,id=second,path={self._sockets / 'second'},reconnect=1",
                  "-device", "virtserialport,chardev=second,name=second"] if self._has_second_adapter else []
        self._process = await processes.start(
            # A /dev/kvm inside another virtual machine may open and then hang; emulation is fast enough.
            self._pieces.qemu, "-accel", "tcg,thread=multi", "-smp", 2, "-m", 1024, "-nodefaults", "-no-reboot",
            "-display", "none", "-serial", f"file:{self._console}",
            "-kernel", self._pieces.kernel, "-initrd", self._image,
            "-append", f"console=ttyS0 quiet panic=-1 loglevel=5 adapters={2 if second else 1}",
            "-device", "virtio-serial-pci", "-device", "virtio-rng-pci",
            "-chardev", f"socket,id=hci,path={self._sockets / 'hci'},reconnect=1",
            "-device", "virtserialport,chardev=hci,name=hci",
            "-chardev", f"socket,id=control,path={control}",
            "-device", "virtserialport,chardev=control,name=control",
            *second,
            "-virtfs", f"local,path={self._programs},mount_tag=bench,security_model=none,readonly=on",
            "-virtfs", f"local,path={self.out},mount_tag=out,security_model=none",
            stdin=asyncio.subprocess.DEVNULL, stdout=self._log, stderr=self._log)
        # 8 s on an idle machine, twice that with another guest.
        async with asyncio.timeout(60):
            return await self._up

    async def run(self, name: str, command: str, limit: float, user: str = "root") -> Ended:
        return await self.begin(name, command, limit, user)

    def begin(self, name: str, command: str, limit: float, user: str = "root") -> asyncio.Task[Ended]:
        """Starts a shell command in the guest. It is killed after `limit` seconds."""
        (self.out / f"{name}.sh").write_text(f"exec {command}\n" if ";" not in command else command + "\n")
        end = self._ends[name] = asyncio.get_running_loop().create_future()
        self._say(f"run {name} {limit:g} {user}")
        return asyncio.ensure_future(self._end(name, end, limit))

    async def _end(self, name: str, end: asyncio.Future[int], limit: float) -> Ended:
        clock = asyncio.get_running_loop().time
        begun = clock()
        async with asyncio.timeout(limit + 10):
            status = await end
        return Ended(status, clock() - begun, self.text(f"{name}.stdout"), self.text(f"{name}.stderr"))

    async def clear(self):
        """Kills everything that still runs."""
        ends = dict(self._ends)
        for name in ends:
            self._say(f"stop {name}")
        if ends:
            await asyncio.wait([end for end in ends.values()], timeout=5)

    def text(self, name: str) -> str:
        with contextlib.suppress(FileNotFoundError):
            return (self.out / name).read_text(errors="replace")
        return ""

    def kernel_trouble(self) -> list[str]:
        """Lines since the last call with which the kernel reported a fault of its own."""
        text = self._console.read_text(errors="replace") if self._console.exists() else ""
        fresh, self._read_of_console = text[self._read_of_console:], len(text)
        return [line.strip() for line in fresh.splitlines() if _KERNEL_TROUBLE.search(line)]

    async def stop(self):
        with contextlib.suppress(TimeoutError, ConnectionError, AttributeError):
            self._say("poweroff")
            async with asyncio.timeout(5):
                await self._process.wait()
        await processes.stop(self._process)
        self._server.close()
        self._log.close()

    def _say(self, line: str):
        self._to_guest.write(line.encode() + b"\n")

    async def _listen(self, lines: asyncio.StreamReader, to_guest: asyncio.StreamWriter):
        self._to_guest = to_guest
        with contextlib.suppress(ConnectionError):
            while line := (await lines.readline()).decode(errors="replace").split():
                match line:
                    case ["up", seconds]:
                        if not self._up.done():  # given up
                            self._up.set_result(float(seconds))
                    case ["ended", name, status]:
                        end = self._ends.pop(name)
                        if not end.done():  # the reader may have given up
                            end.set_result(int(status))
        for end in self._ends.values():
            if not end.done():
                end.set_exception(GuestError("the machine is gone"))
