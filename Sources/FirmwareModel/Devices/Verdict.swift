/// What a device would do with a file.
public enum Verdict: Hashable, Sendable {
    /// It would install it.
    case accepted
    /// It would refuse it, or never start it: the rule, the device's own code where it has one, and the cause.
    case refused(id: String, code: String?, cause: String)
    /// That depends on facts about the device that were not given; their keys.
    case undecided([String])

    /// The word in JSON output.
    public var word: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        case .undecided: "undecided"
        }
    }
}

extension Verdict: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .accepted: "accepted"
        case .refused(_, let code?, let cause): "refused with \(code): \(cause)"
        case .refused(_, nil, let cause): "refused: \(cause)"
        case .undecided(let keys): "undecided without \(keys.joined(separator: ", "))"
        }
    }
}

/// The answer to one question that a device asks.
public enum Answer: Hashable, Sendable {
    case pass
    /// It would refuse the file: the rule, the device's own code where it has one, and the cause.
    case refuse(id: String, code: String?, String)
    /// The answer depends on a fact that was not given; its key in `--target`.
    case needs(String)
}

extension Verdict {
    /// The first refusal decides; without one every fact that was missing might.
    public init(_ answers: [Answer]) {
        var missing: [String] = []
        for answer in answers {
            switch answer {
            case .pass: break
            case .refuse(let id, let code, let cause):
                self = .refused(id: id, code: code, cause: cause)
                return
            case .needs(let key): if !missing.contains(key) { missing.append(key) }
            }
        }
        self = missing.isEmpty ? .accepted : .undecided(missing)
    }
}
