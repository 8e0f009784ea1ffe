/// What became of wishes, by their keys: who sends one again, because its answer was lost, gets the same answer, and nothing
/// happens twice.
public struct RequestLog: Sendable {
    /// What to do with a wish.
    public enum Answer: Hashable, Sendable {
        /// It is new: do it, then say what came of it.
        case perform
        /// It was taken.
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

    /// No wishes yet.
    public init() {}

    /// What to do with the wish `action` of `user` under `key`.
    public mutating func begin(
        _ key: String?, _ action: BenchAction, for user: PageUser
    ) throws(PageRefusal) -> Answer {
        guard let key, (8...128).contains(key.utf8.count) else {
            throw .malformed("a wish needs an Idempotency-Key of 8 to 128 bytes")
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

    /// What came of the wish under `key`; nil for a refusal means that it was taken. What could not be done just then, or of which
    /// nobody knows, may be wished again.
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
