"""The cost of a report in Bumble and bleak, with an empty callback: the reports of 300 senders, from stdin.

Bumble gets a controller's reports as Device.on_advertising_report does; bleak gets bluetoothd's properties, as its
scanner's handler of D-Bus signals does, so without the bus and without bluetoothd.
"""
import sys
import time
import uuid

from bleak.backends.bluezdbus.scanner import BleakScannerBlueZDBus
from bumble import hci
from bumble.core import AdvertisingData
from bumble.device import AdvertisementDataAccumulator

COUNT, SENDERS = 100_000, 300
turn = [bytes.fromhex(line) for line in sys.stdin.read().split()]
addresses = [f"C0:0D:00:00:{n >> 8:02X}:{n & 255:02X}" for n in range(SENDERS)]


def measure(name, take):
    start = time.process_time()
    for number in range(COUNT):
        take(number % SENDERS, number // SENDERS % len(turn))
    each = (time.process_time() - start) / COUNT
    print(f"{name}: {each * 1e6:.1f} µs each, {each * 1e6:.0f} % of a core at 10 000 a second")


accumulators = {}
senders = [hci.Address(address) for address in addresses]


def bumble(sender, frame):
    address = senders[sender]
    report = hci.HCI_LE_Advertising_Report_Event.Report(
        event_type=4 if frame == len(turn) - 1 else 0, address_type=address.address_type, address=address,
        data=turn[frame], rssi=-60)
    accumulator = accumulators.setdefault(address, AdvertisementDataAccumulator())
    accumulator.update(report)


def properties(data):
    """The members of org.bluez.Device1 for `data`."""
    found = {"ManufacturerData": {}, "ServiceData": {}, "UUIDs": []}
    for kind, value in AdvertisingData.from_bytes(data).ad_structures:
        number = int.from_bytes(value[:2], "little")
        name = str(uuid.UUID(int=(number << 96) + 0x0000_0000_0000_1000_8000_00805F9B34FB))
        if kind == 0xFF:
            found["ManufacturerData"][number] = value[2:]
        elif kind == 0x16:
            found["ServiceData"][name] = value[2:]
        elif kind == 0x03:
            found["UUIDs"].append(name)
        elif kind == 0x09:
            found["Name"] = value.decode()
    return found


said = [properties(data) for data in turn]
scanner = BleakScannerBlueZDBus(lambda device, data: None, None, "active", bluez={})


def bleak(sender, frame):
    address = addresses[sender]
    scanner._handle_advertising_data(
        "/org/bluez/hci0/dev_" + address.replace(":", "_"),
        {"Address": address, "Alias": address, "RSSI": -60, **said[frame]})


measure("Bumble's accumulator and callback", bumble)
measure("bleak's handler and callback", bleak)
