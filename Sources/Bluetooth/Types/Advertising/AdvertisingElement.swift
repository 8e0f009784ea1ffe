import Bytes

extension AdvertisingData {
    /// One AD structure (Core Specification Supplement, Part A, 1; Assigned Numbers, 2.3). Types are hexadecimal.
    ///
    /// A structure whose content does not fit its type, or whose type has no case here, is kept as `other`.
    public enum Element: Hashable, Sendable {
        /// Type 01.
        case flags(UInt8)
        /// Types 02 to 07: UUIDs of services with 16, 32 or 128 bits.
        case services([BluetoothUUID], complete: Bool)
        /// Types 14, 1F and 15: services that the device wants its peer to have.
        case solicitation([BluetoothUUID])
        /// Types 08 and 09.
        case name(String, complete: Bool)
        /// Type 0A, in dBm.
        case txPower(Int8)
        /// Type 0D: the class of device of BR/EDR, 24 bits.
        case classOfDevice(UInt32)
        /// Type 10 with eight bytes: the manufacturer. With sixteen it is a temporary key, see `other`.
        case deviceIdentity(DeviceIdentity)
        /// Type 12: the connection intervals that the device prefers; nil for an end without preference.
        case connectionIntervals(shortest: Duration?, longest: Duration?)
        /// Types 16, 20 and 21: a service's UUID and its data.
        case serviceData(BluetoothUUID, [UInt8])
        /// Types 17 and 18: the addressees of the advertisement.
        case targets([DeviceAddress])
        /// Type 19 (Assigned Numbers, 2.6).
        case appearance(UInt16)
        /// Types 1A and 2F: the time from one advertising event to the next.
        case advertisingInterval(Duration)
        /// Type 1B: the sender's address, for connecting to it.
        case deviceAddress(DeviceAddress)
        /// Type 1C: the roles that the device supports.
        case role(Role)
        /// Type 24: a code point for the scheme (Assigned Numbers, 2.7), and the rest of the URI.
        case uri(scheme: UInt32, String)
        /// Type 27: the feature bits of the link layer (Vol 6, Part B, 4.6).
        case supportedFeatures(UInt64)
        /// Type 30: the name of an audio broadcast.
        case broadcastName(String)
        /// Type FF: a company's number and its data.
        case manufacturer(UInt16, [UInt8])
        /// Any other type.
        case other(UInt8, [UInt8])
    }

    /// The roles that a device supports (CSS, Part A, 1.17.2).
    public enum Role: UInt8, Hashable, Sendable {
        case peripheral = 0
        case central = 1
        /// Both roles, preferably peripheral.
        case preferablyPeripheral = 2
        /// Both roles, preferably central.
        case preferablyCentral = 3
    }
}

extension AdvertisingData.Element {
    /// Whether this structure of a later report replaces `old` of an earlier one.
    func replaces(_ old: Self) -> Bool {
        switch (self, old) {
        case (.flags, .flags), (.txPower, .txPower), (.classOfDevice, .classOfDevice),
            (.deviceIdentity, .deviceIdentity), (.connectionIntervals, .connectionIntervals),
            (.appearance, .appearance), (.advertisingInterval, .advertisingInterval),
            (.deviceAddress, .deviceAddress), (.role, .role), (.supportedFeatures, .supportedFeatures),
            (.broadcastName, .broadcastName):
            true
        case (.name(_, let new), .name(_, let old)): new == old
        // A service, or a company, may rotate frames of several kinds, which differ in their first byte.
        case (.serviceData(let new, let frame), .serviceData(let old, let oldFrame)):
            new == old && frame.first == oldFrame.first
        case (.manufacturer(let new, let frame), .manufacturer(let old, let oldFrame)):
            new == old && frame.first == oldFrame.first
        default: self == old
        }
    }

    /// A structure of `type`; `other` if `data` does not fit that type.
    init(type: UInt8, data: [UInt8]) {
        var reader = ByteReader(data)
        // Leftover bytes mean that the structure does not fit its type.
        if let element = try? Self.typed(type, &reader), reader.remaining == 0 {
            self = element
        } else {
            self = .other(type, data)
        }
    }

