"""Third-party update clients, nrf-ota and smpclient from PyPI, and BlueZ's own tools: with beacons that the program serves in
a second guest, and compared with the program on beacons outside.

The clients are pinned to the tested versions, so a failing scenario means that the beacon's or the verdict's behaviour
has changed. Results of clients outside package registries are in docs/performance.md.
"""

import dataclasses
import hashlib
import typing

import mcuboot_beacons as mcuboot
from host.mcuboot_images import image
from host.plan import SERVER, Beacon, End, Heard, Printed, Run, Scenario, Start, Such
from scenarios import ANOTHER_ADAPTER, DAEMONS, NO_DAEMONS
from serving import right, served, served_file

LEGACY = "/bench/legacy.zip"


@dataclasses.dataclass
class Client:
    command: typing.Callable[[str, str], str]
    # Its own folder is writable.
    needs_bluetoothd: bool = True

    def run(self, name: str, address: str, package: str, limit: int, **expected) -> list:
        """With its cost."""
        return Run(name, f"cd /tmp; python /bench/spent.py {limit} {self.command(address, package)}",
                   limit=limit + 20, **expected).steps


NRF_OTA = Client(lambda address, package: f"python -m nrf_ota {package} --device {address}")
OURS = Client(lambda address, package: f"/tmp/beacon-dfu flash {package} --adapter hci0 --device {address} --json",
              needs_bluetoothd=False)


def tried(name: str, client: Client, beacon: Start, address: str, package: str) -> Scenario:
    """Updates the beacon, and breaks no rule."""
    return Scenario(f"others-{name}", [], [
        dataclasses.replace(beacon, guest=SERVER),
        Printed("simulate", {"event": "advertising"}),
        *DAEMONS,
        *client.run("client", address, package, 60, lines=[{"event": "spent", "exit": 0}]),
        Run("enough", "killall -INT beacon-dfu; exit 0", guest=SERVER),
        End("simulate", exit=(0, 1, 130),
            lines=[{"event": "verdict", "passed": True, "rules_broken": {}, "packets_dropped": 0}]),
        *NO_DAEMONS, *ANOTHER_ADAPTER,
    ], others=True, two_guests=True, needs_daemons=True)


def tables(name: str, beacon: str, address: str, *lines: str) -> Scenario:
    """gatttool and bluetoothctl read the table of a beacon that the program serves, and break no rule."""
    gatttool = f"gatttool -b {address} -t random"
    asks = " ".join(f"echo '{line}'; sleep {pause};" for line, pause in [
        ("scan on", 4), ("scan off", 1), (f"connect {address}", 8), ("gatt.list-attributes", 1),
        (f"disconnect {address}", 2)])
    return Scenario(f"others-tables-{name}", [], [
        dataclasses.replace(served(beacon), guest=SERVER),
        Printed("simulate", {"event": "advertising"}),
        Run("primary", f"{gatttool} --primary; {gatttool} --characteristics; {gatttool} --char-desc", text=lines),
        *DAEMONS,
        Run("bluetoothctl", f"({asks} echo quit) | bluetoothctl", limit=40, text=["Connection successful", *lines]),
        Run("enough", "killall -INT beacon-dfu; exit 0", guest=SERVER),
        End("simulate", exit=(130,), lines=[{"event": "verdict", "rules_broken": {}}]),
        *NO_DAEMONS, *ANOTHER_ADAPTER,
    ], others=True, two_guests=True, needs_daemons=True)


def beside(name: str, place: str, package: str, clients: dict[str, Client], **settings) -> Scenario:
    """The program and others with one beacon each, outside the guest and alike."""
    addresses = {who: f"F0:0D:BE:AC:{place}:{0x10 * number + 1:02X}" for number, who in enumerate(clients)}
    beacons = [Beacon(who, addresses[who], **{"mode": "bootloader", **settings}) for who in clients]

    def run(who: str) -> list:
        return clients[who].run(who, addresses[who], package, 90)

    plain = [who for who, client in clients.items() if not client.needs_bluetoothd]
    return Scenario(f"beside-{name}", beacons, [
        # The cost of the folder shared with the host is excluded: everything has been read once.
        Run("warm", "cp /bench/bin/beacon-dfu /tmp; /tmp/beacon-dfu --version; cd /tmp; python -m nrf_ota --help; "
            "python /bench/smp_client.py --help; exit 0"),
        *(step for who in plain for step in run(who)),
        *DAEMONS,
        *(step for who in clients if who not in plain for step in run(who)),
        *NO_DAEMONS, *ANOTHER_ADAPTER,
    ], errs=True, measures=True, others=True, needs_daemons=True)


