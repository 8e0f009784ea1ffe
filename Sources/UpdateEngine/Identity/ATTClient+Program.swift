import BluetoothTypes
import GATT
import UpdateCore

extension ATTClient {
    /// Whether the device is in its bootloader, by what it shows.
    func isInBootloader(by entrance: Entrance) async throws(GATTError) -> Bool {
        guard try await offers(entrance.control) else { return false }
        guard let version = entrance.version else { return true }
        let services = try await discoverServices().count
        guard try await offers(version) else {
            return entrance.isBootloader(Entrance.Sign(version: nil, services: services))
        }
        do {
            return entrance.isBootloader(
                Entrance.Sign(version: try await read(version), services: services))
        } catch .refused { return entrance.isBootloader(Entrance.Sign(version: nil, services: services)) }
    }
}
