/// What becomes of each packet on a link that loses some, from a seed (SplitMix64, Steele and others 2014).
struct PacketLoss: Sendable {
    /// What becomes of a packet.
    enum Fate: Sendable { case arrives, damaged, unheard }

    /// More than this would be no link.
    private static let most = 0.95

    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Half of what is lost is heard, but damaged.
    mutating func fate(_ loss: Double) -> Fate {
        guard loss > 0 else { return .arrives }
        let loss = min(loss, Self.most)
        let draw = Double(next() >> 11) * 0x1p-53
        guard draw < loss else { return .arrives }
        return draw < loss / 2 ? .damaged : .unheard
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
