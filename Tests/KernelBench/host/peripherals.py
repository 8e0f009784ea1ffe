"""Beacons as child processes, and their reports."""

import asyncio
import json
import pathlib
import signal

from host import processes
from host.air import Air
from host.pieces import Pieces
from host.plan import Beacon, matches

_FOLDER = pathlib.Path(__file__).parent.parent


class NotHeard(Exception):
    pass


class Peripheral:
    def __init__(self, beacon: Beacon, folder: pathlib.Path):
        self.beacon, self._folder = beacon, folder
        self.reports: list[dict] = []
        self._heard = 0  # reports already awaited by a scenario
        self._news = asyncio.Event()

    async def start(self, pieces: Pieces, air: Air):
        settings = {"port": air.port, "address": self.beacon.address,
                    "snoop": str(self._folder / self.beacon.name), **self.beacon.settings}
        self._log = open(self._folder / f"{self.beacon.name}.jsonl", "w")
        self._errors = open(self._folder / f"{self.beacon.name}.stderr", "wb")
        self._process = await processes.start(
            pieces.python, "-B", _FOLDER / self.beacon.script, json.dumps(settings), stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=self._errors)
        self._reader = asyncio.ensure_future(self._read())

    async def _read(self):
        while line := await self._process.stdout.readline():
            self._log.write(line.decode())
            self.reports.append(json.loads(line))
            self._news.set()

    async def heard(self, event: str, members: dict, within: float) -> dict:
        try:
            async with asyncio.timeout(within):
                while True:
                    while self._heard < len(self.reports):
                        report = self.reports[self._heard]
                        self._heard += 1
                        if report["event"] == event and matches(report, members):
                            return report
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise NotHeard(f"{self.beacon.name} did not report {event} {members or ''}") from None

    def power_cycle(self):
        self._process.send_signal(signal.SIGUSR1)

    def violations(self) -> list[dict]:
        return [report for report in self.reports if report["event"] in ("violation", "client-error")]

    async def stop(self):
        await processes.stop(self._process)
        await self._reader
        self._log.close()
        self._errors.close()
