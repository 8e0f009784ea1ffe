/// A characteristic as the peripheral declares it.
public struct CharacteristicDeclaration: Equatable, Sendable {
    /// The operations on the value (Vol 3, Part G, 3.3.1.1).
    public struct Properties: OptionSet, Sendable {
        /// The bits of the declaration.
        public let rawValue: UInt8
        /// The properties of the declaration's bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The value may be broadcast.
        public static let broadcast = Properties(rawValue: 0x01)
        /// The value can be read.
        public static let read = Properties(rawValue: 0x02)
        /// It accepts write commands.
        public static let writeWithoutResponse = Properties(rawValue: 0x04)
        /// It accepts write requests.
        public static let write = Properties(rawValue: 0x08)
        /// It sends notifications.
        public static let notify = Properties(rawValue: 0x10)
        /// It sends indications.
        public static let indicate = Properties(rawValue: 0x20)
        /// It accepts signed write commands.
        public static let signedWrite = Properties(rawValue: 0x40)
        /// A descriptor lists further properties.
        public static let extended = Properties(rawValue: 0x80)
    }

    /// Its service and UUID.
    public let characteristic: Characteristic
    /// The operations on its value.
    public let properties: Properties
    /// The handle of its value.
    public let valueHandle: UInt16
    /// The last handle that can belong to it.
    public let endHandle: UInt16
}

/// A primary service and the range of its handles.
public struct ServiceDeclaration: Equatable, Sendable {
    /// Its UUID.
    public let uuid: BluetoothUUID
    /// Its first and last handle.
    public let handles: ClosedRange<UInt16>

    /// A service with the attributes between these handles.
    public init(uuid: BluetoothUUID, handles: ClosedRange<UInt16>) {
        self.uuid = uuid
        self.handles = handles
    }
}

/// A descriptor of a characteristic.
public struct DescriptorDeclaration: Equatable, Sendable {
    /// Its UUID.
    public let uuid: BluetoothUUID
    /// The handle of its value.
    public let handle: UInt16
}
