"""Who may connect, and to whom: passwords and certificates with a real server."""

import json
import subprocess

from host import ledger
from host.air import SMALL, Air
from host.engine import Engine, own
from host.network import Network
from host.plan import scenario
from host.stations import Office, Station

NAME = "db.plant"
PASSWORD = "what only the bench knows"


def certified(room, name) -> tuple:
    """A certificate for the server `name` that has signed itself, and its key."""
    certificate, key = room.folder / f"{name}.pem", room.folder / f"{name}.key"
    room.must(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
               "-addext", f"subjectAltName=DNS:{name}", "-keyout", key, "-out", certificate])
    for path in (certificate, key):
        own(path)
        path.chmod(0o600 if path == key else 0o644)
    return certificate, key


def guarded(room) -> tuple:
    """An engine that wants TLS and a password from the network, its certificate, and a bench in the network."""
    network = Network(room)
    certificate, key = certified(room, NAME)
    settings = {"ssl": "on", "ssl_cert_file": certificate, "ssl_key_file": key}
    engine = Engine(room, address=network.address, namespace=network.hub, settings=settings)
    (engine.data / "pg_hba.conf").write_text("local all all trust\nhostssl all all 10.9.0.0/24 scram-sha-256\n")
    engine.start()
    engine.sql(f"ALTER ROLE bench1 PASSWORD '{PASSWORD}'")
    target = f"host={NAME} hostaddr={network.address} port=5432 dbname=beacons user=bench1 sslmode=verify-full"
    station = Station(room, engine, host=network.host(), target=target)
    return engine, certificate, station


def trust(station, certificate):
    """As docs/stations.md has it: the certificate by which the server is known."""
    folder = station.folder / ".postgresql"
    folder.mkdir(exist_ok=True)
    (folder / "root.crt").write_bytes(certificate.read_bytes())


def remember(station, password, mode=0o600):
    file = station.folder / ".pgpass"
    file.write_text(f"{NAME}:5432:beacons:bench1:{password}\n")
    file.chmod(mode)


@scenario("a-server-and-a-login-prove-who-they-are", needs=("namespaces", "openssl"))
def proven(room):
    """verify-full and scram: whatever is missing or wrong is refused by its name, at once; then the bench works."""
    engine, certificate, station = guarded(room)
    other, _ = certified(room, "other.plant")

    def refused(code, words, target=None):
        done = station.command("join", "s1", "--engine", target or station.target, "--json", seconds=20)
        failure = json.loads((done.stdout.splitlines() or ["{}"])[-1])
        room.equal((done.returncode, failure.get("code")), (77, code), words)
        room.check(failure.get("next_step"), f"{words}: there is no next step")
        room.check(PASSWORD not in done.stdout + done.stderr, f"{words}: the password is shown")

    refused("engine-certificate", "nothing to know the server by")
    trust(station, other)
    refused("engine-certificate", "another server's certificate")
    trust(station, certificate)
    refused("engine-certificate", "the server's certificate under another name", station.target.replace(NAME, "other.plant"))
    refused("engine-password-missing", "no password")
    remember(station, PASSWORD, mode=0o644)
    refused("engine-password-missing", "a password that everybody can read")
    remember(station, "a guess")
    refused("engine-login-refused", "a wrong password")
    remember(station, PASSWORD)
    refused("engine-login-refused", "a connection without encryption", station.target.replace("verify-full", "disable"))
    room.equal(station.join().returncode, 0, "join with all that is right")
    told = station.command("doctor").stdout
    room.check("encrypted" in told, f"doctor does not say that the connection is encrypted: {told}")

    office, air = Office(room, engine), Air(room.folder, 4, SMALL)
    office.order("WO-1", SMALL, "--expected", "4")
    room.equal(station.work("WO-1", air.file("air"), "--no-golden").wait(), 0, "exit status")
    room.none(ledger.accounts(engine, "WO-1", air, 4))
    room.none(ledger.records(engine, [station]))

    # A password that was changed: a bench that follows an order is told once, and does not ask again and again.
    office.order("WO-2", SMALL, "--expected", "8")
    engine.sql("ALTER ROLE bench1 PASSWORD 'another'")
    run = station.work("WO-2", air.file("more"), "--no-golden", "--follow")
    room.equal(run.wait(30), 77, "exit status with a password that was changed")
    room.equal(run.last.get("code"), "engine-login-refused", "why it ends")
    refusals = engine.log().count('password authentication failed for user "bench1"')
    room.check(refusals <= 4, f"the server has refused {refusals} connections")
    shown = [path for path in station.folder.glob("run-*") if PASSWORD in path.read_text(errors="replace")]
    room.check(not shown, f"the password is in {shown}")
    grep = subprocess.run(["grep", "-c", PASSWORD, station.journal, station.folder / "station.yaml"], capture_output=True, text=True)
    room.check(grep.returncode == 1, f"the password is written down: {grep.stdout}")
