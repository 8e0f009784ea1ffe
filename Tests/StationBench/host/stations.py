"""Stations: folders with a journal, and the programs that work there."""

import json
import os
import pathlib
import signal
import sqlite3
import subprocess
import threading
import time

from host.room import Broken, Room, end, until


class Working:
    """A program at work, whose events are read as they come."""

    def __init__(self, room: Room, arguments, environment, output: pathlib.Path, namespace=None):
        words = (["ip", "netns", "exec", namespace] if namespace else []) + [str(one) for one in arguments]
        self.events = []
        self.errors = output.with_suffix(".stderr")
        self.began = time.monotonic()
        with self.errors.open("ab") as errors:
            self.process = room.start(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True,
                                      env=environment)
        self.output = output
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        try:
            with self.output.open("a") as output:
                for line in self.process.stdout:
                    output.write(line)
                    try:
                        self.events.append(json.loads(line))
                    except ValueError:
                        self.events.append({"event": "not-json", "text": line})
        except (OSError, ValueError):
            pass

    def find(self, **members) -> list[dict]:
        """The events with these members, up to now."""
        return [one for one in list(self.events) if all(one.get(name) == value for name, value in members.items())]

    def codes(self) -> set[str]:
        """The codes of its warnings and failures."""
        return {one["code"] for one in list(self.events) if one.get("event") in ("warning", "failed") and one.get("code")}

    def wait_for(self, seconds=30, **members) -> dict:
        """Waits for an event with these members."""
        def found():
            matching = self.find(**members)
            if not matching and self.process.poll() is not None and not self.reader.is_alive():
                raise Broken(f"the station ended with {self.process.returncode} and not with {members}: {self.last}; {self.said()}")
            return matching
        return until(found, seconds, f"the station prints {members}; last {self.last}", pause=0.005)[0]

    @property
    def last(self) -> dict:
        return self.events[-1] if self.events else {}

    def said(self) -> str:
        return self.errors.read_text(errors="replace")[-400:]

    def wait(self, seconds=120) -> int:
        """Waits for its end; returns its exit status."""
        try:
            status = self.process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise Broken(f"a station did not end within {seconds:g} s; its last event: {self.last}") from None
        self.reader.join(timeout=10)
        return status

    def stop(self, seconds=60) -> int:
        """As Ctrl-C: running units are finished. Returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.wait(seconds)

    def kill(self):
        end(self.process)
        self.reader.join(timeout=10)

    def signal(self, number):
        self.process.send_signal(number)

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None


class Station:
    """A bench: its folder, its login, its machine in the network."""

    def __init__(self, room: Room, engine, name="s1", login=None, host=None, pace=60, target=None, folder=None):
        self.room = room
        self.engine = engine
        self.name = name
        self.login = login or "bench" + name.lstrip("abcdefghijklmnopqrstuvwxyz-")
        self.host = host
        self.pace = pace
        self.target = target or engine.target(self.login, over_network=host is not None)
        self.folder = folder or room.folder / name
        self.folder.mkdir(exist_ok=True)
        self.journal = self.folder / "journal.sqlite"
        self.runs = []
        self.kills = 0

    def environment(self, more=None) -> dict:
        return {"PATH": os.environ["PATH"], "HOME": str(self.folder), "BEACON_DFU_STATION_PACE": str(self.pace), **(more or {})}

    def command(self, *words, seconds=60) -> subprocess.CompletedProcess:
        """Runs a command of the program on this bench."""
        prefix = ["ip", "netns", "exec", self.host.namespace] if self.host else []
        return self.room.run([*prefix, self.room.program, *words, "--journal", self.journal], env=self.environment(),
                             seconds=seconds)

    def join(self, *more) -> subprocess.CompletedProcess:
        return self.command("join", self.name, "--engine", self.target, *more)

    def joined(self):
        """This station, after `join`."""
        done = self.join()
        if done.returncode != 0:
            raise Broken(f"{self.name} cannot join: {done.stdout}{done.stderr}")
        return self

    def work(self, order, air, *more, tray=None, links=16, scan_for=0.2, environment=None,
             rule="name=Blinker*") -> Working:
        """Starts to work at an order."""
        units = ["--tray", tray] if tray else ["--rule", rule]
        words = [self.room.program, "work", order, *units, "--adapter", f"sim:{air}", "--journal", self.journal,
                 "--cache", self.folder / "cache", "--scan-for", scan_for, "--links", links, "--json",
                 "--engine", self.target, *more]
        output = self.folder / f"run-{len(self.runs) + 1}.jsonl"
        run = Working(self.room, words, self.environment(environment), output, self.host.namespace if self.host else None)
        self.runs.append(run)
        return run

    def rows(self, sql) -> list[tuple]:
        """Rows of the journal; none while it cannot be read."""
        if not self.journal.exists():
            return []
        for _ in range(20):
            try:
                with sqlite3.connect(f"file:{self.journal}?mode=ro", uri=True, timeout=10) as journal:
                    return journal.execute(sql).fetchall()
            except sqlite3.OperationalError:
                time.sleep(0.1)
        raise Broken(f"the journal of {self.name} cannot be read")

    def outbox(self, state="acknowledged") -> dict[str, str]:
        """Results in a state: their hashes by id."""
        return dict(self.rows(f"SELECT key, body_sha256 FROM outbox WHERE kind = '@engine' AND state = '{state}'"))

    def hand_in(self, seconds=60):
        """Hands in the results that still wait: after its last unit a run waits for the work server for 40 s of its own time only."""
        if self.outbox("waiting") or self.outbox("sent"):
            until(lambda: self.command("deliver").returncode in (0, 2), seconds, f"results of {self.name} are handed in")

    def incarnation(self) -> str:
        return self.rows("SELECT incarnation FROM journal")[0][0]


class Office:
    """What people do with the work server, from anywhere."""

    def __init__(self, room: Room, engine, user="admin"):
        self.room = room
        self.target = engine.target(user)

    def run(self, *words, seconds=30) -> subprocess.CompletedProcess:
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.room.folder), "USER": "bench"}
        return self.room.run([self.room.program, *words, "--json", "--engine", self.target], env=environment, seconds=seconds)

    def must(self, *words) -> list[dict]:
        """The output of a command that has to succeed."""
        done = self.run(*words)
        if done.returncode != 0:
            raise Broken(f"{' '.join(map(str, words))}: {done.returncode}: {done.stdout}{done.stderr}")
        return [json.loads(line) for line in done.stdout.splitlines()]

    def order(self, number, firmware, *more, release=True):
        """Creates an order, and releases it."""
        self.must("order", "create", number, "--firmware", firmware.path, *more)
        if release:
            self.must("release", number)

    def status(self, number) -> dict:
        """An order as `status` shows it."""
        return next(one for one in self.must("status", number) if one["event"] == "order")
