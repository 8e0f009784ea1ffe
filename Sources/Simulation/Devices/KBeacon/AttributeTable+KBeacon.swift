public import Bluetooth

extension AttributeTable {
    /// The service of a KBeacon's session (kbeacon.md, Attributes).
    public static let kbeaconService = BluetoothUUID(0xFEA0)
    /// The characteristic that clients write.
    public static let kbeaconWrite = BluetoothUUID(0xFEA1)
    /// The characteristic that notifies responses.
    public static let kbeaconAnswers = BluetoothUUID(0xFEA2)
    /// The characteristic that indicates events.
    public static let kbeaconEvents = BluetoothUUID(0xFEA3)
}

extension KBeaconSession {
    /// The services of the application over a link.
    func server(_ buttonless: ButtonlessKind) -> AttributeServer {
        let style = description.handshake
        // A client that was not told the MTU must assume the minimum.
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
    /// Whether the client has enabled notifications or indications of `uuid`.
    func isSubscribed(to uuid: BluetoothUUID) -> Bool { configurations[uuid, default: 0] & 3 != 0 }
}
