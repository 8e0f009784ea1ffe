import Bytes

/// The content of an advertisement or a scan response, structure by structure.
///
///     0  1  length n of type and data; 0 ends the report
///     1  1  AD type
///     2  n-1 data
///
/// A structure that runs past the end ends the report; the structures before it count (Core, Vol 3, Part C, 11;
/// beacons in the field send such reports).
public struct AdvertisingData: Hashable, Sendable {
    /// How many structures of one device are remembered: three times as many as the longest extended report
    /// holds in practice. A device that changes every report must not fill memory.
    static let mostRemembered = 64

    /// The structures, in the order in which they were sent.
    public var elements: [Element] = []
    /// The bytes after the last structure, which form no structure, zeros included: some beacons declare a structure
    /// one byte too short.
    public var leftover: [UInt8] = []

    public init() {}

    public init(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        var rest = reader
        while let length: UInt8 = try? reader.integer("length"), length > 0,
            var structure = try? reader.nested("structure", Int(length)),
            let type: UInt8 = try? structure.integer("type")
        {
            elements.append(Element(type: type, data: Array(structure.remainder())))
            rest = reader
        }
        leftover = Array(rest.remainder())
    }

    /// The combination of this and a later report of the same device; structures of the later one replace earlier ones.
    public func merged(with later: AdvertisingData) -> AdvertisingData {
        var result = self
        result.elements.removeAll { old in later.elements.contains { $0.replaces(old) } }
        let excess = result.elements.count + later.elements.count - Self.mostRemembered
        result.elements.removeFirst(min(max(0, excess), result.elements.count))
        result.elements += later.elements
        if !later.leftover.isEmpty { result.leftover = later.leftover }
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

    public var services: [BluetoothUUID] {
        elements.flatMap { element -> [BluetoothUUID] in
            if case .services(let list, _) = element { list } else { [] }
        }
    }

    /// The companies of the manufacturer data, in the order in which they were sent.
    public var companies: [UInt16] {
        elements.compactMap { if case .manufacturer(let number, _) = $0 { number } else { nil } }
    }

    public var appearance: UInt16? {
        for case .appearance(let value) in elements { return value }
        return nil
    }

    /// The transmit power in dBm, according to its own advertisement.
    public var txPower: Int8? {
        for case .txPower(let value) in elements { return value }
        return nil
    }

    /// The data of company `number`, the latest if several were sent.
    public func manufacturerData(_ number: UInt16) -> [UInt8]? {
        for case .manufacturer(number, let data) in elements.reversed() { return data }
        return nil
    }
}

extension AdvertisingData.Element {
    /// The name of an AD type (Assigned Numbers, 2.3); nil for numbers that are not assigned.
    public static func name(ofType type: UInt8) -> String? { names[type] }

    private static let names: [UInt8: String] = [
        0x01: "Flags", 0x02: "Incomplete List of 16-bit Service UUIDs",
        0x03: "Complete List of 16-bit Service UUIDs", 0x04: "Incomplete List of 32-bit Service UUIDs",
        0x05: "Complete List of 32-bit Service UUIDs", 0x06: "Incomplete List of 128-bit Service UUIDs",
        0x07: "Complete List of 128-bit Service UUIDs", 0x08: "Shortened Local Name",
        0x09: "Complete Local Name", 0x0A: "Tx Power Level", 0x0D: "Class of Device",
        0x0E: "Simple Pairing Hash C-192", 0x0F: "Simple Pairing Randomizer R-192",
        // One number with two meanings; a device is unlikely to advertise its key.
        0x10: "Device ID or Security Manager TK Value", 0x11: "Security Manager Out of Band Flags",
        0x12: "Peripheral Connection Interval Range", 0x14: "List of 16-bit Service Solicitation UUIDs",
        0x15: "List of 128-bit Service Solicitation UUIDs", 0x16: "Service Data - 16-bit UUID",
        0x17: "Public Target Address", 0x18: "Random Target Address", 0x19: "Appearance",
        0x1A: "Advertising Interval", 0x1B: "LE Bluetooth Device Address", 0x1C: "LE Role",
        0x1D: "Simple Pairing Hash C-256", 0x1E: "Simple Pairing Randomizer R-256",
        0x1F: "List of 32-bit Service Solicitation UUIDs", 0x20: "Service Data - 32-bit UUID",
        0x21: "Service Data - 128-bit UUID", 0x22: "LE Secure Connections Confirmation Value",
        0x23: "LE Secure Connections Random Value", 0x24: "URI", 0x25: "Indoor Positioning",
        0x26: "Transport Discovery Data", 0x27: "LE Supported Features",
        0x28: "Channel Map Update Indication", 0x29: "PB-ADV", 0x2A: "Mesh Message", 0x2B: "Mesh Beacon",
        0x2C: "BIGInfo", 0x2D: "Broadcast_Code", 0x2E: "Resolvable Set Identifier",
        0x2F: "Advertising Interval - long", 0x30: "Broadcast_Name", 0x31: "Encrypted Advertising Data",
        0x32: "Periodic Advertising Response Timing Information", 0x34: "Electronic Shelf Label",
        0x3D: "3D Information Data", 0xFF: "Manufacturer Specific Data",
    ]
}
