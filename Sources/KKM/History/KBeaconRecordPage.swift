import Bytes

/// The records in one answer of a KBeacon (kbeacon.md, Records).
package struct KBeaconRecordPage: Equatable, Sendable {
    static let noPosition: UInt32 = 0xFFFF_FFFF

    /// The records, in the requested order.
    package let records: [KBeaconRecord]
    let next: UInt32?

    init(records: [KBeaconRecord], next: UInt32?) { (self.records, self.next) = (records, next) }

    /// Parses the answer to the query for records of `kind`: one or several of these, of which the last one has
    /// the next position.
    ///
    ///     0  1  02
    ///     1  2  the number of bytes that follow
    ///     3  1  kind
    ///     4  4  the position of the next records, or FFFFFFFF
    ///     8  …  records
    init(answer: [UInt8], of kind: KBeaconRecordKind) throws(ByteError) {
        var reader = ByteReader(answer)
        var records: [KBeaconRecord] = []
        var position: UInt32
        repeat {
            try Self.expect(0x02, "message", &reader)
            let length: UInt16 = try reader.integer("length", .big)
            var content = try reader.nested("records", Int(length))
            try Self.expect(kind.rawValue, "kind", &content)
            position = try content.integer("next position", .big)
            while content.remaining > 0 { records.append(try KBeaconRecord(parsing: &content, of: kind)) }
        } while reader.remaining > 0
        self.records = records
        next = position == Self.noPosition ? nil : position
    }

    private static func expect(
        _ value: UInt8, _ field: StaticString, _ reader: inout ByteReader
    ) throws(ByteError) {
        let offset = reader.offset
        let found: UInt8 = try reader.integer(field)
        guard found == value else {
            throw ByteError(
                offset: offset, field: field.description,
                reason: .mismatch(expected: UInt64(value), found: UInt64(found)))
        }
    }
}

/// The kinds of records of a KBeacon, as far as their format is public (kbeacon.md, Records).
package enum KBeaconRecordKind: UInt8, CaseIterable, Sendable {
    case humidity = 0x02
    /// Opening and closing, for example of doors.
    case alarm = 0x08
    /// Motion of warm bodies (PIR).
    case pir = 0x10
    case light = 0x20
    /// Volatile organic compounds and nitrogen oxides.
    case voc = 0x40
    case carbonDioxide = 0x41

    var questionForSummary: [UInt8] { [0x01, rawValue] }
}
