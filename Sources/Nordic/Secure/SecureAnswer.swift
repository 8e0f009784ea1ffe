import Bytes

/// A notification of the control point (nordic-secure.md, Conversation and Refusals).
///
///     0  1  60
///     1  1  opcode of the request
///     2  1  result; 01 is success
///     3  …  payload; with result 0B one byte, the extended error
struct SecureAnswer: Equatable, Sendable {
    let opcode: UInt8
    let result: UInt8
    let payload: [UInt8]

    static let success: UInt8 = 0x01

    init(parsing reader: inout ByteReader) throws(ByteError) {
        try reader.expect(0x60 as UInt8, "response marker")
        opcode = try reader.integer("request opcode")
        result = try reader.integer("result")
        payload = Array(reader.remainder())
    }

    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        do { try self.init(parsing: &reader) } catch { return nil }
    }

    /// Whether this is a response to `request`. Some devices also send `60 03 01` for each packet; that is no response.
    func answers(_ request: SecureRequest) -> Bool { opcode == request.opcode && !isShortChecksum }

    /// Whether this is a checksum response without offset and CRC.
    var isShortChecksum: Bool {
        opcode == SecureRequest.checksum.opcode && result == Self.success
            && payload.count < Self.progressLength
    }

    private static let progressLength = 8

    var refusal: SecureRefusal? {
        result == Self.success ? nil : SecureRefusal(result: result, extended: payload.first)
    }

    /// Offset and CRC, as in a checksum response, a receipt and the end of a Select response.
    ///
    ///     0  4  offset
    ///     4  4  CRC-32 of everything before the offset
    static func progress(parsing reader: inout ByteReader) throws(ByteError) -> SecureProgress {
        let offset: UInt32 = try reader.integer("offset")
        return SecureProgress(offset: Int(offset), crc: try reader.integer("CRC-32"))
    }
}

struct SecureProgress: Equatable, Sendable {
    let offset: Int
    let crc: UInt32
}

/// The response to Select for an object type. Extra bytes are tolerated: some vendors' bootloaders send 20
/// (nordic-secure.md, Seen in the wild).
struct SecureSelection: Equatable, Sendable {
    let maximumSize: Int
    let progress: SecureProgress

    init(parsing reader: inout ByteReader) throws(ByteError) {
        let maximum: UInt32 = try reader.integer("maximum size")
        maximumSize = Int(maximum)
        progress = try SecureAnswer.progress(parsing: &reader)
    }
}
