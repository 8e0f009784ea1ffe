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

struct AttributeValue: Equatable, Sendable {
    let handle: UInt16
    let value: [UInt8]
}

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
