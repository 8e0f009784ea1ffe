import Bytes

/// A KBeacon's summary of its records of one kind (kbeacon.md, Records).
public struct KBeaconHistorySummary: Equatable, Sendable {
    /// The kind of records.
    public let kind: KBeaconRecordKind
    /// The number of records.
    public let total: Int
    /// The number of records that were not yet read in the order that moves the beacon's pointer.
    public let unread: Int
    /// The beacon's clock at the time of its answer.
    public let clock: UInt32

    /// Parses the answer of a beacon of `generation` to the query for records of `kind`; nil if it is not one.
    ///
    ///     0  1  01; in the first generation also 00
    ///     1  1  kind
    ///     2  2  records; in the second generation 4
    ///     …  2  unread ones; in the second generation 4
    ///     …  4  the beacon's clock, seconds
    init?(answer: [UInt8], of kind: KBeaconRecordKind, _ generation: KBeaconGeneration) {
        var reader = ByteReader(answer)
        do throws(ByteError) {
            let message: UInt8 = try reader.integer("message")
            let itsKind: UInt8 = try reader.integer("kind")
            guard message == 1 || message == 0 && generation == .first, itsKind == kind.rawValue else {
                return nil
            }
            switch generation {
            case .first:
                total = Int(try reader.integer("records", as: UInt16.self, .big))
                unread = Int(try reader.integer("unread records", as: UInt16.self, .big))
            case .second:
                total = Int(try reader.integer("records", as: UInt32.self, .big))
                unread = Int(try reader.integer("unread records", as: UInt32.self, .big))
            }
            clock = try reader.integer("clock", .big)
            try reader.end(of: "summary")
        } catch { return nil }
        self.kind = kind
    }
}
