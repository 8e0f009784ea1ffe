import FoundationEssentials

/// Random numbers that a printed seed reproduces (SplitMix64).
public struct Seed: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The sequence that begins with `value`.
    public init(_ value: UInt64) { state = value }

    /// The value of `BEACON_DFU_SEED`, to test other cases; otherwise constant, so that a passing run passes again.
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
