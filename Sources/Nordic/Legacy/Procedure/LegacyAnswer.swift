import Bytes

/// A notification of the Legacy control point (nordic-legacy.md, Layout).
///
///     0  1  10, a response
///     1  1  opcode of the request
///     2  1  status; 01 is success
///     3  4  bytes received, where opcode and status are 07 01
///
///     0  1  11, a receipt
///     1  4  bytes received
///
/// Bytes after these are ignored.
enum LegacyAnswer: Equatable, Sendable {
    case status(UInt8, of: UInt8)
    /// The number of image bytes received, in response to a request.
    case count(UInt32)
    /// The number of image bytes received, sent after every n packets.
    case receipt(UInt32)

    static let success: UInt8 = 0x01

    init(parsing reader: inout ByteReader) throws(ByteError) {
        let start = reader.offset
        let marker: UInt8 = try reader.integer("response marker")
        switch marker {
        case 0x10:
            let opcode: UInt8 = try reader.integer("request opcode")
            let status: UInt8 = try reader.integer("status")
            guard opcode == LegacyRequest.report.opcode, status == Self.success else {
                self = .status(status, of: opcode)
                return
            }
            self = .count(try reader.integer("bytes received"))
        case 0x11: self = .receipt(try reader.integer("bytes received"))
        default:
            throw ByteError(
                offset: start, field: "response marker",
                reason: .mismatch(expected: 0x10, found: UInt64(marker)))
        }
    }

    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let answer = try? LegacyAnswer(parsing: &reader) else { return nil }
        self = answer
    }
}
