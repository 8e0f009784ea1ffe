/// What may be worth a look. Hints get lost: whoever needs to know asks now and then as well.
public enum WorkServerHint: Hashable, Sendable {
    /// Hints come from now on; whatever happened before is found by asking.
    case listening
    /// An order has changed: its number.
    case order(String)
    /// Results of an order have come: its number.
    case results(String)
    /// This version of the catalogue was published or withdrawn.
    case catalogue(Int64)
    /// A file was recalled: its SHA-256.
    case recall(String)

    /// Whether whoever works at `order` has to look: results change an order only with a hint of its own, and are for those who watch.
    public func concerns(workAt order: String) -> Bool {
        switch self {
        case .order(let number): number == order
        case .results: false
        case .listening, .catalogue, .recall: true
        }
    }

    /// What a notification on the engine's channel says; nil for one of a later engine.
    init?(_ payload: String) {
        let parts = payload.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "order": self = .order(parts[1])
        case "results": self = .results(parts[1])
        case "catalogue":
            guard let version = Int64(parts[1]) else { return nil }
            self = .catalogue(version)
        case "recall": self = .recall(parts[1])
        default: return nil
        }
    }
}
