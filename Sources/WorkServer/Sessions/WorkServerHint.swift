/// A hint that something has changed. Hints can be lost: readers have to poll as well.
public enum WorkServerHint: Hashable, Sendable {
    /// Hints arrive from now on; earlier changes have to be queried.
    case listening
    /// An order has changed: its number.
    case order(String)
    /// Results of an order have arrived: its number.
    case results(String)
    /// This version of the catalogue was published or withdrawn.
    case catalogue(Int64)
    /// A file was recalled: its SHA-256.
    case recall(String)

    /// Whether a station that works on `order` has to react: `results` is for viewers only, since a change of the order
    /// has a hint of its own.
    public func concerns(workAt order: String) -> Bool {
        switch self {
        case .order(let number): number == order
        case .results: false
        case .listening, .catalogue, .recall: true
        }
    }

    /// The hint in a notification on the work server's channel; nil for one of a later work server.
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
