"""Child processes that cannot outlive the bench, however it ends."""

import asyncio
import contextlib
import ctypes
import signal

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


def _die_with_parent():
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


async def start(*command, **options) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(*map(str, command), preexec_fn=_die_with_parent, **options)


async def stop(process: asyncio.subprocess.Process):
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
    await process.wait()
