public import Bluetooth

/// The attributes of a connected device, as far as they were read.
public struct DeviceInventory: Equatable, Sendable {
    public enum Reading: Equatable, Sendable {
        case value([UInt8])
        /// Not read, with the reason.
        case unread(String)
        /// The characteristic's properties do not allow reading.
        case unreadable
    }

    /// A characteristic and what was read of it.
    public struct CharacteristicEntry: Equatable, Sendable {
        public let declaration: CharacteristicDeclaration
        public var reading: Reading
        /// Its descriptors, at most `InventoryReader.mostDescriptors`.
        public var descriptors: [DescriptorDeclaration] = []
        public var userDescription: String?

        public init(declaration: CharacteristicDeclaration, reading: Reading) {
            (self.declaration, self.reading) = (declaration, reading)
        }
    }

    /// A service with its characteristics.
    public struct ServiceEntry: Equatable, Sendable {
        public let declaration: ServiceDeclaration
        /// Its characteristics, in the order of their handles.
        public var characteristics: [CharacteristicEntry] = []
        /// Why its characteristics are not listed; nil if they are.
        public var problem: String?

        public init(declaration: ServiceDeclaration) { self.declaration = declaration }
    }

    /// The primary services, at most `InventoryReader.mostServices`.
    public var services: [ServiceEntry] = []
    /// Why the inventory is incomplete; nil if it is complete.
    public var omission: String?

    public init() {}

    /// The characteristics of every service, in the order of their handles.
    public var characteristics: [CharacteristicEntry] { services.flatMap(\.characteristics) }

    /// The first value that was read of a characteristic `uuid` in a service `service`; nil if there is none.
    public func value(_ service: UInt16, _ uuid: UInt16) -> [UInt8]? {
        let wanted = Characteristic(service, uuid)
        for entry in characteristics where entry.declaration.characteristic == wanted {
            if case .value(let bytes) = entry.reading { return bytes }
        }
        return nil
    }

    /// That value as text, up to the first zero: some devices pad texts with zeros.
    public func text(_ service: UInt16, _ uuid: UInt16) -> String? {
        value(service, uuid).map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    public func reading(of characteristic: Characteristic) -> Reading? {
        characteristics.first { $0.declaration.characteristic == characteristic }?.reading
    }

    public func offers(_ characteristic: Characteristic) -> Bool { reading(of: characteristic) != nil }

    public func offers(_ service: BluetoothUUID) -> Bool {
        services.contains { $0.declaration.uuid == service }
    }
}
