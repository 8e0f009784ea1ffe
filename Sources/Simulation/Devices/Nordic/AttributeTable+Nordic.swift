package import Bluetooth

extension AttributeTable {
    /// The Control Point of Secure DFU (nordic-secure.md, Layout).
    package static let controlPoint = BluetoothUUID(high: 0x8EC9_0001_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
    package static let packet = BluetoothUUID(high: 0x8EC9_0002_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
    package static let dfuService = BluetoothUUID(0xFE59)

    /// The services of a bootloader with the given name and largest MTU.
    ///
    /// With `answersCommands`, a Write Command to the Control Point has the effect of a request (SDK 12 to 14).
    package static func bootloader(
        name: String, maximumMTU: Int, answersCommands: Bool = false, needsEncryption: Bool = false
    ) -> AttributeTable {
        var services = [genericAccess(name)]
        if needsEncryption { services.append(genericAttribute) }
        return AttributeTable(
            services + [
                Service(
                    dfuService,
                    [
                        Entry(
                            controlPoint, [.write, .notify], maximumLength: 23, needsSubscription: true,
                            takesCommands: answersCommands, needsEncryption: needsEncryption),
                        Entry(
                            packet, .writeCommand, maximumLength: maximumMTU - 3,
                            needsEncryption: needsEncryption),
                    ])
            ])
    }

    package static func application(
        name: String, revision: String?, hardware: String? = nil, battery: UInt8? = nil,
        buttonless: ButtonlessKind = .none
    ) -> AttributeTable {
        let texts = [(BluetoothUUID(0x2A26), revision), (BluetoothUUID(0x2A27), hardware)].compactMap {
            (uuid, text) in text.map { Entry(uuid, .read, value: Array($0.utf8)) }
        }
        let services = [
            genericAccess(name), buttonless == .bonded ? genericAttribute : nil,
            texts.isEmpty ? nil : Service(BluetoothUUID(0x180A), texts),
            battery.map {
                Service(BluetoothUUID(0x180F), [Entry(BluetoothUUID(0x2A19), .read, value: [$0])])
            },
            buttonless.service,
        ]
        return AttributeTable(services.compactMap(\.self))
    }

    /// The Service Changed characteristic, for centrals with a bond.
    static let serviceChanged = BluetoothUUID(0x2A05)

    static var genericAttribute: Service {
        Service(BluetoothUUID(0x1801), [Entry(serviceChanged, .indicate)])
    }

    static func genericAccess(_ name: String) -> Service {
        Service(BluetoothUUID(0x1800), [Entry(BluetoothUUID(0x2A00), .read, value: Array(name.utf8))])
    }
}
