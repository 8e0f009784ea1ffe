"""Runs a command and prints its cost: `spent.py SECONDS COMMAND …`. It is killed after so many seconds.

The last line on stdout has its exit code (null if it was killed), the seconds it took, and the CPU time (user and system) of
the command with all that it started, and of the daemons that worked for it.
"""

import ctypes
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time

_DAEMONS = {"bluetoothd", "dbus-daemon"}
_PR_SET_CHILD_SUBREAPER = 36
_TICKS = os.sysconf("SC_CLK_TCK")


def fields(process: pathlib.Path) -> list[str]:
    """The fields of proc(5) from the third on; the name before them, in parentheses, may contain spaces."""
    return (process / "stat").read_text().rpartition(")")[2].split()


def children() -> list[int]:
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if int(fields(process)[1]) == os.getpid():
                found.append(int(process.name))
        except FileNotFoundError:
            pass
    return found


def daemons() -> float:
    spent = 0.0
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (process / "comm").read_text().strip() in _DAEMONS:
                user, system = fields(process)[11:13]
                spent += (int(user) + int(system)) / _TICKS
        except FileNotFoundError:
            pass
    return spent


def main(limit: float, command: list[str]):
    # Processes that the command leaves running are reparented to this process, which counts them too.
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    before, begun = daemons(), time.monotonic()
    child = subprocess.Popen(command, start_new_session=True)
    try:
        status = child.wait(limit)
    except subprocess.TimeoutExpired:
        status = None
    seconds = time.monotonic() - begun
    while left := children():
        for process in left:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    own, theirs = used.ru_utime + used.ru_stime, daemons() - before
    print(json.dumps({"event": "spent", "exit": status, "seconds": round(seconds, 1), "cpu": round(own + theirs, 2),
                      "daemons_cpu": round(theirs, 2)}), flush=True)


main(float(sys.argv[1]), sys.argv[2:])
