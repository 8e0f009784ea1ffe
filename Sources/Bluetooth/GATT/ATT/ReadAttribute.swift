import Bytes

/// Vol 3, Part F, 3.4.4.3.
struct ReadAttribute: ATTRequest {
    static let opcode = ATTOpcode.readRequest
    static let answerOpcode = ATTOpcode.readResponse
    let handle: UInt16

    func write(to writer: inout ByteWriter) { writer.integer(handle) }
    func answer(parsing reader: inout ByteReader) throws(ByteError) -> [UInt8] { Array(reader.remainder()) }
}

/// Vol 3, Part F, 3.4.4.5: the rest of a value that is longer than a packet.
struct ReadBlob: ATTRequest {
    static let opcode = ATTOpcode.readBlobRequest
    static let answerOpcode = ATTOpcode.readBlobResponse
    let handle: UInt16
    let offset: UInt16

    func write(to writer: inout ByteWriter) {
        writer.integer(handle)
        writer.integer(offset)
    }
    func answer(parsing reader: inout ByteReader) throws(ByteError) -> [UInt8] { Array(reader.remainder()) }
}
