import Bytes

/// Vol 3, Part F, 3.4.4.9, for primary services.
struct ReadByGroupType: ATTRequest {
    static let opcode = ATTOpcode.readByGroupTypeRequest
    static let answerOpcode = ATTOpcode.readByGroupTypeResponse
    let handles: ClosedRange<UInt16>
    let type: UInt16

    func write(to writer: inout ByteWriter) { writer.handles(handles, type) }

    ///     0  1  length n of an entry
    ///     1  n  entries: handle (2), end group handle (2), value (n - 4)
    func answer(parsing reader: inout ByteReader) throws(ByteError) -> [AttributeGroup] {
        var groups: [AttributeGroup] = []
        let length = Int(try reader.integer("entry length", as: UInt8.self))
        repeat {
            var entry = try reader.nested("service entry", length)
            let first: UInt16 = try entry.integer("handle")
            let last: UInt16 = try entry.integer("end group handle")
            groups.append(AttributeGroup(first: first, last: last, value: Array(entry.remainder())))
        } while reader.remaining > 0
        return groups
    }
}

/// A service as the peer reports it: its handles, and its UUID as bytes.
struct AttributeGroup: Equatable, Sendable {
    let first: UInt16
    let last: UInt16
    let value: [UInt8]
}
