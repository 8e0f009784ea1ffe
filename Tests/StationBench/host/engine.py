"""A PostgreSQL cluster of the scenario's own, with a work server."""

import os
import pathlib
import pwd
import shutil
import subprocess
import time

from host.room import Broken, Room, children, kill, until

BINARIES = pathlib.Path("/usr/lib/postgresql/15/bin")
USER = "nobody"


def unprivileged(arguments) -> list:
    """PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return list(arguments)
    return ["setpriv", "--reuid", USER, "--regid", "nogroup", "--clear-groups", *arguments]


def own(path: pathlib.Path):
    """Gives a folder to the user of the cluster."""
    if os.geteuid() == 0:
        os.chown(path, pwd.getpwnam(USER).pw_uid, -1)


class Template:
    """A prepared work server from which clusters are copied: one initdb per bench."""

    def __init__(self, room: Room, stations: int = 20):
        folder = room.folder / "template"
        folder.mkdir()
        own(folder)
        self.data = folder / "data"
        room.must(unprivileged([BINARIES / "initdb", "-D", self.data, "-U", "admin", "-A", "trust", "--no-sync", "-E", "UTF8",
                                "--locale=C"]), cwd=folder)
        with (self.data / "pg_hba.conf").open("a") as access:
            access.write("host all all 10.9.0.0/24 trust\n")
        engine = Engine(room, "first", folder=folder)
        engine.start()
        engine.sql("CREATE DATABASE beacons", database="postgres")
        # As in docs/stations.md: the owner has CREATE on its database, and nothing else.
        for role in "station", "viewer", "approver", "admin":
            engine.sql(f"CREATE ROLE beacon_dfu_{role}")
        engine.sql("CREATE ROLE beacon_owner LOGIN; GRANT CREATE ON DATABASE beacons TO beacon_owner; REVOKE TEMPORARY ON DATABASE beacons FROM PUBLIC; "
                   "REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC")
        room.must([room.program, "init-db", "--engine", engine.target("beacon_owner")])
        engine.sql("CREATE ROLE approver1 LOGIN IN ROLE beacon_dfu_approver, beacon_dfu_admin, beacon_dfu_viewer")
        for number in range(1, stations + 1):
            engine.sql(f"CREATE ROLE bench{number} LOGIN IN ROLE beacon_dfu_station")
        engine.stop()


class Engine:
    """A cluster, made from the bench's template unless `folder` has one already."""

    def __init__(self, room: Room, name="engine", folder=None, address=None, namespace=None, settings=None):
        self.room = room
        self.address = address
        self.namespace = namespace
        self.settings = {"fsync": "on", "max_connections": "60", "shared_buffers": "16MB", "autovacuum_naptime": "5",
                         # Deleted with the folder; a killed server leaves files in /dev/shm otherwise.
                         "dynamic_shared_memory_type": "mmap", **(settings or {})}
        self.process = None
        self.folder = folder or room.folder / name
        self.sockets = room.folder / f"{name}.s"
        self.sockets.mkdir()
        own(self.sockets)
        self.data = self.folder / "data"
        if folder is None:
            self.folder.mkdir()
            own(self.folder)
        if not self.data.exists():
            room.must(["cp", "-a", room.bench.template.data, self.data])
        room.callback(self._end)

    def _end(self):
        if self.process and self.process.poll() is None:
            self.kill()

    def start(self, seconds=60):
        """Starts it, repeatedly while processes of the previous one are still there."""
        deadline = time.monotonic() + seconds
        self.refusals = 0
        while True:
            self._spawn()
            while self.process.poll() is None:
                if self.answers():
                    return self
                if time.monotonic() > deadline:
                    raise Broken(f"the work server does not answer; see its log:\n{self.log()[-800:]}")
                time.sleep(0.05)
            self.refusals += 1
            if time.monotonic() > deadline:
                raise Broken(f"the work server does not start:\n{self.log()[-800:]}")
            time.sleep(0.3)

    def _spawn(self):
        words = [BINARIES / "postgres", "-D", self.data, "-k", self.sockets, "-p", "5432",
                 "-c", f"listen_addresses={self.address or ''}"]
        for name, value in self.settings.items():
            words += ["-c", f"{name}={value}"]
        words = unprivileged(words)
        if self.namespace:
            words = ["ip", "netns", "exec", self.namespace, *words]
        with (self.folder / "log").open("ab") as log:
            self.process = self.room.start(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder)

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")

    def answers(self) -> bool:
        try:
            return self._psql("SELECT 1", "admin", "postgres", 5).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def stop(self):
        """As an administrator stops it: sessions are ended, everything is written."""
        kill(self.process.pid, 2)
        self.process.wait(timeout=60)

    def kill(self, leaving_orphans=False):
        """Kills the postmaster with -9, and all its children.

        Orphans end by themselves, and block the next start until then."""
        victims = [self.process.pid, *([] if leaving_orphans else children(self.process.pid))]
        for pid in victims:
            kill(pid)
        self.process.wait(timeout=20)

    def restart(self, seconds=60) -> int:
        """Starts it after a kill; returns how often that was refused."""
        self.start(seconds)
        return self.refusals

    def target(self, user, over_network=False) -> str:
        """Its address, as a libpq connection string."""
        host = self.address if over_network else self.sockets
        return f"host={host} port=5432 dbname=beacons user={user}"

    def _psql(self, text, user, database, seconds):
        words = [BINARIES / "psql", "-h", self.sockets, "-p", "5432", "-U", user, "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1",
                 "-F", "\x1f", "-f", "-"]
        return subprocess.run(words, input=text, capture_output=True, text=True, timeout=seconds, start_new_session=True)

    def sql(self, text, user="admin", database="beacons", seconds=60) -> list[list[str]]:
        """The rows of a statement; an empty text for null."""
        done = self._psql(text, user, database, seconds)
        if done.returncode != 0:
            raise Broken(f"{text[:200]}: {done.stderr.strip()}")
        return [line.split("\x1f") for line in done.stdout.splitlines()]

    def count(self, text) -> int:
        return int(self.sql(text)[0][0])

    def wait_for(self, text, seconds, what):
        """Waits until a statement returns true; an unreachable work server returns nothing."""
        def holds():
            try:
                rows = self.sql(text)
            except (Broken, subprocess.TimeoutExpired):
                return False
            return bool(rows) and rows[0][0] == "t"
        return until(holds, seconds, what, pause=0.1)

    def copy(self, name, **more):
        """A standby that follows this one as far as it can."""
        folder = self.room.folder / name
        folder.mkdir()
        own(folder)
        self.room.must(unprivileged([BINARIES / "pg_basebackup", "-h", self.sockets, "-p", "5432", "-U", "admin", "-R",
                                     "-c", "fast", "-D", folder / "data"]), cwd=folder)
        return Engine(self.room, name, folder=folder, **more)


def available() -> str | None:
    """Why there is no PostgreSQL; None if there is one."""
    if not (BINARIES / "postgres").exists():
        return f"there is no PostgreSQL 15 in {BINARIES}"
    if os.geteuid() == 0 and not shutil.which("setpriv"):
        return "PostgreSQL does not run as root, and there is no setpriv"
    return None