    private static func typed(_ type: UInt8, _ reader: inout ByteReader) throws(ByteError) -> Self? {
        switch type {
        case 0x01:
            let bits: UInt8 = try reader.integer("flags")
            // More octets are allowed; none of their bits has a meaning yet (CSS, Part A, 1.3.2).
            _ = reader.remainder()
            return .flags(bits)
        case 0x02, 0x03: return try .services(uuids(2, &reader), complete: type == 0x03)
        case 0x04, 0x05: return try .services(uuids(4, &reader), complete: type == 0x05)
        case 0x06, 0x07: return try .services(uuids(16, &reader), complete: type == 0x07)
        case 0x08, 0x09: return .name(text(&reader), complete: type == 0x09)
        case 0x0A: return .txPower(Int8(bitPattern: try reader.integer("TX power")))
        case 0x0D: return .classOfDevice(UInt32(try reader.number("class of device", 3, .little)))
        case 0x10: return .deviceIdentity(try DeviceIdentity(parsing: &reader))
        case 0x12: return try connectionIntervals(&reader)
        case 0x14: return .solicitation(try uuids(2, &reader))
        case 0x1F: return .solicitation(try uuids(4, &reader))
        case 0x15: return .solicitation(try uuids(16, &reader))
        case 0x16: return try serviceData(2, &reader)
        case 0x20: return try serviceData(4, &reader)
        case 0x21: return try serviceData(16, &reader)
        case 0x17: return try targets(.public, &reader)
        case 0x18: return try targets(.random, &reader)
        case 0x19: return .appearance(try reader.integer("appearance"))
        case 0x1A: return .advertisingInterval(steps(try reader.number("advertising interval", 2, .little)))
        // Three or four octets, as needed (CSS, Part A, 1.15).
        case 0x2F:
            let count = reader.remaining == 4 ? 4 : 3
            return .advertisingInterval(steps(try reader.number("advertising interval", count, .little)))
        case 0x1B: return try deviceAddress(&reader)
        case 0x1C: return AdvertisingData.Role(rawValue: try reader.integer("role")).map(Self.role)
        case 0x24: return uri(&reader)
        case 0x27 where (1...8).contains(reader.remaining):
            return .supportedFeatures(try reader.number("features", reader.remaining, .little))
        case 0x30: return .broadcastName(text(&reader))
        case 0xFF: return .manufacturer(try reader.integer("company"), Array(reader.remainder()))
        default: return nil
        }
    }

    private static func text(_ reader: inout ByteReader) -> String {
        String(decoding: reader.remainder(), as: UTF8.self)
    }

    /// Advertising intervals are sent in steps of 0.625 ms.
    private static func steps(_ count: UInt64) -> Duration { .microseconds(625) * Int(count) }

    private static func uuid(_ width: Int, _ reader: inout ByteReader) throws(ByteError) -> BluetoothUUID? {
        guard width == 4 else { return BluetoothUUID(wire: try reader.bytes("UUID", width)) }
        return BluetoothUUID(number: try reader.integer("UUID"))
    }

    private static func uuids(_ width: Int, _ reader: inout ByteReader) throws(ByteError) -> [BluetoothUUID] {
        var list: [BluetoothUUID] = []
        while reader.remaining > 0, let uuid = try uuid(width, &reader) { list.append(uuid) }
        return list
    }

    private static func serviceData(_ width: Int, _ reader: inout ByteReader) throws(ByteError) -> Self? {
        try uuid(width, &reader).map { .serviceData($0, Array(reader.remainder())) }
    }

    private static func targets(
        _ kind: DeviceAddress.Kind, _ reader: inout ByteReader
    ) throws(ByteError) -> Self? {
        var list: [DeviceAddress] = []
        repeat { list.append(try DeviceAddress(parsing: &reader, kind)) } while reader.remaining > 0
        return .targets(list)
    }

    ///     0  6  address, least significant byte first
    ///     6  1  bit 0: random; the others are reserved (CSS, Part A, 1.16)
    private static func deviceAddress(_ reader: inout ByteReader) throws(ByteError) -> Self? {
        let bytes = Array(try reader.bytes("address", 6).reversed())
        let isRandom = try reader.integer("address type", as: UInt8.self) & 1 == 1
        return DeviceAddress(bytes, isRandom ? .random : .public).map(Self.deviceAddress)
    }

    ///     0  2  shortest, 1.25 ms; FFFF: any
    ///     2  2  longest, 1.25 ms; FFFF: any
    ///
    /// Each is 0x0006 to 0x0C80, and the shortest at most the longest; other values are reserved (CSS, Part A, 1.9).
    private static func connectionIntervals(_ reader: inout ByteReader) throws(ByteError) -> Self? {
        let shortest: UInt16 = try reader.integer("shortest interval")
        let longest: UInt16 = try reader.integer("longest interval")
        let allowed: ClosedRange<UInt16> = 0x0006...0x0C80
        let ends = [shortest, longest].filter { $0 != 0xFFFF }
        guard ends.allSatisfy(allowed.contains), ends == ends.sorted() else { return nil }
        func duration(_ count: UInt16) -> Duration? {
            count == 0xFFFF ? nil : .microseconds(1250) * Int(count)
        }
        return .connectionIntervals(shortest: duration(shortest), longest: duration(longest))
    }

    private static func uri(_ reader: inout ByteReader) -> Self? {
        let text = text(&reader).unicodeScalars
        guard let scheme = text.first, scheme != "\u{FFFD}" else { return nil }
        return .uri(scheme: scheme.value, String(text.dropFirst()))
    }
}
