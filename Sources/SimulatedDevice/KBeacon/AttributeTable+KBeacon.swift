public import BluetoothTypes

extension AttributeTable {
    /// The service of a KBeacon's session (kbeacon.md, Attributes).
    public static let kbeaconService = BluetoothUUID(0xFEA0)
    /// What a client writes.
    public static let kbeaconWrite = BluetoothUUID(0xFEA1)
    /// What the beacon says.
    public static let kbeaconAnswers = BluetoothUUID(0xFEA2)
    /// What happens to the beacon.
    public static let kbeaconEvents = BluetoothUUID(0xFEA3)
}

extension KBeaconSession {
    /// What the application offers over a link.
    func server(_ buttonless: ButtonlessKind) -> AttributeServer {
        let style = description.handshake
        // Who was not told more goes by the least MTU.
        let longest = style.tellsMTU ? style.maximumMTU - 3 : AttributeServer.defaultMTU - 3
        let session = AttributeTable.Service(
            AttributeTable.kbeaconService,
            [
                AttributeTable.Entry(
                    AttributeTable.kbeaconWrite, [.write, .writeCommand], maximumLength: longest),
                AttributeTable.Entry(AttributeTable.kbeaconAnswers, .notify),
                AttributeTable.Entry(AttributeTable.kbeaconEvents, .indicate),
            ])
        let services = [
            AttributeTable.genericAccess(memory.settings.name),
            buttonless == .bonded ? AttributeTable.genericAttribute : nil, information, session,
            buttonless.service,
        ]
        return AttributeServer(
            AttributeTable(services.compactMap(\.self)), maximumMTU: style.maximumMTU)
    }

    private var information: AttributeTable.Service {
        let low = Array(address.bytes.reversed())
        let systemID = description.fillsSystemID ? low.prefix(3) + [0xFE, 0xFF] + low.suffix(3) : low[...]
        return AttributeTable.Service(
            BluetoothUUID(0x180A),
            [
                AttributeTable.Entry(BluetoothUUID(0x2A23), .read, value: Array(systemID)),
                AttributeTable.Entry(BluetoothUUID(0x2A24), .read, value: Array(description.model.utf8)),
                AttributeTable.Entry(BluetoothUUID(0x2A26), .read, value: Array(versionText.utf8)),
            ])
    }
}

extension AttributeServer {
    /// Whether the client wants notifications, or indications, of `uuid`.
    func isSubscribed(to uuid: BluetoothUUID) -> Bool { configurations[uuid, default: 0] & 3 != 0 }
}
