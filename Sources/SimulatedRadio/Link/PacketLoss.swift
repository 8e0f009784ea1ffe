/// What becomes of each packet on a link that loses some, from a seed.
struct PacketLoss: Sendable {
    /// What becomes of a packet.
    enum PacketOutcome: Sendable { case arrives, damaged, unheard }

    /// More than this would be no link.
    private static let most = 0.95

    private var numbers: SplitMix64

    init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

    /// Half of what is lost is heard, but damaged.
    mutating func fate(_ loss: Double) -> PacketOutcome {
        guard loss > 0 else { return .arrives }
        let loss = min(loss, Self.most)
        let draw = Double(numbers.next() >> 11) * 0x1p-53
        guard draw < loss else { return .arrives }
        return draw < loss / 2 ? .damaged : .unheard
    }
}
