import Bytes
import UpdateModel

/// A Marble firmware file (README.md, File).
struct MarbleFile: Sendable {
    private static let mark = Array("MARB".utf8)
    private static let formatVersion: UInt8 = 1

    /// The header as it is in the file, and as it is sent to a device.
    let header: [UInt8]
    /// Everything after the header.
    let body: [UInt8]
    /// The board that it is for; 0 for any.
    let board: UInt8
    /// The body's length, from the header.
    let length: Int
    /// The body's CRC-32, from the header.
    let crc: UInt32
    /// The version.
    let version: String
    /// The build time, in seconds since 1970.
    let builtAt: UInt32

    /// Whether a file is meant to be one.
    static func isMeant(_ file: [UInt8]) -> Bool { file.starts(with: mark) }

    /// Throws if the structure is broken; other errors are ``findings``.
    init(parsing file: [UInt8]) throws(ByteError) {
        var reader = ByteReader(file)
        header = Array(try reader.bytes("header", 20))
        body = Array(reader.remainder())

        reader = ByteReader(file)
        _ = try reader.bytes("mark", Self.mark.count)
        try reader.expect(Self.formatVersion, "format")
        board = try reader.integer("board")
        _ = try reader.bytes("reserved", 2)
        length = Int(try reader.integer("length", as: UInt32.self, .big))
        crc = try reader.integer("crc", .big)
        let headerCRC = CRC32.checksum(header[..<16])
        try reader.expect(headerCRC, "header crc", .big)
        version = String(decoding: try reader.bytes("version", 12).prefix { $0 != 0 }, as: UTF8.self)
        builtAt = try reader.integer("built", .big)
    }

    /// What devices and people will mind.
    var findings: [Finding] {
        var list: [Finding] = []
        if body.count < length {
            list.append(
                Finding(
                    .file.sizeMismatch, .error, offset: 8, field: "length",
                    "says \(length) bytes, and \(body.count) are there"))
        } else if body.count > length {
            list.append(
                Finding(
                    .file.trailingBytes, .error, offset: 20 + length, field: "body",
                    "is followed by \(body.count - length) bytes too many"))
        } else if CRC32.checksum(body) != crc {
            list.append(
                Finding(
                    .device.imageCRCMismatch, .error, offset: 12, field: "crc",
                    "is \(HexText.digits(crc)), and the body's is \(HexText.digits(CRC32.checksum(body)))"))
        }
        if board == 0 {
            list.append(Finding(.marble.boardOpen, .warning, offset: 5, field: "board", "fits any board"))
        }
        return list
    }
}
