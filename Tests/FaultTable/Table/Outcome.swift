import UpdateBench
import UpdateCore

/// How one update under faults has ended.
package enum Outcome: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The right image runs, and the report says how that was seen.
    case right
    /// The right image runs, and the report says that the device has confirmed it and could not be seen again.
    case rightUnseen
    /// The update has failed with this code.
    case failed(String)
    /// The report calls something done that is not there, or does not warn of what it could not see.
    case falseSuccess
    /// It took longer than everything that is waited for together.
    case endless
    /// The device has no whole image left that it could start, neither the old one nor the new one.
    case ruined
    /// The client has done what no client must.
    case forbidden(String)

    /// Nothing that is waited for takes longer together: five links of 30 s of silence each, and the searches.
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
