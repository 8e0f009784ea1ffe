import FoundationEssentials

/// Random numbers that a printed seed brings back (SplitMix64).
public struct Seed: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The row that begins with `value`.
    public init(_ value: UInt64) { state = value }

    /// What `BEACON_DFU_SEED` says, to look elsewhere; else always the same, so that a run that passes is one
    /// that passes again.
    public static let ofThisRun: UInt64 =
        ProcessInfo.processInfo.environment["BEACON_DFU_SEED"].flatMap { UInt64($0) }
        ?? 6979

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// True once in `count` times.
    public mutating func isOneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
