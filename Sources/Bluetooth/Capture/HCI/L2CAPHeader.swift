import Bytes

/// The header of every packet of a channel (Vol 3, Part A, 3.1).
///
///     0  2  length of what follows the header
///     2  2  channel
struct L2CAPHeader: Equatable, Sendable {
    static let size = 4
    let length: UInt16
    let channel: UInt16

    /// Nil if L2CAP cannot carry that many bytes.
    init?(length: Int, channel: UInt16) {
        guard let length = UInt16(exactly: length) else { return nil }
        self.length = length
        self.channel = channel
    }

    init(parsing reader: inout ByteReader) throws(ByteError) {
        length = try reader.integer("L2CAP length")
        channel = try reader.integer("L2CAP channel")
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.integer(length)
        writer.integer(channel)
        return writer.bytes
    }
}
