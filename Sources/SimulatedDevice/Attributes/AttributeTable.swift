public import BluetoothTypes

/// The services of a device as a table; handles follow from the order (Core, Vol 3, Part G, 3).
public struct AttributeTable: Hashable, Sendable {
    /// What a characteristic allows (Vol 3, Part G, 3.3.1.1).
    public struct Properties: OptionSet, Hashable, Sendable {
        /// The properties as they travel.
        public let rawValue: UInt8

        /// The properties in a byte.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// May be read.
        public static let read = Properties(rawValue: 0x02)
        /// Takes Write Commands.
        public static let writeCommand = Properties(rawValue: 0x04)
        /// Takes Write Requests.
        public static let write = Properties(rawValue: 0x08)
        /// Sends notifications.
        public static let notify = Properties(rawValue: 0x10)
        /// Sends indications.
        public static let indicate = Properties(rawValue: 0x20)
    }

    /// A characteristic.
    public struct Entry: Hashable, Sendable {
        /// Its UUID.
        public var uuid: BluetoothUUID
        /// What it allows.
        public var properties: Properties
        /// Its value, for those that can be read.
        public var value: [UInt8]
        /// The longest value that can be written.
        public var maximumLength: Int
        /// Whether a write is refused while its notifications are off.
        public var needsSubscription: Bool
        /// Whether value and configuration are for encrypted links only.
        public var needsEncryption: Bool
        /// Whether every access is refused for want of an authorization.
        public var isForbidden: Bool
        /// Whether a Write Command gets through although it is not among the properties.
        public var takesCommands: Bool

        /// A characteristic that allows `properties`.
        public init(
            _ uuid: BluetoothUUID, _ properties: Properties, value: [UInt8] = [], maximumLength: Int = 20,
            needsSubscription: Bool = false, takesCommands: Bool = false,
            needsEncryption: Bool = false, isForbidden: Bool = false
        ) {
            self.isForbidden = isForbidden
            self.uuid = uuid
            self.properties = properties
            self.value = value
            self.maximumLength = maximumLength
            self.needsSubscription = needsSubscription
            self.takesCommands = takesCommands
            self.needsEncryption = needsEncryption
        }
    }

    /// A primary service.
    public struct Service: Hashable, Sendable {
        /// Its UUID.
        public var uuid: BluetoothUUID
        /// Its characteristics.
        public var entries: [Entry]

        /// A service of the given characteristics.
        public init(_ uuid: BluetoothUUID, _ entries: [Entry]) {
            self.uuid = uuid
            self.entries = entries
        }
    }

    /// The services in the order of their handles.
    public var services: [Service]

    /// A table of the given services.
    public init(_ services: [Service]) { self.services = services }
}

extension AttributeTable {
    /// The Control Point of Secure DFU (nordic-secure.md, Layout).
    public static let controlPoint = BluetoothUUID(high: 0x8EC9_0001_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
    /// The Packet characteristic of Secure DFU.
    public static let packet = BluetoothUUID(high: 0x8EC9_0002_F315_4F60, low: 0x9FB8_8388_30DA_EA50)
    /// The DFU service.
    public static let dfuService = BluetoothUUID(0xFE59)

    /// What a bootloader with the given name and largest MTU offers.
    ///
    /// With `answersCommands` a Write Command to the Control Point is as good as a request (SDK 12 to 14).
    public static func bootloader(
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

    /// What an application offers that has the given name, firmware and hardware revision, and charge in percent.
    public static func application(
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

    /// Says that services have changed, to centrals with a bond.
    static let serviceChanged = BluetoothUUID(0x2A05)

    private static var genericAttribute: Service {
        Service(BluetoothUUID(0x1801), [Entry(serviceChanged, .indicate)])
    }

    private static func genericAccess(_ name: String) -> Service {
        Service(BluetoothUUID(0x1800), [Entry(BluetoothUUID(0x2A00), .read, value: Array(name.utf8))])
    }
}
