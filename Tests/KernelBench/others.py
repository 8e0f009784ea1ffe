"""Update clients of other people, on bluetoothd or on bluez's gatttool: with beacons that the program serves in a second guest, and
beside the program with beacons outside. Where they come from: `host/others.py`.

What a client does is what it did when it was tried, at the version that is pinned: a scenario that fails says that the
beacon's or the verdict's behaviour has changed.
"""

import dataclasses
import typing

from host.plan import SERVER, Beacon, End, Printed, Run, Scenario, Start, Such
from scenarios import ANOTHER_ADAPTER, DAEMONS, NO_DAEMONS, PACKAGE
from serving import served, served_file

LEGACY = "/bench/legacy.zip"


@dataclasses.dataclass
class Client:
    command: typing.Callable[[str, str], str]
    # Its own folder is one that it can write to.
    needs_bluetoothd: bool = True

    def run(self, name: str, address: str, package: str, limit: int, **expected) -> list:
        """With what it cost."""
        return Run(name, f"cd /tmp; python /bench/spent.py {limit} {self.command(address, package)}",
                   limit=limit + 20, **expected).steps


NRF_OTA = Client(lambda address, package: f"python -m nrf_ota {package} --device {address}")
NRF52_BLE_DFU = Client(lambda address, package: f"python -m nrf52_ble_dfu {package}")
NRFDFU = Client(lambda address, package: f"nrfdfu ble -a {address} -t random {package}")
OTA_DFU_PYTHON = Client(
    lambda address, package: f"python -u /bench/ota-dfu-python/dfu.py -z {package} -a {address}"
    + (" --legacy" if package == LEGACY else ""), needs_bluetoothd=False)
OURS = Client(lambda address, package: f"/tmp/beacon-dfu flash {package} --adapter hci0 --device {address} --json",
              needs_bluetoothd=False)


# Flash that takes no time: the simulated air takes none either, and some clients count on air that is slower than flash.
def quick(address: str, more: str = "") -> str:
    return f"beacons:\n  - address: {address}\n    personality: sdk-15.3\n    key: test\n    flash: instant\n{more}"


def tried(name: str, client: Client, beacon: Start, address: str, package: str, exit: tuple, limit: int = 60, *,
          said: dict, text: tuple = ()) -> Scenario:
    """Ends with one of these exit codes (None: killed after `limit` seconds). The verdict has the members `said`, and what was
    printed with it looks like `text`."""
    ended = Such(f"one of {exit}", lambda status: status in exit)
    return Scenario(f"others-{name}", [], [
        dataclasses.replace(beacon, guest=SERVER),
        Printed("simulate", {"event": "advertising"}),
        *(DAEMONS if client.needs_bluetoothd else []),
        *client.run("client", address, package, limit, lines=[{"event": "spent", "exit": ended}]),
        Run("enough", "killall -INT beacon-dfu; exit 0", guest=SERVER),
        End("simulate", exit=(0, 1, 130), lines=[{"event": "verdict", **said}], text=text),
        *([*NO_DAEMONS, *ANOTHER_ADAPTER] if client.needs_bluetoothd else []),
    ], others=True, two_guests=True, needs_daemons=True)


RIGHT = {"said": {"passed": True, "rules_broken": {}, "packets_dropped": 0}}
# No rule was broken. Where the update failed all the same, the flash was outrun.
OUTRAN = {"said": {"rules_broken": {}}, "text": (r'"packets_dropped":[1-9]|"passed":true',)}


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
    beacons = [Beacon(who, addresses[who], mode="bootloader", **settings) for who in clients]

    def run(who: str) -> list:
        return clients[who].run(who, addresses[who], package, 90)

    plain = [who for who, client in clients.items() if not client.needs_bluetoothd]
    return Scenario(f"beside-{name}", beacons, [
        # What the folder costs that is shared with the host is nobody's: everything has been read once.
        Run("warm", "cp /bench/bin/beacon-dfu /tmp; /tmp/beacon-dfu --version; cd /tmp; python -m nrf_ota --help; "
            "python -m nrf52_ble_dfu --help; nrfdfu; python /bench/ota-dfu-python/dfu.py --help; gatttool --help; exit 0"),
        *(step for who in plain for step in run(who)),
        *DAEMONS,
        *(step for who in clients if who not in plain for step in run(who)),
        *NO_DAEMONS, *ANOTHER_ADAPTER,
    ], errs=True, measures=True, others=True, needs_daemons=True)


SECURE_CLIENTS = {"ours": OURS, "nrf52-ble-dfu": NRF52_BLE_DFU, "nrfdfu": NRFDFU, "ota-dfu-python": OTA_DFU_PYTHON}
LEGACY_CLIENTS = {"ours": OURS, "nrf-ota": NRF_OTA, "ota-dfu-python": OTA_DFU_PYTHON}

OTHERS = [
    tried("nrf-ota", NRF_OTA, served("F0:0D:BE:AC:05:01"), "F0:0D:BE:AC:05:01", LEGACY, (0,), **RIGHT),
    tried("nrf52-ble-dfu", NRF52_BLE_DFU, served_file(quick("F0:0D:BE:AC:0C:00")), "F0:0D:BE:AC:0C:01", PACKAGE, (0,),
          **RIGHT),
    tried("nrf52-ble-dfu-stock", NRF52_BLE_DFU, served("F0:0D:BE:AC:01:01"), "F0:0D:BE:AC:01:01", PACKAGE, (0, 1),
          **OUTRAN),
    tried("nrfdfu", NRFDFU, served_file(quick("F0:0D:BE:AC:0B:00")), "F0:0D:BE:AC:0B:01", PACKAGE, (0,), **RIGHT),
    tried("nrfdfu-stock", NRFDFU, served("F0:0D:BE:AC:02:01"), "F0:0D:BE:AC:02:01", PACKAGE, (0, 1), **OUTRAN),
    tried("nrfdfu-buttonless", NRFDFU, served_file(quick("F0:0D:BE:AC:0D:00", "    mode: application\n")),
          "F0:0D:BE:AC:0D:00", PACKAGE, (0,), **RIGHT),
    # It may wait for ever for an answer that came before its terminal was read; here Secure DFU always does.
    tried("ota-dfu-python", OTA_DFU_PYTHON, served_file(quick("F0:0D:BE:AC:0E:00")), "F0:0D:BE:AC:0E:01", PACKAGE,
          (0, None), said={"rules_broken": {}}),
    tried("ota-dfu-python-legacy", OTA_DFU_PYTHON, served("F0:0D:BE:AC:05:01"), "F0:0D:BE:AC:05:01", LEGACY, (0, None),
          limit=90, said={"rules_broken": {}}),
    tables("secure", "F0:0D:BE:AC:01:01", "F0:0D:BE:AC:01:01", "8ec90001", "8ec90002"),
    tables("suota", "name:Tag 6", "F0:0D:BE:AC:06:00", "8082caa8", "5f78df94"),
    beside("secure", "C0", PACKAGE, SECURE_CLIENTS),
    beside("legacy", "C1", LEGACY, LEGACY_CLIENTS, legacy=8, mtu=23),
    beside("secure-cut", "C2", PACKAGE, SECURE_CLIENTS, drop_at=[12000], remembers="everything"),
    beside("legacy-cut", "C3", LEGACY, LEGACY_CLIENTS, legacy=8, mtu=23, drop_at=[12000]),
]
