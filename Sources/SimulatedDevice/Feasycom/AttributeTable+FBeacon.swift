public import BluetoothTypes

extension AttributeTable {
    /// The service of commands and updates (fbeacon.md, Attributes).
    public static let fbeaconService = BluetoothUUID(0xFFF0)
    /// Where answers come from.
    public static let fbeaconAnswers = BluetoothUUID(0xFFF1)
    /// Where commands and packets go.
    public static let fbeaconCommands = BluetoothUUID(0xFFF2)
    /// Flow control, where there is any.
    public static let fbeaconFlowControl = BluetoothUUID(0xFFF3)

    /// Where a device says that it takes open containers (fbeacon.md, Open devices).
    public static let fbeaconOpenMark = BluetoothUUID(
        high: 0x8E7F_1A60_2D41_4B6E, low: 0x9C35_0FBE_AC0F_0001)

    /// What a beacon offers that says of itself what `advertiser` does.
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
