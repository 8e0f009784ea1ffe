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
