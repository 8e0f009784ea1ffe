"""The resources of a scenario: a folder, processes and everything else that has to be released."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time


class Skipped(Exception):
    """This machine cannot play the scenario: why."""


class Broken(Exception):
    """A prerequisite of the scenario failed."""


def place() -> str:
    """The folder for scenarios: in memory if there is enough, since each has a cluster of a thousand files, which takes a second on a disk.
    Short: the path of a Unix socket has at most 107 bytes."""
    memory = "/dev/shm"
    return memory if os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 4 << 30 else "/tmp"


class Room(contextlib.ExitStack):
    """A temporary folder; all processes started in it end with it, also after Ctrl-C."""

    def __init__(self, bench):
        super().__init__()
        self.bench = bench
        self.program = bench.program
        self.failures = []
        self.remarks = []
        self.seed = 1
        self.is_kept = False
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="sb-", dir=place()))
        self.folder.chmod(0o755)
        self.callback(self._clear)

    def _clear(self):
        if not self.is_kept:
            shutil.rmtree(self.folder, ignore_errors=True)

    def check(self, holds, words) -> bool:
        """Notes `words` if something does not hold."""
        if not holds:
            self.failures.append(words)
        return bool(holds)

    def equal(self, found, wanted, words):
        """Notes the found value if it is not the expected one."""
        self.check(found == wanted, f"{words}: {shortened(found)} instead of {shortened(wanted)}")

    def none(self, flaws, words=""):
        """Notes the problems that a check has found; the first of many."""
        flaws = list(flaws)
        for flaw in flaws[:8]:
            self.failures.append(f"{words}{': ' if words else ''}{flaw}")
        if len(flaws) > 8:
            self.failures.append(f"{words}: and {len(flaws) - 8} more")

    def remark(self, words):
        """A measurement, for the scenario's line."""
        self.remarks.append(words)

    def start(self, arguments, **more) -> subprocess.Popen:
        """A process of its own session, which ends with the scenario."""
        process = subprocess.Popen([str(one) for one in arguments], start_new_session=True, **more)
        self.callback(end, process)
        return process

    def run(self, arguments, seconds=60, **more) -> subprocess.CompletedProcess:
        """Runs a process to its end."""
        process = self.start(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            end(process)
            raise Broken(f"{' '.join(map(str, arguments[:4]))} did not end within {seconds} s") from None
        return subprocess.CompletedProcess(arguments, process.returncode, out, err)

    def must(self, arguments, **more) -> str:
        """Runs a process that has to succeed; returns its output."""
        done = self.run(arguments, **more)
        if done.returncode != 0:
            raise Broken(f"{' '.join(map(str, arguments))}: {done.returncode}: {(done.stdout + done.stderr).strip()[-600:]}")
        return done.stdout


def end(process):
    """Ends a process, whatever state it is in."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
    for pipe in (process.stdout, process.stderr):
        if pipe:
            with contextlib.suppress(OSError, ValueError):
                pipe.close()


def children(pid) -> list[int]:
    """The child processes of `pid`."""
    try:
        text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


def kill(pid, number=signal.SIGKILL):
    """Sends a signal; ignores a missing process."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def until(condition, seconds, what, pause=0.05):
    """Waits until `condition` returns something; returns that."""
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > deadline:
            raise Broken(f"waited {seconds:g} s in vain: {what}")
        time.sleep(pause)


def shortened(value) -> str:
    text = str(value)
    return text if len(text) < 300 else text[:300] + "…"
