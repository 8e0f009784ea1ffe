import ByteCoding

/// What a KBeacon tells while its session is open, because a trigger went off (kbeacon.md, Events).
public struct KBeaconEvent: Equatable, Sendable {
    /// Everything that came.
    public let bytes: [UInt8]
    /// The beacon's number for what happened.
    public let type: UInt8
    /// What that is called; nil for a number that is not known.
    public let name: String?
    /// Which click or press of the button it was; nil for all else, and where that is not told.
    public let click: String?
    /// What was measured, where that is told.
    public let reading: KBeaconRecord?

    private static let first: [UInt8: String] = [1: "proximity", 2: "humidity", 3: "button", 4: "motion"]
    private static let firstClicks: [UInt8: String] = [
        2: "long-press", 3: "single-click", 4: "double-click", 5: "triple-click",
    ]
    private static let second: [UInt8: String] = [
        1: "motion", 2: "angle", 3: "long-press", 4: "single-click", 5: "double-click", 6: "triple-click",
        7: "cut-off", 8: "temperature-above", 9: "temperature-below", 10: "humidity-above",
        11: "humidity-below", 12: "humidity-periodically", 13: "pir", 14: "light-above", 15: "light-below",
        20: "periodically", 60: "position",
    ]

    /// Reads what a beacon of `generation` has indicated; nil for nothing.
    init?(_ bytes: [UInt8], of generation: KBeaconGeneration) {
        guard let first = bytes.first else { return nil }
        self.bytes = bytes
        // The upper two bits of the second generation's are not part of it.
        type = generation == .first ? first : first & 0x3F
        name = (generation == .first ? Self.first : Self.second)[type]
        click =
            switch generation {
            case .first: type == 3 ? bytes.dropFirst().first.flatMap { Self.firstClicks[$0] } : nil
            case .second: (3...6).contains(type) ? name : nil
            }
        var reader = ByteReader(Array(bytes.dropFirst()))
        let hasReading = generation == .first ? type == 2 : (8...11).contains(type)
        reading = hasReading ? try? KBeaconRecord(parsing: &reader, of: .humidity) : nil
    }
}
