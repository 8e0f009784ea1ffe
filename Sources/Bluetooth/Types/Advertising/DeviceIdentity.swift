public import Bytes

/// A device's manufacturer, product and version.
///
///     0  2  source of the vendor's number: 1 Bluetooth SIG, 2 USB Implementer's Forum
///     2  2  vendor
///     4  2  product, numbered by the vendor
///     6  2  version JJMN in binary-coded decimal: JJ major, M minor, N sub-minor
///
/// Advertised as type 10 (Device ID Profile, 5), and with one byte for the source the value of the
/// characteristic PnP ID (Device Information Service, 3.9).
public struct DeviceIdentity: Hashable, Sendable {
    /// The registry that `vendor` belongs to.
    public let source: UInt16
    /// The vendor's number.
    public let vendor: UInt16
    /// The vendor's number for the product.
    public let product: UInt16
    /// The version, in binary-coded decimal.
    public let version: UInt16

    /// An identity of four numbers.
    public init(source: UInt16, vendor: UInt16, product: UInt16, version: UInt16) {
        self.source = source
        self.vendor = vendor
        self.product = product
        self.version = version
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
