public import Bluetooth
import Bytes

/// The services of a device as a table; the order defines the handles (Core, Vol 3, Part G, 3).
public struct AttributeTable: Hashable, Sendable {
    /// What a characteristic allows (Vol 3, Part G, 3.3.1.1).
    public struct Properties: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let read = Properties(rawValue: 0x02)
        public static let writeCommand = Properties(rawValue: 0x04)
        public static let write = Properties(rawValue: 0x08)
        public static let notify = Properties(rawValue: 0x10)
        public static let indicate = Properties(rawValue: 0x20)
    }

    public struct Entry: Hashable, Sendable {
        package var uuid: BluetoothUUID
        package var properties: Properties
        package var value: [UInt8]
        /// The longest value that a client may write, in bytes.
        package var maximumLength: Int
        /// Whether writes are refused while the characteristic's notifications or indications are off.
        package var needsSubscription: Bool
        /// Whether value and configuration require an encrypted link.
        package var needsEncryption: Bool
        /// Whether every access is refused with an authorization error.
        package var isForbidden: Bool
        /// Whether Write Commands are accepted although they are not among the properties.
        package var takesCommands: Bool

        public init(
            _ uuid: BluetoothUUID, _ properties: Properties, value: [UInt8] = [], maximumLength: Int = 20,
            needsSubscription: Bool = false, takesCommands: Bool = false,
            needsEncryption: Bool = false, isForbidden: Bool = false
        ) {
            (self.uuid, self.properties, self.value) = (uuid, properties, value)
            (self.maximumLength, self.needsSubscription) = (maximumLength, needsSubscription)
            (self.takesCommands, self.needsEncryption) = (takesCommands, needsEncryption)
            self.isForbidden = isForbidden
        }
    }

    public struct Service: Hashable, Sendable {
        package var uuid: BluetoothUUID
        package var entries: [Entry]

        public init(_ uuid: BluetoothUUID, _ entries: [Entry]) { (self.uuid, self.entries) = (uuid, entries) }
    }

    package var services: [Service]

    /// A table of `services`, without those that are nil.
    public init(_ services: [Service?]) { self.services = services.compactMap(\.self) }

    /// The Service Changed characteristic, for centrals with a bond.
    static let serviceChanged = BluetoothUUID(0x2A05)
}

// Services assigned by the Bluetooth SIG.
extension AttributeTable.Service {
    static let genericAttribute = Self(
        BluetoothUUID(0x1801), [AttributeTable.Entry(AttributeTable.serviceChanged, .indicate)])

    static func genericAccess(_ name: String) -> Self { readable(0x1800, [0x2A00: Array(name.utf8)]) }

    static func information(_ texts: KeyValuePairs<UInt16, String?>) -> Self {
        readable(0x180A, texts.compactMap { number, text in text.map { (number, Array($0.utf8)) } })
    }

    static func readable(_ uuid: UInt16, _ values: KeyValuePairs<UInt16, [UInt8]>) -> Self {
        readable(uuid, Array(values))
    }

    static func readable(_ uuid: UInt16, _ values: [(key: UInt16, value: [UInt8])]) -> Self {
        let entries = values.map { AttributeTable.Entry(BluetoothUUID($0.key), .read, value: $0.value) }
        return Self(BluetoothUUID(uuid), entries)
    }
}

struct Attribute: Sendable {
    enum Role: Sendable {
        /// Declares a service that ends at this handle.
        case service(end: UInt16)
        /// Declares a characteristic: the handle of its value, and its properties.
        case declaration
        case value(AttributeTable.Entry)
        /// A Client Characteristic Configuration of the characteristic with this UUID.
        case configuration(BluetoothUUID)
    }

    static let primaryService = BluetoothUUID(0x2800)
    static let characteristic = BluetoothUUID(0x2803)
    static let clientConfiguration = BluetoothUUID(0x2902)

    let handle: UInt16
    let type: BluetoothUUID
    private(set) var role: Role
    let value: [UInt8]

    static func list(_ table: AttributeTable) -> [Attribute] {
        var list: [Attribute] = []
        var next: UInt16 { UInt16(truncatingIfNeeded: list.count + 1) }
        func add(_ type: BluetoothUUID, _ role: Role, _ value: [UInt8]) {
            list.append(Attribute(handle: next, type: type, role: role, value: value))
        }
        for service in table.services {
            let start = list.count
            add(primaryService, .service(end: 0), service.uuid.wire)
            for entry in service.entries {
                let handle = (next &+ 1).bytes()
                add(characteristic, .declaration, [entry.properties.rawValue] + handle + entry.uuid.wire)
                add(entry.uuid, .value(entry), entry.value)
                guard !entry.properties.isDisjoint(with: [.notify, .indicate]) else { continue }
                add(clientConfiguration, .configuration(entry.uuid), [])
            }
            list[start].role = .service(end: next &- 1)
        }
        return list
    }

    /// The last handle of the group that starts here; the attribute's own handle if it starts none.
    var groupEnd: UInt16 { if case .service(let end) = role { end } else { handle } }
}
