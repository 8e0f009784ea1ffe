public import Bluetooth

/// The services of a device as a table; the order defines the handles (Core, Vol 3, Part G, 3).
public struct AttributeTable: Hashable, Sendable {
    /// What a characteristic allows (Vol 3, Part G, 3.3.1.1).
    public struct Properties: OptionSet, Hashable, Sendable {
        /// The encoded properties.
        public let rawValue: UInt8

        /// The properties in a byte.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// It can be read.
        public static let read = Properties(rawValue: 0x02)
        /// It accepts Write Commands.
        public static let writeCommand = Properties(rawValue: 0x04)
        /// It accepts Write Requests.
        public static let write = Properties(rawValue: 0x08)
        /// It sends notifications.
        public static let notify = Properties(rawValue: 0x10)
        /// It sends indications.
        public static let indicate = Properties(rawValue: 0x20)
    }

    /// A characteristic.
    public struct Entry: Hashable, Sendable {
        /// Its UUID.
        public var uuid: BluetoothUUID
        /// What it allows.
        public var properties: Properties
        /// Its value, if it can be read.
        public var value: [UInt8]
        /// The longest value that can be written, in bytes.
        public var maximumLength: Int
        /// Whether writes are refused while its notifications are off.
        public var needsSubscription: Bool
        /// Whether value and configuration require an encrypted link.
        public var needsEncryption: Bool
        /// Whether every access is refused with an authorization error.
        public var isForbidden: Bool
        /// Whether Write Commands are accepted although they are not among the properties.
        public var takesCommands: Bool

        /// A characteristic with `properties`.
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
