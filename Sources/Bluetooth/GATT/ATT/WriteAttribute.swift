import Bytes

/// Vol 3, Part F, 3.4.5.1: a write that is acknowledged.
struct WriteAttribute: ATTRequest {
    static let opcode = ATTOpcode.writeRequest
    static let answerOpcode = ATTOpcode.writeResponse
    let handle: UInt16
    let value: [UInt8]

    func write(to writer: inout ByteWriter) {
        writer.integer(handle)
        writer.append(value)
    }
    func answer(parsing reader: inout ByteReader) throws(ByteError) {}
}
