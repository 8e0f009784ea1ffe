/// Decides from a seed which packets a lossy link loses.
struct PacketLoss: Sendable {
    /// The outcome of a packet.
    enum PacketOutcome: Sendable { case arrives, damaged, unheard }

    /// The highest loss with which a link still works.
    private static let most = 0.95

    private var numbers: SplitMix64

    init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

    /// Half of the lost packets are received damaged.
    mutating func fate(_ loss: Double) -> PacketOutcome {
        guard loss > 0 else { return .arrives }
        let loss = min(loss, Self.most)
        let draw = Double(numbers.next() >> 11) * 0x1p-53
        guard draw < loss else { return .arrives }
        return draw < loss / 2 ? .damaged : .unheard
    }
}
