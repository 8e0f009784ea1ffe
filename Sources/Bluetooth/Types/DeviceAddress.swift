public import Bytes

/// A device address with its type. The type is part of the identity: with the wrong one, connecting always fails.
///
/// Vol 6, Part B, 1.3.
public struct DeviceAddress: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: String, Hashable, Sendable {
        /// Assigned by the IEEE.
        case `public`
        /// Chosen by the device: static, or changing.
        case random

        /// The kind for a type in a controller's events: even: public, odd: random (2 and 3 after it was resolved).
        package init(eventType type: UInt8) { self = type.isMultiple(of: 2) ? .public : .random }
    }

    /// The six bytes, most significant first, as they are printed.
    public private(set) var bytes: [UInt8]
    public let kind: Kind

    /// The address of six bytes, most significant first; nil for any other number of bytes.
    public init?(_ bytes: some Collection<UInt8>, _ kind: Kind = .random) {
        guard bytes.count == 6 else { return nil }
        self.bytes = Array(bytes)
        self.kind = kind
    }

    /// Parses `F0:0D:00:00:00:01`.
    public init?(_ text: some StringProtocol, _ kind: Kind = .random) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isHexDigit) }) else {
            return nil
        }
        self.init(parts.compactMap { UInt8($0, radix: 16) }, kind)
    }

    /// The addresses that a user may mean by `text`, such as `F0:0D:00:00:00:01/public`: without `/public` or `/random` the
    /// random one, then the public one. Empty for other texts.
    package static func named(by text: String) -> [DeviceAddress] {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2 else { return [] }
        let kinds = parts.count == 1 ? [.random, .public] : [Kind(rawValue: String(parts[1]))]
        return kinds.compactMap { kind in kind.flatMap { DeviceAddress(parts[0], $0) } }
    }

    /// The next six bytes, which are sent least significant first.
    package init(parsing reader: inout ByteReader, _ kind: Kind) throws(ByteError) {
        bytes = try reader.bytes("address", 6).reversed()
        self.kind = kind
    }

    /// This address with `step` added to the last printed byte, without carry: 0xFF + 1 is 0x00.
    ///
    /// Nordic's bootloaders advertise at the application's address + 1 in this sense.
    public func neighbour(_ step: Int8) -> DeviceAddress {
        var neighbour = self
        neighbour.bytes[5] &+= UInt8(bitPattern: step)
        return neighbour
    }

    /// Hashes the address as one number: every report is looked up by its sender, and hashing byte by byte is slow.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    /// `AA:BB:CC:DD:EE:FF`, upper case.
    public var description: String {
        bytes.map { HexText.digits($0, uppercase: true) }.joined(separator: ":")
    }
}

/// A device's manufacturer, product and version.
///
///     0  2  source of the vendor's number: 1 Bluetooth SIG, 2 USB Implementer's Forum
///     2  2  vendor
///     4  2  product, numbered by the vendor
///     6  2  version JJMN in binary-coded decimal: JJ major, M minor, N sub-minor
///
/// It is advertised as type 0x10 (Device ID Profile, 5). The characteristic PnP ID has the same content, but one byte
/// for the source (Device Information Service, 3.9).
public struct DeviceIdentity: Hashable, Sendable {
    public let source: UInt16
    public let vendor: UInt16
    public let product: UInt16
    public let version: UInt16

    public init(source: UInt16, vendor: UInt16, product: UInt16, version: UInt16) {
        (self.source, self.vendor, self.product, self.version) = (source, vendor, product, version)
    }

    /// The advertised form, eight bytes.
    public init(parsing reader: inout ByteReader) throws(ByteError) {
        let source: UInt16 = try reader.integer("vendor source")
        try self.init(source: source, rest: &reader)
    }

    /// The characteristic's form, seven bytes.
    public init(parsingPnP reader: inout ByteReader) throws(ByteError) {
        let source: UInt8 = try reader.integer("vendor source")
        try self.init(source: UInt16(source), rest: &reader)
    }

    private init(source: UInt16, rest reader: inout ByteReader) throws(ByteError) {
        self.source = source
        vendor = try reader.integer("vendor")
        product = try reader.integer("product")
        version = try reader.integer("version")
    }
}
