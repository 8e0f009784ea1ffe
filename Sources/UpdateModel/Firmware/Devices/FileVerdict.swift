/// What a device would do with a file.
public enum FileVerdict: Hashable, Sendable, CustomStringConvertible {
    case accepted
    /// The device would refuse the file, or never start it, by the rule `id`; `code` is the device's own; nil if none.
    case refused(id: FailureCode, code: String?, cause: String)
    /// The verdict depends on unknown facts about the device, which have these keys.
    case undecided([String])

    /// The name in JSON output.
    public var word: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        case .undecided: "undecided"
        }
    }

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
    /// The device would refuse the file by the rule `id`; `code` is the device's own, nil if none; then the cause.
    case refuse(id: FailureCode, code: String?, String)
    /// The result depends on an unknown fact, which has this key in `--target`.
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
