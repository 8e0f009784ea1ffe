/// What a device would do with a file.
public enum FileVerdict: Hashable, Sendable {
    /// It would install it.
    case accepted
    /// It would refuse it, or never start it: the rule, the device's own code if it has one, and the cause.
    case refused(id: String, code: String?, cause: String)
    /// That depends on unknown facts about the device; their keys.
    case undecided([String])

    /// The name in JSON output.
    public var word: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        case .undecided: "undecided"
        }
    }
}

extension FileVerdict: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .accepted: "accepted"
        case .refused(_, let code?, let cause): "refused with \(code): \(cause)"
        case .refused(_, nil, let cause): "refused: \(cause)"
        case .undecided(let keys): "cannot be decided without \(keys.joined(separator: ", "))"
        }
    }
}

/// The result of one check of a device.
public enum Answer: Hashable, Sendable {
    case pass
    /// It would refuse the file: the rule, the device's own code if it has one, and the cause.
    case refuse(id: String, code: String?, String)
    /// The result depends on an unknown fact; its key in `--target`.
    case needs(String)
}

extension FileVerdict {
    /// The first refusal decides; without one, the result depends on all missing facts.
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
