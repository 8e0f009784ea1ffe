import Bytes

/// A characteristic as the peripheral declares it.
public struct CharacteristicDeclaration: Equatable, Sendable {
    /// The operations on the value (Vol 3, Part G, 3.3.1.1).
    package struct Properties: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let broadcast = Properties(rawValue: 0x01)
        package static let read = Properties(rawValue: 0x02)
        static let writeWithoutResponse = Properties(rawValue: 0x04)
        package static let write = Properties(rawValue: 0x08)
        package static let notify = Properties(rawValue: 0x10)
        package static let indicate = Properties(rawValue: 0x20)
        package static let extended = Properties(rawValue: 0x80)
    }

    package let characteristic: Characteristic
    package let properties: Properties
    package let valueHandle: UInt16
    /// The last handle that can belong to the characteristic.
    let endHandle: UInt16
}

/// A primary service and the range of its handles.
public struct ServiceDeclaration: Equatable, Sendable {
    package let uuid: BluetoothUUID
    package let handles: ClosedRange<UInt16>

    package init(uuid: BluetoothUUID, handles: ClosedRange<UInt16>) {
        (self.uuid, self.handles) = (uuid, handles)
    }
}

public struct DescriptorDeclaration: Equatable, Sendable {
    package let uuid: BluetoothUUID
    package let handle: UInt16
}

extension CharacteristicDeclaration {
    ///     0  1  properties
    ///     1  2  handle of the value
    ///     3  n  UUID (2 or 16)
    init?(_ value: [UInt8], in service: BluetoothUUID, endingAt end: UInt16) {
        var reader = ByteReader(value)
        guard let properties: UInt8 = try? reader.integer("properties"),
            let handle: UInt16 = try? reader.integer("value handle"),
            let uuid = BluetoothUUID(wire: reader.remainder())
        else { return nil }
        self.init(
            characteristic: Characteristic(service, uuid), properties: Properties(rawValue: properties),
            valueHandle: handle, endHandle: max(end, handle))
    }
}
