import Bytes

/// A Bluetooth UUID: a 16-bit or 32-bit number in the Bluetooth base UUID, or 128 bits of a vendor.
///
/// Vol 3, Part B, 2.5.1: a 16-bit UUID `xxxx` means `0000xxxx-0000-1000-8000-00805F9B34FB`. Both forms compare as
/// equal.
public struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
    /// The 16 bytes, most significant first, as the text form shows them.
    public let bytes: [UInt8]

    private static let base: [UInt8] = [
        0, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0x80, 0x5F, 0x9B, 0x34, 0xFB,
    ]

    public init(_ short: UInt16) {
        var bytes = Self.base
        bytes[2] = UInt8(short >> 8)
        bytes[3] = UInt8(short & 0xFF)
        self.bytes = bytes
    }

    /// The UUID of the 32-bit number `number`: `xxxxxxxx-0000-1000-8000-00805F9B34FB`. Only advertising data
    /// has this form; attributes have the long one (Vol 3, Part F, 3.2.1).
    public init(number: UInt32) {
        bytes = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } + Self.base.dropFirst(4)
    }

    /// A UUID in transmission order: 2 or 16 bytes, least significant first. Nil for any other length.
    public init?(wire: some Collection<UInt8>) {
        switch wire.count {
        case 2: self.init(wire.reversed().reduce(0) { $0 << 8 | UInt16($1) })
        case 16: self.init(bytes: wire.reversed())
        default: return nil
        }
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// Parses `8EC90001-F315-4F60-9FB8-838830DAEA50` or `FE59`.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 1 || parts.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
        let digits = parts.joined()
        guard digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        switch digits.count {
        case 4:
            guard let short = UInt16(digits, radix: 16) else { return nil }
            self.init(short)
        case 32:
            guard let high = UInt64(digits.prefix(16), radix: 16),
                let low = UInt64(digits.suffix(16), radix: 16)
            else { return nil }
            self.init(high: high, low: low)
        default: return nil
        }
    }

    /// The UUID whose text form is the digits of `high` and then of `low`.
    public init(high: UInt64, low: UInt64) {
        bytes = [high, low].flatMap { half in
            (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) }
        }
    }

    /// The 16-bit form, if the UUID has one.
    public var short: UInt16? {
        var masked = bytes
        masked[2] = 0
        masked[3] = 0
        return masked == Self.base ? UInt16(bytes[2]) << 8 | UInt16(bytes[3]) : nil
    }

    /// The bytes in transmission order, least significant first: 2 for a 16-bit form, otherwise 16.
    public var wire: [UInt8] { short.map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } ?? bytes.reversed() }

    /// `FE59`, or the long form in upper case.
    public var description: String {
        func hex(_ range: Range<Int>) -> String {
            bytes[range].map { HexText.digits($0, uppercase: true) }.joined()
        }
        if short != nil { return hex(2..<4) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map(hex).joined(separator: "-")
    }
}

/// A characteristic, identified by its own UUID and that of its service.
public struct Characteristic: Hashable, Sendable, CustomStringConvertible {
    public let service: BluetoothUUID
    public let uuid: BluetoothUUID

    public init(_ service: BluetoothUUID, _ uuid: BluetoothUUID) {
        (self.service, self.uuid) = (service, uuid)
    }

    public var description: String { "\(uuid) of service \(service)" }
}

/// Values that describe a device (Device Information Service 1.1, 3; Battery Service 1.1, 3.1).
extension Characteristic {
    package static let modelNumber = Self(0x180A, 0x2A24)
    package static let firmwareRevision = Self(0x180A, 0x2A26)
    package static let hardwareRevision = Self(0x180A, 0x2A27)
    package static let softwareRevision = Self(0x180A, 0x2A28)
    package static let manufacturerName = Self(0x180A, 0x2A29)
    package static let batteryLevel = Self(0x180F, 0x2A19)

    package init(_ service: UInt16, _ number: UInt16) {
        self.init(BluetoothUUID(service), BluetoothUUID(number))
    }
}

extension String {
    /// The text of a characteristic's value; nil if it is empty. Some devices send the terminating zero of their C
    /// string.
    package init?(characteristicValue value: [UInt8]) {
        self.init(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
        if isEmpty { return nil }
    }
}

extension BluetoothUUID {
    /// The Bluetooth SIG's name of a service (Assigned Numbers, 3.4), for services found on beacons.
    public var serviceName: String? { short.flatMap { Self.services[$0] } }

    /// The Bluetooth SIG's name of a characteristic (Assigned Numbers, 3.8), for those found on beacons.
    public var characteristicName: String? { short.flatMap { Self.characteristics[$0] } }

    private static let services: [UInt16: String] = [
        0x1800: "Generic Access", 0x1801: "Generic Attribute", 0x1802: "Immediate Alert",
        0x1803: "Link Loss", 0x1804: "Tx Power", 0x1805: "Current Time", 0x1809: "Health Thermometer",
        0x180A: "Device Information", 0x180D: "Heart Rate", 0x180F: "Battery",
        0x1812: "Human Interface Device", 0x1815: "Automation IO", 0x181A: "Environmental Sensing",
        0x181C: "User Data", 0x1827: "Mesh Provisioning", 0x1828: "Mesh Proxy",
        0xFE59: "Nordic Secure DFU", 0xFEAA: "Eddystone", 0xFEF5: "Dialog SUOTA",
    ]

    private static let characteristics: [UInt16: String] = [
        0x2A00: "Device Name", 0x2A01: "Appearance", 0x2A02: "Peripheral Privacy Flag",
        0x2A03: "Reconnection Address", 0x2A04: "Peripheral Preferred Connection Parameters",
        0x2A05: "Service Changed", 0x2A06: "Alert Level", 0x2A07: "Tx Power Level", 0x2A19: "Battery Level",
        0x2A23: "System ID", 0x2A24: "Model Number String", 0x2A25: "Serial Number String",
        0x2A26: "Firmware Revision String", 0x2A27: "Hardware Revision String",
        0x2A28: "Software Revision String", 0x2A29: "Manufacturer Name String",
        0x2A2A: "IEEE 11073-20601 Regulatory Certification Data List", 0x2A2B: "Current Time",
        0x2A37: "Heart Rate Measurement", 0x2A50: "PnP ID", 0x2A6D: "Pressure", 0x2A6E: "Temperature",
        0x2A6F: "Humidity", 0x2AA6: "Central Address Resolution",
        0x2AC9: "Resolvable Private Address Only", 0x2B29: "Client Supported Features",
        0x2B2A: "Database Hash", 0x2B3A: "Server Supported Features",
    ]
}
