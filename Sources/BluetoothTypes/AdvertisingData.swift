import ByteCoding

/// What an advertisement or a scan response says, structure by structure.
///
///     0  1  length n of type and data; 0 ends the report
///     1  1  AD type
///     2  n-1 data
///
/// A structure that runs past the end ends the report; what came before it counts (Core, Vol 3, Part C,
/// 11; beacons in the field send such reports).
public struct AdvertisingData: Hashable, Sendable {
    /// One AD structure.
    public enum Element: Hashable, Sendable {
        /// Type 01.
        case flags(UInt8)
        /// Types 02, 03, 06 and 07: UUIDs of services with 16 or 128 bits.
        case services([BluetoothUUID], complete: Bool)
        /// Types 08 and 09.
        case name(String, complete: Bool)
        /// Type 0A, in dBm.
        case txPower(Int8)
        /// Types 16 and 21: a service's UUID and its data.
        case serviceData(BluetoothUUID, [UInt8])
        /// Type FF: a company's number and its data.
        case manufacturer(UInt16, [UInt8])
        /// Any other type.
        case other(UInt8, [UInt8])
    }

    /// The structures, in the order in which they were sent.
    public var elements: [Element] = []

    /// No structures.
    public init() {}

    /// The structures of one report.
    public init(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        while let length: UInt8 = try? reader.integer("length"), length > 0,
            var structure = try? reader.nested("structure", Int(length)),
            let type: UInt8 = try? structure.integer("type")
        {
            elements.append(Element(type: type, data: Array(structure.remainder())))
        }
    }

    /// What this and a later report of the same device say together; the later one wins.
    public func merged(with later: AdvertisingData) -> AdvertisingData {
        var result = self
        result.elements.removeAll { old in later.elements.contains { old.replaces($0) } }
        result.elements += later.elements
        return result
    }
}

extension AdvertisingData {
    /// The device's name, the complete one if both are there.
    public var name: String? {
        var shortened: String?
        for case .name(let text, let complete) in elements {
            if complete { return text }
            shortened = shortened ?? text
        }
        return shortened
    }

    /// Every service UUID that is listed.
    public var services: [BluetoothUUID] {
        elements.flatMap { element -> [BluetoothUUID] in
            if case .services(let list, _) = element { list } else { [] }
        }
    }

    /// The data that company `number` sent.
    public func manufacturerData(_ number: UInt16) -> [UInt8]? {
        for case .manufacturer(number, let data) in elements { return data }
        return nil
    }
}

extension AdvertisingData.Element {
    init(type: UInt8, data: [UInt8]) {
        self =
            switch type {
            case 0x01: data.first.map(Self.flags) ?? .other(type, data)
            case 0x02, 0x03: Self.services(data, width: 2, complete: type == 0x03) ?? .other(type, data)
            case 0x06, 0x07: Self.services(data, width: 16, complete: type == 0x07) ?? .other(type, data)
            case 0x08, 0x09: .name(String(decoding: data, as: UTF8.self), complete: type == 0x09)
            case 0x0A: data.first.map { .txPower(Int8(bitPattern: $0)) } ?? .other(type, data)
            case 0x16: Self.serviceData(data, width: 2) ?? .other(type, data)
            case 0x21: Self.serviceData(data, width: 16) ?? .other(type, data)
            case 0xFF where data.count >= 2:
                .manufacturer(UInt16(data[0]) | UInt16(data[1]) << 8, Array(data.dropFirst(2)))
            default: .other(type, data)
            }
    }

    private static func services(_ data: [UInt8], width: Int, complete: Bool) -> Self? {
        guard data.count.isMultiple(of: width) else { return nil }
        let list = stride(from: 0, to: data.count, by: width).compactMap {
            BluetoothUUID(wire: data[$0..<$0 + width])
        }
        return .services(list, complete: complete)
    }

    private static func serviceData(_ data: [UInt8], width: Int) -> Self? {
        BluetoothUUID(wire: data.prefix(width)).map { .serviceData($0, Array(data.dropFirst(width))) }
    }

    fileprivate func replaces(_ other: Self) -> Bool {
        switch (self, other) {
        case (.flags, .flags), (.txPower, .txPower): true
        case (.name(_, let mine), .name(_, let theirs)): mine == theirs
        case (.serviceData(let mine, let old), .serviceData(let theirs, let new)):
            mine == theirs && old.first == new.first
        case (.manufacturer(let mine, _), .manufacturer(let theirs, _)): mine == theirs
        default: self == other
        }
    }
}