# smpclient fills the whole buffer, so the beacon has to join the pieces of a request, and take any number of bytes.
UNALIGNED = Such("no other rules than on the size of chunks", lambda rules: set(rules) <= {"smp-unaligned-chunk"})
SERVED = """
beacons:
  - kind: mcuboot
    address: F0:0D:BE:AC:0B:01
    version: 1.0.0
    reassembles: true
    swap_ms: 5000
"""


def smpclient(address: str, keeps: str) -> list:
    """Every step is done, to the image that stays."""
    last = "stays" if keeps == "new" else "reverted"
    return Run("client", f"cd /tmp; python /bench/smp_client.py {address} {mcuboot.IMAGE} --keeps {keeps}", limit=120, lines=[
        {"event": "step", "step": "in-test", "version": mcuboot.NEW},
        {"event": "step", "step": last, "version": mcuboot.NEW if keeps == "new" else mcuboot.OLD},
        {"event": "verdict", "passed": True}]).steps


def smp_served(keeps: str) -> Scenario:
    """smpclient updates a beacon that the program serves."""
    sent = image(mcuboot.NEW)
    return Scenario(f"others-smpclient-{keeps}", [], [
        dataclasses.replace(served_file(SERVED, "--for 140"), guest=SERVER),
        Printed("simulate", {"event": "advertising"}),
        *DAEMONS,
        *smpclient("F0:0D:BE:AC:0B:01", keeps),
        Run("enough", "killall -INT beacon-dfu; exit 0", guest=SERVER),
        End("simulate", exit=(0, 1, 130), lines=[
            {"event": "verdict", "updates": right(len(sent), hashlib.sha256(sent).hexdigest()), "rules_broken": UNALIGNED}]),
        *NO_DAEMONS, *ANOTHER_ADAPTER,
    ], others=True, two_guests=True, needs_daemons=True)


def smp_outside(dialect: int) -> Scenario:
    """The same with the bench's own beacon: what the program has to get along with is right for others, too."""
    address = f"F0:0D:BE:AC:E4:0{dialect}"
    return Scenario(f"others-smpclient-bench-{dialect}", [
        mcuboot.beacon(address, dialect=dialect, parameters=dialect == 2, reassembles=dialect == 2, aligned=False)], [
        *DAEMONS,
        *smpclient(address, "new"),
        Heard("target", "image", hash_ok=True, version=mcuboot.NEW),
        Heard("target", "confirmed", version=mcuboot.NEW),
        *NO_DAEMONS, *ANOTHER_ADAPTER,
    ], others=True, needs_daemons=True)


CLIENTS = {"ours": OURS, "nrf-ota": NRF_OTA}
SMPCLIENT = Client(lambda address, package: f"python /bench/smp_client.py {address} {package}")

OTHERS = [
    tried("nrf-ota", NRF_OTA, served("F0:0D:BE:AC:05:01"), "F0:0D:BE:AC:05:01", LEGACY),
    smp_served("new"), smp_served("old"), smp_outside(1), smp_outside(2),
    tables("secure", "F0:0D:BE:AC:01:01", "F0:0D:BE:AC:01:01", "8ec90001", "8ec90002"),
    tables("suota", "name:Tag 6", "F0:0D:BE:AC:06:00", "8082caa8", "5f78df94"),
    beside("legacy", "C1", LEGACY, CLIENTS, legacy=8, mtu=23),
    # smpclient restarts the beacon once more, to see that the image stays.
    beside("smp", "C5", mcuboot.IMAGE, {"ours": OURS, "smpclient": SMPCLIENT}, mode="smp", version=mcuboot.OLD,
           flash=mcuboot.FLASH, smp={"swap": mcuboot.SWAP, "aligned": False}),
    beside("legacy-cut", "C3", LEGACY, CLIENTS, legacy=8, mtu=23, drop_at=[12000]),
]
