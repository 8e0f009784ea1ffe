"""The sources of files for stations, and the files that they accept."""

import contextlib
import functools
import hashlib
import http.server
import json
import pathlib
import socket
import threading

from host import ledger
from host.air import BLINKER
from host.plan import scenario
from host.room import Skipped
from host.stations import Station
from scenarios.orders import setting


class Folder(http.server.SimpleHTTPRequestHandler):
    """A folder over HTTP, without output on stderr."""

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder, asked):
    """A static server; returns the requested paths."""
    class Noting(Folder):
        def do_GET(self):
            asked.append(self.path)
            super().do_GET()
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Noting, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@contextlib.contextmanager
def hastily_served(folder, asked):
    """The same with a server that answers as soon as it has read a head, and closes at once."""
    files = {f"/{path.relative_to(folder)}": path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    answers = {path: f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body
               for path, body in files.items()}
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)

    def serve():
        with contextlib.suppress(OSError):
            while True:
                plug, _ = listener.accept()
                with plug:
                    words = plug.recv(4096).split(b" ")
                    if len(words) < 2:  # closed without a request
                        continue
                    path = words[1].decode()
                    plug.sendall(answers.get(path, b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"))
                asked.append(path)

    threading.Thread(target=serve, daemon=True).start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()


def file_calls(engine) -> int:
    """The number of file requests of a station to the work server."""
    return engine.count("SELECT coalesce(sum(calls), 0) FROM pg_stat_user_functions WHERE schemaname = 'beacon_dfu' AND funcname = 'file'")


def catalogue(room, package=None) -> pathlib.Path:
    """A catalogue with one release of the blinkers."""
    folder = room.folder / "catalogue"
    folder.mkdir(exist_ok=True)
    package = package or BLINKER.path.read_bytes()
    (folder / "blinker.zip").write_bytes(package)
    (folder / "blinker.yaml").write_text(
        'catalogue: 1\nmodels:\n  - {model: Blinker, kind: nordic-secure, hardware: 52, recognised_by: {name: "Blinker *"},\n'
        "     versions: number, version_from: firmware-revision,\n"
        f"     firmware: [{{version: 2, file: blinker.zip, sha256: {hashlib.sha256(package).hexdigest()}}}]}}\n")
    return folder


@scenario("files-come-from-a-mirror")
def mirror(room):
    """`--files-to` fills a folder, any HTTP server serves it, and no file is requested from the work server."""
    engine, office, air, (station,) = setting(room, 2, BLINKER)
    engine.sql("ALTER SYSTEM SET track_functions = 'pl'; ")
    engine.sql("SELECT pg_reload_conf()")
    asked = []
    with served(room.folder / "www", asked) as address:
        office.must("order", "create", "WO-1", "--firmware", BLINKER.path, "--expected", "2", "--files-to", room.folder / "www")
        office.must("release", "WO-1")
        room.equal(station.join("--mirror", address).returncode, 0, "join --mirror")
        run = station.work("WO-1", air.file("air"), "--no-golden")
        room.equal(run.wait(), 0, f"exit status: {run.last}")
    digest = hashlib.sha256(BLINKER.path.read_bytes()).hexdigest()
    room.equal(asked, [f"/sha256/{digest}"], "requests to the mirror")
    room.equal(file_calls(engine), 0, "file requests to the work server")
    room.none(ledger.accounts(engine, "WO-1", air, 2))


@scenario("a-mirror-may-close-as-soon-as-it-has-answered")
def hasty_mirror(room):
    """A thousand small files, each on a connection of its own, which the server closes after its answer."""
    engine, office, air, (station,) = setting(room, 1, BLINKER)
    engine.sql("ALTER SYSTEM SET track_functions = 'pl'; ")
    engine.sql("SELECT pg_reload_conf()")
    folder = catalogue(room)
    for number in range(1000):
        (folder / f"note-{number}.txt").write_text(f"{number}\n")
    asked = []
    office.must("publish", folder, "--files-to", room.folder / "www")
    office.must("order", "create", "WO-1", "--catalogue", "1", "--expected", "1")
    office.must("release", "WO-1")
    with hastily_served(room.folder / "www", asked) as address:
        room.equal(station.join("--mirror", address).returncode, 0, "join --mirror")
        run = station.work("WO-1", air.file("air"), "--no-golden")
        room.equal(run.wait(), 0, f"exit status: {run.last}")
    room.equal(run.codes() & {"mirror-unused"}, set(), "warnings of the mirror")
    room.check(len(asked) > 1000, f"the mirror had {len(asked)} file requests")
    room.equal(file_calls(engine), 0, "file requests to the work server")


@scenario("a-mirror-is-not-trusted")
def bad_mirror(room):
    """Other content under the hash, a missing file, no server, an answer that never comes: the work server's file is
    used."""
    engine, office, air, (station,) = setting(room, 4, BLINKER)
    digest = hashlib.sha256(BLINKER.path.read_bytes()).hexdigest()
    www = room.folder / "www" / "sha256"
    www.mkdir(parents=True)
    (www / digest).write_bytes(b"something else")
    office.order("WO-2", BLINKER, "--expected", "4")
    silent = socket.create_server(("127.0.0.1", 0))
    # Bound and not listening: connections are refused, and no other program gets the port.
    closed = socket.socket()
    closed.bind(("127.0.0.1", 0))
    nobody = closed.getsockname()[1]
    with silent, closed, served(www.parent, []) as address:
        mirrors = [address, address + "/nothing/here", f"http://127.0.0.1:{nobody}", f"http://127.0.0.1:{silent.getsockname()[1]}"]
        for number, one in enumerate(mirrors):
            room.equal(station.join("--mirror", one).returncode, 0, f"join --mirror {one}")
            beacon = air.beacons[number]
            run = station.work("WO-2", air.file(f"air{number}", [beacon]), "--no-golden", "--cache", room.folder / f"cache{number}")
            room.equal(run.wait(), 0, f"exit status with {one}: {run.last}")
            said = run.find(event="warning", code="mirror-unused")
            room.check(len(said) == 1, f"{one}: {said or run.codes()}")
    room.none(ledger.accounts(engine, "WO-2", air, 4))
    done = station.join("--mirror", "ftp://files.plant")
    room.equal(done.returncode, 64, "exit status of an address that is none")
    room.equal(station.join("--mirror", "").returncode, 0, "join without a mirror again")
    room.check("mirror" not in (station.folder / "station.yaml").read_text(), "the mirror is still there")


@scenario("a-station-can-insist-on-a-seal")
def sealed(room):
    """Only catalogues that its key has signed; neither one with another signature, nor an ordered file."""
    program = room.program.parent / "beacon-dfu"
    if not program.exists():
        raise Skipped("the program's folder has no beacon-dfu, which signs")
    engine, office, air, (station,) = setting(room, 2, BLINKER)
    key, other = room.folder / "key.pem", room.folder / "other.pem"
    for path in (key, other):
        room.must([program, "keys", "generate", path])
    room.equal(station.join("--require-signed-catalogue", key).returncode, 0, "join --require-signed-catalogue")
    folder = catalogue(room)

    def ordered(number, signer):
        if signer:
            room.must([program, "catalogue", "sign", folder, "--key", signer, "--expires", "2099-01-01T00:00:00Z", "--overwrite"])
        version = office.must("publish", folder)[-1]["catalogue"]
        office.must("order", "create", number, "--catalogue", str(version), "--expected", "2")
        office.must("release", number)
        return station.work(number, air.file("air"), "--no-golden")

    for number, signer in (("WO-3", None), ("WO-4", other)):
        run = ordered(number, signer)
        room.check(run.wait() != 0, f"{number} was worked at")
        room.check(any("seal" in code or "sign" in code for code in run.codes()), f"{number}: {run.last}")
    office.order("WO-5", BLINKER, "--expected", "2")
    run = station.work("WO-5", air.file("air"), "--no-golden")
    room.check(run.wait() != 0 and "order-unsigned" in run.codes(), f"an order of a file: {run.last}")
    room.check(all(air.is_as_made(beacon) for beacon in air.beacons), "a beacon was changed")
    run = ordered("WO-6", key)
    room.equal(run.wait(), 0, f"exit status with the right seal: {run.last}")
    room.equal(json.loads(json.dumps(office.status("WO-6")))["verified"], 2, "verified units")


@scenario("a-package-from-a-catalogue-is-recalled-by-its-hash")
def recalled_in_catalogue(room):
    """The order names no file; the selection of its catalogue is checked before a beacon is changed."""
    engine, office, air, (station,) = setting(room, 3, BLINKER)
    version = office.must("publish", catalogue(room))[-1]["catalogue"]
    office.must("order", "create", "WO-7", "--catalogue", str(version), "--expected", "3")
    office.must("release", "WO-7")
    digest = hashlib.sha256(BLINKER.path.read_bytes()).hexdigest()
    office.must("recall", "--sha256", digest, "--because", "bricks rev B")
    run = station.work("WO-7", air.file("air"), "--no-golden")
    room.check(run.wait() != 0, "exit status 0")
    room.check("firmware-recalled" in run.codes(), f"not refused by name: {run.last}; {run.codes()}")
    room.check(all(air.is_as_made(beacon) for beacon in air.beacons), "a beacon was changed")
    room.none(ledger.records(engine, [station]))


@scenario("a-damaged-cache-is-fetched-again")
def damaged(room):
    """A byte of a cached package is flipped on the disk: that is noticed before a beacon gets it."""
    engine, office, air, (station,) = setting(room, 2, BLINKER)
    office.order("WO-8", BLINKER, "--expected", "2")
    room.equal(station.work("WO-8", air.file("one", air.beacons[:1]), "--no-golden").wait() in (0, 1), True, "the first unit")
    kept = [path for path in (station.folder / "cache").rglob("*.zip")]
    room.equal(len(kept), 1, "packages in the cache")
    content = bytearray(kept[0].read_bytes())
    content[len(content) // 2] ^= 1
    kept[0].chmod(0o644)
    kept[0].write_bytes(content)
    room.equal(station.work("WO-8", air.file("two", air.beacons[1:]), "--no-golden").wait(), 0, "exit status")
    room.equal(kept[0].read_bytes(), BLINKER.path.read_bytes(), "the package in the cache")
    room.none(ledger.accounts(engine, "WO-8", air, 2))


KEY = b"-----BEGIN PRIVATE KEY-----\nno key\n-----END PRIVATE KEY-----\n"
TEXT = b"a text of somebody\n"


def put(path, what):
    """Puts a key, a link to a text, or a text where the program would write a file of its own."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if what == "link":
        (path.parent / "linked").write_bytes(TEXT)
        path.symlink_to("linked")
    else:
        path.write_bytes(KEY if what == "key" else TEXT)


def is_as_it_was(path, what) -> bool:
    """Whether it is unchanged, without another file next to it."""
    content = path.read_bytes() == (KEY if what == "key" else TEXT)
    drafts = [one for one in path.parent.iterdir() if one.name.startswith(path.name) and one != path]
    return content and path.is_symlink() == (what == "link") and not drafts


@scenario("files-of-a-station-overwrite-no-others")
def foreign_files(room):
    """The station's file, notes on orders, the cache and a mirror's folder, over keys, links and texts."""
    engine, office, air, (station,) = setting(room, 2, BLINKER)
    package = hashlib.sha256(BLINKER.path.read_bytes()).hexdigest()
    for what in ("key", "link", "text"):
        other = Station(room, engine, f"x{what}", login="bench2")
        put(other.folder / "station.yaml", what)
        done = other.join()
        room.check(done.returncode in (64, 65, 66), f"join over a {what}: {done.returncode} {done.stderr[-200:]}")
        room.check(is_as_it_was(other.folder / "station.yaml", what), f"join over a {what}")
        room.check(not other.journal.exists(), f"join over a {what} leaves a journal")
        mirror = room.folder / f"mirror-{what}" / "sha256" / package
        put(mirror, what)
        done = office.run("order", "create", f"WO-{what}", "--firmware", BLINKER.path, "--expected", "2",
                          "--files-to", mirror.parent.parent)
        # A file with a hash for its name that is not a key is a damaged copy, which is replaced.
        room.equal(done.returncode == 0, what == "text", f"--files-to over a {what}: {done.stdout[-300:]}")
        room.check(what == "text" or is_as_it_was(mirror, what), f"--files-to over a {what}")
    room.equal(engine.count("SELECT count(*) FROM beacon_dfu.station WHERE name LIKE 'x%'"), 0, "stations of refused joins")
    room.equal(engine.count("SELECT count(*) FROM beacon_dfu.work_order"), 1, "orders of refused files")
    for number, what in enumerate(("key", "link", "text")):
        order = f"WO-{number}"
        office.order(order, BLINKER, "--expected", "2")
        note = station.folder / "cache" / "order" / f"{hashlib.sha256(order.encode()).hexdigest()}.json"
        put(note, what)
        station.work(order, air.file(order), "--follow").wait(60)
        room.check(is_as_it_was(note, what), f"a note over a {what}")
        cached = station.folder / "cache" / "sha256" / package
        put(cached, what)
        station.work(order, air.file(order)).wait(60)
        room.check(what == "text" or is_as_it_was(cached, what), f"the cache over a {what}")
