public import Tray

/// A user's request to a bench.
public struct BenchAction: Hashable, Sendable {
    /// The kinds of requests.
    public enum Kind: String, CaseIterable, Sendable {
        /// Continue after a hold.
        case release
        /// Start no further unit.
        case hold
        /// Try a unit again.
        case retry
        /// Skip a unit, or end it at its next safe point.
        case skip
        /// Make a unit blink.
        case blink
        /// End the run: units at work are finished, no further unit starts.
        case stop

        /// Whether it concerns one unit.
        public var isOfUnit: Bool { self == .retry || self == .skip || self == .blink }
        /// The name in a bench's list of actions.
        var name: String { self == .stop ? "end" : rawValue }
        /// The required role.
        public var role: PageRole { self == .release ? .approver : .worker }
    }

    /// The kind.
    public let kind: Kind
    /// The bench's id.
    public let bench: String
    /// The label of the unit's slot; nil for the whole bench.
    public let slot: String?
    /// The start of the hold to release; nil for any.
    public let since: RecordedTime?

    /// A request of `kind`; nil if a needed slot is missing or an unneeded one is given.
    public init?(_ kind: Kind, bench: String, slot: String?, since: RecordedTime? = nil) {
        guard kind == .release || since == nil, kind.isOfUnit == (slot != nil), !bench.isEmpty,
            bench.utf8.count <= 256,
            slot?.utf8.count ?? 1 <= 256
        else { return nil }
        (self.kind, self.bench, self.slot, self.since) = (kind, bench, slot, since)
    }
}
