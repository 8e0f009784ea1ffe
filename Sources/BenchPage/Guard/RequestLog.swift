/// The outcomes of requests, by their keys: a request that is repeated because its answer was lost gets the same answer
/// and has no second effect.
package struct RequestLog: Sendable {
    /// What to do with a request.
    package enum Answer: Hashable, Sendable {
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
    package init() {}

    /// What to do with the request `action` of `user` under `key`.
    package mutating func begin(
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
    package mutating func end(_ key: String?, _ refusal: PageRefusal?) {
        guard let key else { return }
        if let refusal, refusal.status >= 500 {
            entries[key] = nil
            order.removeAll { $0 == key }
            return
        }
        entries[key]?.state = refusal.map(State.refused) ?? .done
    }
}

/// The parts of a request that determine access.
package struct RequestHead: Hashable, Sendable {
    /// Host, or the authority.
    package var host: String?
    package var origin: String?
    /// Sec-Fetch-Site.
    package var fetchSite: String?
    package var contentType: String?
    /// X-CSRF-Token.
    package var csrf: String?
    package var authorization: String?
    /// The session id in its cookie.
    package var session: String?

    /// A head without values.
    package init() {}
}

/// The headers of every answer.
package enum AnswerHeaders {
    /// Names and values. There are no CORS headers: no other page may read anything.
    package static let all: [(name: String, value: String)] =
        [
            (
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ]

    /// The header of answers over TLS: for 30 days browsers use only TLS for this name.
    package static let secure = (name: "Strict-Transport-Security", value: "max-age=2592000")
}
