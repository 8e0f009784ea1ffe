import Bluetooth
import Bytes

/// One attribute of a server: its type, value and permissions.
struct Attribute: Sendable {
    /// The role of the attribute.
    enum Role: Sendable {
        /// Declares a service that ends at this handle.
        case service(end: UInt16)
        /// Declares a characteristic: the handle of its value, and its properties.
        case declaration
        /// A characteristic's value.
        case value(AttributeTable.Entry)
        /// A Client Characteristic Configuration of the characteristic with this UUID.
        case configuration(BluetoothUUID)
    }

    static let primaryService = BluetoothUUID(0x2800)
    static let characteristic = BluetoothUUID(0x2803)
    static let clientConfiguration = BluetoothUUID(0x2902)

    let handle: UInt16
    let type: BluetoothUUID
    let role: Role
    let value: [UInt8]

    /// The attributes of `table`, with handles from 1.
    static func list(_ table: AttributeTable) -> [Attribute] {
        var list: [Attribute] = []
        var next: UInt16 { UInt16(truncatingIfNeeded: list.count + 1) }
        for service in table.services {
            let start = list.count
            list.append(
                Attribute(
                    handle: next, type: primaryService, role: .service(end: 0), value: service.uuid.wire))
            for entry in service.entries {
                var writer = ByteWriter([entry.properties.rawValue])
                writer.integer(next &+ 1)
                writer.append(entry.uuid.wire)
                list.append(
                    Attribute(handle: next, type: characteristic, role: .declaration, value: writer.bytes))
                list.append(
                    Attribute(handle: next, type: entry.uuid, role: .value(entry), value: entry.value))
                guard !entry.properties.isDisjoint(with: [.notify, .indicate]) else { continue }
                list.append(
                    Attribute(
                        handle: next, type: clientConfiguration, role: .configuration(entry.uuid), value: []))
            }
            list[start] = Attribute(
                handle: list[start].handle, type: primaryService, role: .service(end: next &- 1),
                value: service.uuid.wire)
        }
        return list
    }

    /// The last handle of the group that starts here; the attribute's own handle if it starts none.
    var groupEnd: UInt16 {
        if case .service(let end) = role { end } else { handle }
    }
}
