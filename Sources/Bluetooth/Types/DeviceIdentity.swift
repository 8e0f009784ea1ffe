public import Bytes

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
