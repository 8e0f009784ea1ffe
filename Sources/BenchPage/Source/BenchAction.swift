public import Tray

/// What a person wants of a bench.
public struct BenchAction: Hashable, Sendable {
    /// The kinds of wishes.
    public enum Kind: String, CaseIterable, Sendable {
        /// Goes on after a hold.
        case release
        /// Begins no further unit.
        case hold
        /// Tries a unit again.
        case retry
        /// Leaves a unit out, or ends it at its next safe point.
        case skip
        /// Has a unit blink.
        case blink
        /// Ends the run: units at work are finished, none is begun.
        case stop

        /// Whether it is about one unit.
        public var isOfUnit: Bool { self == .retry || self == .skip || self == .blink }
        /// As a bench says that it can be wished.
        var name: String { self == .stop ? "end" : rawValue }
        /// Who may wish it.
        public var role: PageRole { self == .release ? .approver : .worker }
    }

    /// What.
    public let kind: Kind
    /// Of which bench, by its id.
    public let bench: String
    /// Of which unit, by the label of its place.
    public let slot: String?
    /// Which hold is released, by when it began; nil for any.
    public let since: RecordedTime?

    /// A wish of `kind`; nil where it needs a slot and has none, or has one and needs none.
    public init?(_ kind: Kind, bench: String, slot: String?, since: RecordedTime? = nil) {
        guard kind == .release || since == nil, kind.isOfUnit == (slot != nil), !bench.isEmpty,
            bench.utf8.count <= 256,
            slot?.utf8.count ?? 1 <= 256
        else { return nil }
        (self.kind, self.bench, self.slot, self.since) = (kind, bench, slot, since)
    }
}
