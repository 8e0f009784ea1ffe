import ByteCoding

/// What a KBeacon says of its records of a kind before they are read (kbeacon.md, Records).
public struct KBeaconHistorySummary: Equatable, Sendable {
    /// What the records are of.
    public let kind: KBeaconRecordKind
    /// How many there are.
    public let total: Int
    /// How many nobody has read with the order that moves the beacon's pointer.
    public let unread: Int
    /// The beacon's clock when it answered.
    public let clock: UInt32

    /// Reads the answer of a beacon of `generation` to the question for records of `kind`; nil for what is none.
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
