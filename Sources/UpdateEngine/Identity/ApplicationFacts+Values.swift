import Bluetooth
import UpdateModel

extension ApplicationFacts {
    private static let hardwareRevision = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A27))
    private static let modelNumber = Characteristic(BluetoothUUID(0x180A), BluetoothUUID(0x2A24))
    private static let batteryLevel = Characteristic(BluetoothUUID(0x180F), BluetoothUUID(0x2A19))

    /// Characteristics with an application's facts other than the version (Device Information Service 1.1; Battery
    /// Service 1.1).
    static let sources = [hardwareRevision, modelNumber, batteryLevel]

    /// The facts of an application that shows `version` and the `values` of ``sources``.
    init(version: String?, values: [Characteristic: [UInt8]]) {
        self.init(
            version: version,
            hardware: values[Self.hardwareRevision].flatMap { String(characteristicValue: $0) },
            model: values[Self.modelNumber].flatMap { String(characteristicValue: $0) },
            battery: values[Self.batteryLevel]?.first)
    }
}
