import BluetoothTypes
import GATT
import UpdateCore

extension ATTClient {
    /// Which of the device's programs takes the update, by what it shows; nil where what runs takes none.
    func receiver(by entrance: Entrance) async throws(GATTError) -> Receiver? {
        guard try await offers(entrance.control) else { return nil }
        let services = try await discoverServices().map(\.uuid)
        return entrance.receiver(
            Entrance.Sign(version: try await version(by: entrance), services: services))
    }

    /// What a device that allows no access at all says here it would say to everything else.
    private func version(by entrance: Entrance) async throws(GATTError) -> [UInt8]? {
        guard let version = entrance.version, try await offers(version) else { return nil }
        do { return try await read(version) } catch {
            guard case .refused(let status, _, _) = error, status != .insufficientAuthorization else {
                throw error
            }
            return nil
        }
    }
}
