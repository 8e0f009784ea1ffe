/// The turn to connect with one adapter, which makes one link at a time.
struct ConnectQueue: Sendable {
    /// How long the kernel keeps a link that we have left (`HCI_DISCONN_TIMEOUT`): so long it takes room in the
    /// controller.
    static let lingering = Duration.seconds(2)

    /// Who connects.
    private(set) var unit: UnitNumber?
    /// Until when nobody may, because there was no room for another link.
    private(set) var restsUntil: Duration?

    /// Whether somebody may connect.
    func isFree(at now: Duration) -> Bool { unit == nil && restsUntil.map { $0 <= now } ?? true }

    mutating func take(_ unit: UnitNumber) {
        self.unit = unit
        restsUntil = nil
    }

    /// `unit` does not connect any more.
    mutating func pass(from unit: UnitNumber) {
        if self.unit == unit { self.unit = nil }
    }

    mutating func rest(from now: Duration) { restsUntil = now + Self.lingering }

    /// There may be room again.
    mutating func wake() { restsUntil = nil }
}
