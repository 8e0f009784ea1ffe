public import Bluetooth

extension AttributeTable {
    /// The service of commands and updates (fbeacon.md, Attributes).
    public static let fbeaconService = BluetoothUUID(0xFFF0)
    /// The characteristic that notifies responses.
    public static let fbeaconAnswers = BluetoothUUID(0xFFF1)
    /// The characteristic for commands and packets.
    public static let fbeaconCommands = BluetoothUUID(0xFFF2)
    /// Flow control, if the beacon has it.
    public static let fbeaconFlowControl = BluetoothUUID(0xFFF3)

    /// The mark of a device that accepts open containers (fbeacon.md, Open devices).
    public static let fbeaconOpenMark = BluetoothUUID(
        high: 0x8E7F_1A60_2D41_4B6E, low: 0x9C35_0FBE_AC0F_0001)

    /// The services of a beacon that identifies itself as `advertiser` does.
    static func fbeacon(
        _ description: FBeaconDescription, _ advertiser: FeasycomAdvertiser
    ) -> AttributeTable {
        func entry(_ number: UInt16, _ value: [UInt8]) -> Entry {
            Entry(BluetoothUUID(number), .read, value: value)
        }
        let information = advertiser.information.sorted { $0.key < $1.key }
        return AttributeTable([
            Service(BluetoothUUID(0x1800), [entry(0x2A00, Array(advertiser.name.utf8))]),
            Service(BluetoothUUID(0x180A), information.map { entry($0.key, $0.value) }),
            Service(
                fbeaconService,
                [
                    Entry(fbeaconAnswers, .notify),
                    Entry(
                        fbeaconCommands, [.write, .writeCommand],
                        maximumLength: description.maximumMTU - 3),
                ] + (description.hasFlowControl ? [Entry(fbeaconFlowControl, .notify)] : [])
                    + (description.isOpen
                        ? [Entry(fbeaconOpenMark, .read, value: [1, description.entry.restoringCharacter])]
                        : [])),
        ])
    }
}
