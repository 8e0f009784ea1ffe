package import UpdateBench
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

    /// Nothing that is waited for takes longer together: five links of 30 s of silence each, and the searches.
    private static let limit = Duration.seconds(900)

    package init(_ result: BenchResult, expecting image: [UInt8]) {
        let isRight = result.application == image
        switch result.outcome {
        case _ where result.took > Self.limit: self = .endless
        case .failure(let failure): self = .failed(failure.code.rawValue)
        case .success(let report) where report.verified == .no:
            self = isRight && result.hasWarned(of: .activationUnconfirmed) ? .rightUnseen : .falseSuccess
        // Power that fails between the device's confirmation and its settings leaves the old application, and
        // nothing but its version can tell.
        case .success where !isRight && result.hasWarned(of: .versionUnchanged):
            self = .failed("version-unchanged")
        case .success: self = isRight ? .right : .falseSuccess
        }
    }

    package var description: String {
        switch self {
        case .right: "right"
        case .rightUnseen: "right, unseen"
        case .failed(let code): "`\(code)`"
        case .falseSuccess: "FALSE SUCCESS"
        case .endless: "ENDLESS"
        }
    }

    /// What must never happen, whatever the fault.
    package var isBroken: Bool { self == .falseSuccess || self == .endless }
}

extension BenchResult {
    fileprivate func hasWarned(of code: FailureCode) -> Bool {
        events.contains { if case .warning(code, _) = $0 { true } else { false } }
    }
}
