public import Bytes

/// A recording in the format of Wireshark, btmon and Android's Bluetooth log: HCI packets with time and
/// direction (RFC 1761 describes the layout for Solaris' snoop; Wireshark's `wiretap/btsnoop.c` this variant).
///
///     0  8  "btsnoop" and a zero byte
///     8  4  version: 1, big-endian like everything but the packets
///    12  4  data link: 1002, HCI packets with their H4 type in front
///    16  …  records
public struct BTSnoopFile: Equatable, Sendable {
    static let magic = Array("btsnoop\0".utf8)
    static let version: UInt32 = 1
    static let dataLink: UInt32 = 1002

    /// The records, in the order of the file.
    public let records: [BTSnoopRecord]

    /// The bytes before the first record.
    static var header: [UInt8] {
        var writer = ByteWriter(magic)
        writer.integer(version, .big)
        writer.integer(dataLink, .big)
        return writer.bytes
    }

    /// Parses the recording in `bytes`. A file that ends inside a record is damaged: this program writes whole
    /// records.
    public init(parsing bytes: [UInt8]) throws(ByteError) {
        var reader = ByteReader(bytes)
        for expected in Self.magic { try reader.expect(expected, "file identification") }
        try reader.expect(Self.version, "version")
        try reader.expect(Self.dataLink, "data link")
        var records: [BTSnoopRecord] = []
        while reader.remaining > 0 { records.append(try BTSnoopRecord(parsing: &reader)) }
        self.records = records
    }

    /// Encodes the file.
    public var bytes: [UInt8] { records.reduce(into: Self.header) { $0 += $1.bytes } }
}

extension ByteReader {
    /// Requires a field with the value that the format prescribes, most significant byte first.
    fileprivate mutating func expect<T: FixedWidthInteger & UnsignedInteger>(
        _ value: T, _ field: StaticString
    ) throws(ByteError) {
        let start = offset
        let found: T = try integer(field, .big)
        guard found == value else {
            throw ByteError(
                offset: start, field: field.description,
                reason: .mismatch(expected: UInt64(value), found: UInt64(found)))
        }
    }
}
