public import Bluetooth
import Bytes

/// One AD structure of an advert (Core Specification Supplement, Part A).
public struct ADStructure: Hashable, Sendable {
    public var type: UInt8
    /// The encoded company number or UUID in front of the data; empty if the type needs none.
    public var owner: [UInt8]
    public var data: [UInt8]
    /// The value of its length byte; nil for the correct length.
    public var announcedLength: UInt8?

    public init(_ type: UInt8, of owner: [UInt8] = [], _ data: [UInt8]) {
        (self.type, self.owner, self.data) = (type, owner, data)
    }

    /// The flags for general discoverable, without BR/EDR.
    public static let flags = ADStructure(0x01, [0x06])

    /// A complete list of services with one entry.
    public static func service(_ uuid: BluetoothUUID) -> ADStructure {
        ADStructure(uuid.short == nil ? 0x07 : 0x03, uuid.wire)
    }

    /// Service data of the service with this 16-bit UUID.
    public static func service(_ number: UInt16, _ data: [UInt8]) -> ADStructure {
        ADStructure(0x16, of: number.bytes(), data)
    }

    /// Manufacturer data of the company with this number.
    public static func company(_ number: UInt16, _ data: [UInt8]) -> ADStructure {
        ADStructure(0xFF, of: number.bytes(), data)
    }

    /// A complete name.
    public static func name(_ text: String) -> ADStructure { ADStructure(0x09, Array(text.utf8)) }

    /// The TX power in dBm.
    public static func txPower(_ power: Int8) -> ADStructure { ADStructure(0x0A, [UInt8(bitPattern: power)]) }

    public var bytes: [UInt8] {
        [announcedLength ?? UInt8(clamping: 1 + owner.count + data.count), type] + owner + data
    }
}

extension [UInt8] {
    /// A little-endian number of `width` bytes; missing bytes are 0.
    func field(_ offset: Int, _ width: Int) -> Int {
        dropFirst(offset).prefix(width).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// An 8.8 fixed-point number in two's complement, big-endian; 0x8000 if it is out of range.
    init(fixed value: Double) {
        let number = Int16(exactly: (value * 256).rounded()) ?? Int16.min
        self = UInt16(bitPattern: number).bytes(.big)
    }
}

/// The content of one advert: the main structure, and those around it.
public struct AdvertisedFrame: Hashable, Sendable {
    public var before: [ADStructure]
    /// The structure that identifies the frame.
    public var main: ADStructure
    public var after: [ADStructure]

    public init(_ before: [ADStructure], _ main: ADStructure, _ after: [ADStructure] = []) {
        (self.before, self.main, self.after) = (before, main, after)
    }

    public init(_ main: ADStructure) { self.init([], main) }

    /// The capacity of an advert or a scan response, in bytes (Core, Vol 6, Part B, 2.3.1).
    public static let capacity = 31

    public var bytes: [UInt8] { (before + [main] + after).flatMap(\.bytes) }
}

/// A version of two bytes, as in the frames of several vendors.
public struct TwoPartVersion: Hashable, Sendable {
    public var major: UInt8
    public var minor: UInt8

    public init(_ major: UInt8, _ minor: UInt8) { (self.major, self.minor) = (major, minor) }

    /// Parses a text such as `6.20`; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard parts.count == 2, let major = parts[0], let minor = parts[1] else { return nil }
        self.init(major, minor)
    }

    public var text: String { "\(major).\(minor)" }
}
