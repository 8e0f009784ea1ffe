import BluetoothTypes
import GATT
import UpdateCore

extension Updater {
    /// Asks the application what it is, and refuses what its bootloader would refuse, while the unit still works.
    func examine(
        _ client: ATTClient, _ course: Course, _ telemetry: inout Telemetry
    ) async throws {
        let facts = try await client.readFacts(
            version: course.revision?.text ?? course.advertisedVersion, telling: tellRead)
        for notice in try course.procedure.check(facts) { await telemetry.note(notice) }
        try inspect(facts)
    }
}

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
