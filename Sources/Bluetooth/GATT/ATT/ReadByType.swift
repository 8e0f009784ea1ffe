import Bytes

/// Vol 3, Part F, 3.4.4.1, for characteristic declarations.
struct ReadByType: ATTRequest {
    static let opcode = ATTOpcode.readByTypeRequest
    static let answerOpcode = ATTOpcode.readByTypeResponse
    let handles: ClosedRange<UInt16>
    let type: UInt16

    func write(to writer: inout ByteWriter) { writer.handles(handles, type) }

    ///     0  1  length n of an entry
    ///     1  n  entries: handle (2), value (n - 2)
    func answer(parsing reader: inout ByteReader) throws(ByteError) -> [AttributeValue] {
        var values: [AttributeValue] = []
        let length = Int(try reader.integer("entry length", as: UInt8.self))
        repeat {
            var entry = try reader.nested("attribute entry", length)
            let handle: UInt16 = try entry.integer("handle")
            values.append(AttributeValue(handle: handle, value: Array(entry.remainder())))
        } while reader.remaining > 0
        return values
    }
}

/// An attribute and its value.
struct AttributeValue: Equatable, Sendable {
    let handle: UInt16
    let value: [UInt8]
}
