import Bytes

/// A packet from the peer, by what the client does with it.
enum IncomingATTPacket: Equatable, Sendable {
    /// The answer to our request; the request parses the parameters.
    case answer(ATTOpcode, [UInt8])
    /// Our request was refused.
    ///
    ///     0  1  opcode 01
    ///     1  1  the request's opcode
    ///     2  2  handle
    ///     4  1  status
    case refusal(of: ATTOpcode, handle: UInt16, status: ATTStatus)
    case notification(handle: UInt16, value: [UInt8])
    case indication(handle: UInt16, value: [UInt8])
    /// A request by the peer, which may be a client too.
    case request(ATTOpcode, [UInt8])
    /// A command or a packet without meaning for a client.
    case ignored(ATTOpcode)

    init(parsing reader: inout ByteReader) throws(ByteError) {
        let opcode = ATTOpcode(rawValue: try reader.integer("opcode"))
        switch opcode {
        case .errorResponse:
            let request = ATTOpcode(rawValue: try reader.integer("request opcode"))
            let handle: UInt16 = try reader.integer("handle")
            let status = ATTStatus(rawValue: try reader.integer("error code"))
            self = .refusal(of: request, handle: handle, status: status)
        case .notification:
            let handle: UInt16 = try reader.integer("handle")
            self = .notification(handle: handle, value: Array(reader.remainder()))
        case .indication:
            let handle: UInt16 = try reader.integer("handle")
            self = .indication(handle: handle, value: Array(reader.remainder()))
        case .confirmation, .multipleNotification: self = .ignored(opcode)
        case _ where opcode.isCommand: self = .ignored(opcode)
        case _ where opcode.isRequest: self = .request(opcode, Array(reader.remainder()))
        default:
            // An answer's opcode is its request's plus 1, which is odd. Every unknown odd opcode ends up here too;
            // the waiting request rejects it.
            self = .answer(opcode, Array(reader.remainder()))
        }
    }
}
