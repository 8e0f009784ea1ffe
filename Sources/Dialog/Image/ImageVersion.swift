public import Bytes

/// The version of a SUOTA image: 16 bytes, ASCII up to the first 00 or FF.
public struct ImageVersion: Hashable, Sendable {
    /// Bytes of the field.
    public static let length = 16

    /// The field in the header.
    public let bytes: [UInt8]

    /// Reads the field.
    public init(parsing reader: inout ByteReader) throws(ByteError) {
        bytes = Array(try reader.bytes("version", Self.length))
    }

    /// The version `text` as the vendor's tool writes it: followed by 00, then FF. Nil unless it has 1 to 15
    /// characters of printable ASCII.
    public init?(_ text: String) {
        let characters = Array(text.utf8)
        guard (1..<Self.length).contains(characters.count), characters.allSatisfy(Self.isPrintable) else {
            return nil
        }
        let filling = [UInt8](repeating: 0xFF, count: Self.length - characters.count - 1)
        bytes = characters + [0] + filling
    }

    /// The version in a vendor's version file, by the rule of the vendor's tool: a leading `v_` is dropped, and at
    /// most 15 characters are kept.
    public init?(definition: String) {
        self.init(String((definition.hasPrefix("v_") ? definition.dropFirst(2) : definition[...]).prefix(15)))
    }

    /// The version for people: characters other than printable ASCII are shown as U+FFFD. Empty if there is none.
    public var text: String {
        String(String.UnicodeScalarView(used.map { Self.isPrintable($0) ? Unicode.Scalar($0) : "\u{FFFD}" }))
    }

    /// Whether all of it, up to its end, is printable ASCII.
    public var isText: Bool { used.allSatisfy(Self.isPrintable) }

    private var used: ArraySlice<UInt8> { bytes.prefix { $0 != 0 && $0 != 0xFF } }

    private static func isPrintable(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) }
}
