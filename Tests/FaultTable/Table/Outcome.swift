import UpdateBench
import UpdateModel

/// The outcome of one update under faults.
package enum Outcome: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The right image runs, and the report states how that was verified.
    case right
    /// The right image runs, and the report states that the device has confirmed it but was not seen again.
    case rightUnseen
    /// The update has failed with this code.
    case failed(String)
    /// The report claims something that is not so, or has no warning about what was not verified.
    case falseSuccess
    /// The run took longer than all timeouts together.
    case endless
    /// The device has no whole image left that it could start, neither the old one nor the new one.
    case ruined
    /// The client has made a forbidden error.
    case forbidden(String)

    /// The upper bound of all timeouts: five links of 30 s of silence each, and the searches.
    static let limit = Duration.seconds(900)

    package var description: String {
        switch self {
        case .right: "right"
        case .rightUnseen: "right, unseen"
        case .failed(let code): "`\(code)`"
        case .falseSuccess: "FALSE SUCCESS"
        case .endless: "ENDLESS"
        case .ruined: "NO IMAGE"
        case .forbidden(let what): "FORBIDDEN: \(what)"
        }
    }

    /// Whether it is the right image, or one of these failures.
    func isFine(allowing codes: Set<String>) -> Bool {
        switch self {
        case .right, .rightUnseen: true
        case .failed(let code): codes.contains(code)
        case .falseSuccess, .endless, .ruined, .forbidden: false
        }
    }
}

extension [UpdateEvent] {
    func haveWarned(of code: FailureCode) -> Bool {
        contains { if case .warning(code, _) = $0 { true } else { false } }
    }
}
