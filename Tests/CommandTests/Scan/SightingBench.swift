import Bluetooth
import Firmware
import TestSupport

/// A report with the data in `hex`.
func report(
    _ hex: String = "", from address: String = "F0:0D:00:00:00:01", rssi: Int8? = -50,
    connectable: Bool? = true
) throws -> Advertisement {
    struct Malformed: Error {}
    guard let address = DeviceAddress(address) else { throw Malformed() }
    return Advertisement(
        address: address, rssi: rssi, isConnectable: connectable,
        data: AdvertisingData([UInt8](hex: hex)))
}

/// A beacon that was heard once.
func sighting(
    _ hex: String = "", from address: String = "F0:0D:00:00:00:01", rssi: Int8? = -50,
    at moment: Duration = .zero
) throws -> BeaconSighting {
    BeaconSighting(try report(hex, from: address, rssi: rssi), at: moment)
}
