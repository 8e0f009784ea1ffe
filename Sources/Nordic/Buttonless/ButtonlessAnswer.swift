/// The application's response to a buttonless request (nordic-buttonless.md, Layout).
///
///     0  1  20
///     1  1  opcode of the request
///     2  1  result
struct ButtonlessAnswer: Equatable, Sendable {
    /// The result code.
    enum Result: UInt8, Sendable {
        case invalid = 0
        case success = 1
        case notSupported = 2
        case failed = 4
        case nameInvalid = 5
        case busy = 6
        case notBonded = 7
    }

    let opcode: UInt8
    let code: UInt8

    /// Nil for bytes that are not a response; bytes after the result are ignored.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 3, bytes[0] == 0x20 else { return nil }
        opcode = bytes[1]
        code = bytes[2]
    }

    var result: Result? { Result(rawValue: code) }
}
