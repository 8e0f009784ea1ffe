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
        let start = reader.offset
        let marker: UInt8 = try reader.integer("response marker")
        guard marker == 0x60 else {
            throw ByteError(
                offset: start, field: "response marker",
                reason: .mismatch(expected: 0x60, found: UInt64(marker)))
        }
        opcode = try reader.integer("request opcode")
        result = try reader.integer("result")
        payload = Array(reader.remainder())
    }

    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let answer = try? SecureAnswer(parsing: &reader) else { return nil }
        self = answer
    }

    /// Whether this is a response to `request`. Some devices also send `60 03 01` for each packet, which is none.
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

/// How to continue with what the device already holds: the tables of nordic-secure.md, Resume.
enum ResumePoint: Equatable, Sendable {
    /// The device holds nothing usable: create from the start, without an Execute before it.
    case fresh
    /// It holds other data, or too much: create the object from this offset, and check that the device returns to it.
    case recreate(at: Int)
    /// It holds a part of an object: send the rest, then execute it.
    case sendRest
    /// It holds whole objects: execute the last one, which may be executed already (then the response is 08).
    case executeAndSendRest
    /// It holds everything: execute the init packet, or the last object.
    case execute

    /// For an init packet, of which the device holds `progress`. It is short, so if it differs, all is sent again.
    init(command source: [UInt8], held progress: SecureProgress) {
        let offset = progress.offset
        guard offset > 0, offset <= source.count, CRC32.checksum(source[..<offset]) == progress.crc else {
            self = .fresh
            return
        }
        self = offset == source.count ? .execute : .sendRest
    }

    /// For an image in objects of at most `maximum` bytes. At offset 0 the CRC has no meaning. An offset inside a word
    /// means that the packets had a length that flash cannot write, which the CRC does not show.
    init(image: [UInt8], held progress: SecureProgress, maximum: Int) {
        let offset = progress.offset
        guard offset > 0 else {
            self = .fresh
            return
        }
        guard offset <= image.count, CRC32.checksum(image[..<offset]) == progress.crc,
            offset == image.count || (offset % maximum).isMultiple(of: 4)
        else {
            let excess = offset % maximum == 0 ? maximum : offset % maximum
            self = .recreate(at: min(max(0, offset - excess), (image.count - 1) / maximum * maximum))
            return
        }
        self =
            offset == image.count
            ? .execute : offset.isMultiple(of: maximum) ? .executeAndSendRest : .sendRest
    }
}
