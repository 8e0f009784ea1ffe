public import BluetoothTypes
public import GATT

/// What a connected device has told about itself.
public struct DeviceInventory: Equatable, Sendable {
    /// What came of reading a characteristic.
    public enum Reading: Equatable, Sendable {
        /// Its value.
        case value([UInt8])
        /// With the reason.
        case unread(String)
        /// Its properties do not allow it.
        case unreadable
    }

    /// A characteristic with what could be read of it.
    public struct CharacteristicEntry: Equatable, Sendable {
        /// What the device declares.
        public let declaration: CharacteristicDeclaration
        /// Its value.
        public var reading: Reading
        /// Its descriptors, at most `InventoryReader.mostDescriptors`.
        public var descriptors: [DescriptorDeclaration] = []
        /// What the device calls it.
        public var userDescription: String?

        /// A characteristic of which so much is known.
        public init(declaration: CharacteristicDeclaration, reading: Reading) {
            self.declaration = declaration
            self.reading = reading
        }
    }

    /// A service with its characteristics.
    public struct ServiceEntry: Equatable, Sendable {
        /// What the device declares.
        public let declaration: ServiceDeclaration
        /// Its characteristics, in the order of their handles.
        public var characteristics: [CharacteristicEntry] = []
        /// Why they are not listed.
        public var problem: String?

        /// A service of which nothing more is known.
        public init(declaration: ServiceDeclaration) { self.declaration = declaration }
    }

    /// Every primary service.
    public var services: [ServiceEntry] = []
    /// Why this is not all that the device has; nil when it is.
    public var omission: String?

    /// An empty inventory.
    public init() {}

    /// The characteristics of every service, in the order of their handles.
    public var characteristics: [CharacteristicEntry] { services.flatMap(\.characteristics) }

    /// The value of the first characteristic `uuid` in a service `service` that could be read.
    public func value(_ service: UInt16, _ uuid: UInt16) -> [UInt8]? {
        let wanted = Characteristic(BluetoothUUID(service), BluetoothUUID(uuid))
        for entry in characteristics where entry.declaration.characteristic == wanted {
            if case .value(let bytes) = entry.reading { return bytes }
        }
        return nil
    }

    /// The same as text, without the zeros that some devices fill it up with.
    public func text(_ service: UInt16, _ uuid: UInt16) -> String? {
        value(service, uuid).map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// What came of reading the first one of these characteristics; nil where no service has one.
    public func reading(of characteristic: Characteristic) -> Reading? {
        characteristics.first { $0.declaration.characteristic == characteristic }?.reading
    }

    /// Whether a service has a characteristic.
    public func offers(_ characteristic: Characteristic) -> Bool { reading(of: characteristic) != nil }

    /// Whether the device has a service.
    public func offers(_ service: BluetoothUUID) -> Bool {
        services.contains { $0.declaration.uuid == service }
    }
}
