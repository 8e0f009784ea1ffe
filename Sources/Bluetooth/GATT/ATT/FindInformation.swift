import Bytes

/// Vol 3, Part F, 3.4.3.1: the descriptors of a characteristic.
struct FindInformation: ATTRequest {
    static let opcode = ATTOpcode.findInformationRequest
    static let answerOpcode = ATTOpcode.findInformationResponse
    let handles: ClosedRange<UInt16>

    func write(to writer: inout ByteWriter) { writer.handles(handles) }

    ///     0  1  format: 1 for 16-bit UUIDs, 2 for 128-bit ones
    ///     1  n  entries: handle (2), UUID (2 or 16)
    func answer(parsing reader: inout ByteReader) throws(ByteError) -> [AttributeValue] {
        let start = reader.offset
        let format: UInt8 = try reader.integer("format")
        guard format == 1 || format == 2 else {
            throw ByteError(
                offset: start, field: "format", reason: .mismatch(expected: 1, found: UInt64(format)))
        }
        var entries: [AttributeValue] = []
        repeat {
            let handle: UInt16 = try reader.integer("handle")
            let uuid = Array(try reader.bytes("descriptor UUID", format == 1 ? 2 : 16))
            entries.append(AttributeValue(handle: handle, value: uuid))
        } while reader.remaining > 0
        return entries
    }
}
