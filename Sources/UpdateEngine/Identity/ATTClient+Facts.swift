import BluetoothTypes
import GATT
import UpdateCore

extension ATTClient {
    private static let hardwareRevision = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A27))
    private static let modelNumber = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A24))
    private static let batteryLevel = Characteristic(BluetoothUUID(0x180F), BluetoothUUID(0x2A19))

    /// What the application says of itself beside its `version`.
    func readFacts(version: String?, telling tell: Reader) async throws(GATTError) -> ApplicationFacts {
        ApplicationFacts(
            version: version, hardware: try await text(in: Self.hardwareRevision, tell),
            model: try await text(in: Self.modelNumber, tell),
            battery: try await value(of: Self.batteryLevel, tell)?.first)
    }
}
