/// The severity of a finding.
public enum FindingLevel: String, CaseIterable, Sendable {
    /// Devices refuse this, the file contradicts itself, or it must not be released.
    case error
    /// Some devices refuse this, or it is rarely intended.
    case warning
    /// Worth knowing.
    case note
}

extension Sequence<Finding> {
    /// Errors first, then warnings, then notes; otherwise in their order.
    public var errorsFirst: [Finding] {
        FindingLevel.allCases.flatMap { level in filter { $0.level == level } }
    }

    /// The first error.
    public var firstError: Finding? { first { $0.level == .error } }
}
