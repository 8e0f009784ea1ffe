"""Permissions to connect, and to which server: passwords and certificates with a real server."""

import json
import subprocess

from host import ledger
from host.air import SMALL, Air
from host.engine import Engine, own
from host.network import Network
from host.plan import scenario
from host.room import Broken
from host.stations import Office, Station

NAME = "db.plant"
PASSWORD = "what only the bench knows"


def certified(room, name) -> tuple:
    """A self-signed certificate for the server `name`, and its key."""
    certificate, key = room.folder / f"{name}.pem", room.folder / f"{name}.key"
    room.must(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
               "-addext", f"subjectAltName=DNS:{name}", "-keyout", key, "-out", certificate])
    for path in (certificate, key):
        own(path)
        path.chmod(0o600 if path == key else 0o644)
    return certificate, key


def guarded(room) -> tuple:
    """A work server that requires TLS and a password from the network, its certificate, and a bench in the network."""
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
    """As in docs/stations.md: the certificate that identifies the server."""
    folder = station.folder / ".postgresql"
    folder.mkdir(exist_ok=True)
    (folder / "root.crt").write_bytes(certificate.read_bytes())


def remember(station, password, mode=0o600):
    file = station.folder / ".pgpass"
    file.write_text(f"{NAME}:5432:beacons:bench1:{password}\n")
    file.chmod(mode)


@scenario("a-server-and-a-login-prove-who-they-are", needs=("namespaces", "openssl"))
def proven(room):
    """verify-full and scram: anything missing or wrong is refused by its name, at once; then the bench works."""
    engine, certificate, station = guarded(room)
    other, _ = certified(room, "other.plant")

    def refused(code, words, target=None):
        done = station.command("join", "s1", "--engine", target or station.target, "--json", seconds=20)
        failure = json.loads((done.stdout.splitlines() or ["{}"])[-1])
        room.equal((done.returncode, failure.get("code")), (77, code), words)
        room.check(failure.get("next_step"), f"{words}: there is no next step")
        room.check(PASSWORD not in done.stdout + done.stderr, f"{words}: the password is shown")

    refused("engine-certificate", "no certificate for the server")
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

    # After a change of password, a bench that follows an order reports it once, and does not retry repeatedly.
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


@scenario("the-owner-of-a-work-server-has-no-access-to-the-machine")
def owned(room):
    """The setup of docs/stations.md: init-db reports what is missing; the owner and a bench's login stay within the work
    server."""
    engine = Engine(room).start()
    engine.sql("CREATE ROLE clerk LOGIN; CREATE DATABASE other", database="postgres")
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(room.folder)}

    def prepared(user, database):
        target = engine.target(user).replace("dbname=beacons", f"dbname={database}")
        done = room.run([room.program, "init-db", "--json", "--engine", target], env=environment)
        return done.returncode, json.loads((done.stdout.splitlines() or ["{}"])[-1])

    status, failure = prepared("clerk", "other")
    room.equal((status, failure.get("code")), (77, "engine-create-missing"), "without CREATE")
    room.check("GRANT CREATE ON DATABASE other TO clerk" in failure.get("next_step", ""), f"{failure}")
    engine.sql("GRANT CREATE ON DATABASE other TO clerk")
    room.equal(prepared("clerk", "other")[0], 0, "with CREATE")
    room.equal(prepared("clerk", "other")[0], 2, "a second time")

    marks = room.folder / "marks"
    marks.mkdir(mode=0o777)
    marks.chmod(0o777)
    for user in "beacon_owner", "clerk", "bench1":
        for number, statement in enumerate((
                "GRANT pg_execute_server_program TO CURRENT_USER", f"COPY (SELECT 1) TO PROGRAM 'touch {marks}/{user}'", f"COPY (SELECT 1) TO '{marks}/{user}'",
                "ALTER ROLE CURRENT_USER SUPERUSER", "CREATE ROLE friend", "CREATE EXTENSION file_fdw", "CREATE FUNCTION f() RETURNS int LANGUAGE c AS '/x', 'x'",
                "CREATE TEMPORARY TABLE room (n text)", "SELECT lo_from_bytea(0, 'x')", "SELECT lo_creat(-1)", "CREATE TABLE public.room (n text)")):
            try:
                engine.sql(statement, user=user)
            except Broken:
                continue
            room.check(False, f"{user} may {statement}")
    room.check(not list(marks.iterdir()), f"programs ran: {list(marks.iterdir())}")

    # A login that registers under any free name with as much text as it likes.
    greet = "SELECT * FROM beacon_dfu.greet(1, '{0}', gen_random_uuid(), {1}, '1', 0, 0, NULL, NULL, '{{}}', 0)"
    refusals = set()
    for name, text in [("x", "repeat('m', 1048576)"), *((f"n{number}", "'m'") for number in range(20))]:
        try:
            engine.sql(greet.format(name, text), user="bench2")
        except Broken as error:
            refusals.add(str(error).split("ERROR:")[1].split()[0])
    room.equal(engine.count("SELECT count(*) FROM beacon_dfu.station WHERE login = 'bench2'"), 8, "stations of a login")
    room.check(refusals == {"the", "login"}, f"why it is refused: {refusals}")
    for command, role in (("status",), "beacon_dfu_viewer"), (("release", "WO-1"), "beacon_dfu_approver"):
        done = room.run([room.program, *command, "--json", "--engine", engine.target("bench1"), "--journal", room.folder / "j.sqlite"], env=environment)
        failure = json.loads(done.stdout.splitlines()[-1])
        room.equal(failure["code"], "engine-not-allowed", command[0])
        room.check(role in failure["next_step"] and "beacon_dfu_station" not in failure["next_step"], f"{failure}")
