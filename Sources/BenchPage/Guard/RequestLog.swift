/// The outcomes of requests, by their keys: a request that is repeated because its answer was lost gets the same answer
/// and has no second effect.
public struct RequestLog: Sendable {
    /// What to do with a request.
    public enum Answer: Hashable, Sendable {
        /// It is new: perform it, then call `end`.
        case perform
        /// It was accepted before.
        case done
    }

    private enum State: Hashable, Sendable {
        case running
        case done
        case refused(PageRefusal)
    }

    private struct Entry: Sendable {
        let action: BenchAction
        let user: PageUser
        var state: State
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []

    /// Starts empty.
    public init() {}

    /// What to do with the request `action` of `user` under `key`.
    public mutating func begin(
        _ key: String?, _ action: BenchAction, for user: PageUser
    ) throws(PageRefusal) -> Answer {
        guard let key, (8...128).contains(key.utf8.count) else {
            throw .malformed("a request needs an Idempotency-Key of 8 to 128 bytes")
        }
        if let entry = entries[key] {
            guard entry.action == action, entry.user == user else { throw .keyReused }
            switch entry.state {
            case .running: throw .keyBusy
            case .done: return .done
            case .refused(let refusal): throw refusal
            }
        }
        entries[key] = Entry(action: action, user: user, state: .running)
        order.append(key)
        if order.count > PageLimits.requests { entries[order.removeFirst()] = nil }
        return .perform
    }

    /// Records the outcome of the request under `key`; nil for `refusal` means that it was accepted. A request that
    /// failed temporarily, or with an unknown outcome, may be repeated.
    public mutating func end(_ key: String?, _ refusal: PageRefusal?) {
        guard let key else { return }
        if let refusal, refusal.status >= 500 {
            entries[key] = nil
            order.removeAll { $0 == key }
            return
        }
        entries[key]?.state = refusal.map(State.refused) ?? .done
    }
}
