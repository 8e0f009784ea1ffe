/// The connect queue of one adapter, which makes one link at a time.
struct ConnectQueue: Sendable {
    /// How long the kernel keeps a link that we have left (`HCI_DISCONN_TIMEOUT`); until then it uses capacity of the
    /// controller.
    static let lingering = Duration.seconds(2)

    /// The unit that is connecting.
    private(set) var unit: UnitNumber?
    /// No unit may connect before this moment, because there was no capacity for another link.
    private(set) var restsUntil: Duration?

    /// Whether a unit may connect.
    func isFree(at now: Duration) -> Bool { unit == nil && restsUntil.map { $0 <= now } ?? true }

    mutating func take(_ unit: UnitNumber) {
        self.unit = unit
        restsUntil = nil
    }

    /// `unit` no longer connects.
    mutating func pass(from unit: UnitNumber) {
        if self.unit == unit { self.unit = nil }
    }

    mutating func rest(from now: Duration) { restsUntil = now + Self.lingering }

    /// There may be capacity again.
    mutating func wake() { restsUntil = nil }
}
