import Bytes

/// A request with the type of its answer, so that the answer cannot be parsed as that of another request.
struct ATTRequest<Answer: Sendable>: Sendable {
    let opcode: ATTOpcode
    let parameters: [UInt8]
    let answer: @Sendable (inout ByteReader) throws(ByteError) -> Answer

    var bytes: [UInt8] { [opcode.rawValue] + parameters }

    /// The opcode of the answer: the request's plus 1.
    var answerOpcode: ATTOpcode { ATTOpcode(rawValue: opcode.rawValue + 1) }
}

extension ATTRequest<UInt16> {
    /// Vol 3, Part F, 3.4.2.1: each side sends its maximum, and the smaller value applies.
    static func exchangeMTU(_ mtu: UInt16) -> Self {
        Self(opcode: .exchangeMTURequest, parameters: mtu.bytes()) { (reader) throws(ByteError) in
            try reader.integer("server MTU")
        }
    }
}

extension ATTRequest<Void> {
    /// Vol 3, Part F, 3.4.5.1: a write that is acknowledged.
    static func write(_ value: [UInt8], to handle: UInt16) -> Self {
        Self(opcode: .writeRequest, parameters: handle.bytes() + value) { _ in }
    }
}

extension ATTRequest<[UInt8]> {
    /// Vol 3, Part F, 3.4.4.3.
    static func read(_ handle: UInt16) -> Self {
        Self(opcode: .readRequest, parameters: handle.bytes()) { Array($0.remainder()) }
    }

    /// Vol 3, Part F, 3.4.4.5: the rest of a value that is longer than a packet.
    static func readBlob(_ handle: UInt16, from offset: UInt16) -> Self {
        Self(opcode: .readBlobRequest, parameters: handle.bytes() + offset.bytes()) { Array($0.remainder()) }
    }
}

/// An attribute, or a service as a group of attributes, as the peer reports it: its handles, and its value.
struct AttributeEntry: Equatable, Sendable {
    let first: UInt16
    /// The last handle of the service; for a single attribute, `first`.
    let last: UInt16
    let value: [UInt8]
}

extension ATTRequest<[AttributeEntry]> {
    /// Vol 3, Part F, 3.4.4.1, for characteristic declarations.
    ///
    ///     0  1  length n of an entry
    ///     1  n  entries: handle (2), value (n - 2)
    static func readByType(_ type: UInt16, in handles: ClosedRange<UInt16>) -> Self {
        Self(opcode: .readByTypeRequest, parameters: bytes(of: handles) + type.bytes()) {
            (reader) throws(ByteError) in
            let length = Int(try reader.integer("entry length", as: UInt8.self))
            return try entries(&reader) { (reader) throws(ByteError) in
                var entry = try reader.nested("attribute entry", length)
                let handle: UInt16 = try entry.integer("handle")
                return AttributeEntry(first: handle, last: handle, value: Array(entry.remainder()))
            }
        }
    }

    /// Vol 3, Part F, 3.4.4.9, for primary services.
    ///
    ///     0  1  length n of an entry
    ///     1  n  entries: handle (2), end group handle (2), value (n - 4)
    static func readByGroupType(_ type: UInt16, in handles: ClosedRange<UInt16>) -> Self {
        Self(opcode: .readByGroupTypeRequest, parameters: bytes(of: handles) + type.bytes()) {
            (reader) throws(ByteError) in
            let length = Int(try reader.integer("entry length", as: UInt8.self))
            return try entries(&reader) { (reader) throws(ByteError) in
                var entry = try reader.nested("service entry", length)
                let first: UInt16 = try entry.integer("handle")
                let last: UInt16 = try entry.integer("end group handle")
                return AttributeEntry(first: first, last: last, value: Array(entry.remainder()))
            }
        }
    }

    /// Vol 3, Part F, 3.4.3.1: the descriptors of a characteristic.
    ///
    ///     0  1  format: 1 for 16-bit UUIDs, 2 for 128-bit ones
    ///     1  n  entries: handle (2), UUID (2 or 16)
    static func findInformation(in handles: ClosedRange<UInt16>) -> Self {
        Self(opcode: .findInformationRequest, parameters: bytes(of: handles)) { (reader) throws(ByteError) in
            let start = reader.offset
            let format: UInt8 = try reader.integer("format")
            guard format == 1 || format == 2 else {
                throw ByteError(
                    offset: start, field: "format", reason: .mismatch(expected: 1, found: UInt64(format)))
            }
            return try entries(&reader) { (reader) throws(ByteError) in
                let handle: UInt16 = try reader.integer("handle")
                let uuid = Array(try reader.bytes("descriptor UUID", format == 1 ? 2 : 16))
                return AttributeEntry(first: handle, last: handle, value: uuid)
            }
        }
    }

    private static func bytes(of handles: ClosedRange<UInt16>) -> [UInt8] {
        handles.lowerBound.bytes() + handles.upperBound.bytes()
    }

    /// Parses one or more entries, up to the end of the packet.
    private static func entries(
        _ reader: inout ByteReader, _ next: (inout ByteReader) throws(ByteError) -> AttributeEntry
    ) throws(ByteError) -> [AttributeEntry] {
        var entries: [AttributeEntry] = []
        repeat { entries.append(try next(&reader)) } while reader.remaining > 0
        return entries
    }
}
