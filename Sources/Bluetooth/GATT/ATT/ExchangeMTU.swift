import Bytes

/// Vol 3, Part F, 3.4.2.1: each side sends its maximum, and the smaller value applies.
struct ExchangeMTU: ATTRequest {
    static let opcode = ATTOpcode.exchangeMTURequest
    static let answerOpcode = ATTOpcode.exchangeMTUResponse
    let mtu: UInt16

    func write(to writer: inout ByteWriter) { writer.integer(mtu) }
    func answer(parsing reader: inout ByteReader) throws(ByteError) -> UInt16 {
        try reader.integer("server MTU")
    }
}
