package import UpdateModel

package enum HoldReason: Hashable, Sendable {
    case goldenFailed(UnitNumber, FailureCode)
    /// This many units in a row have failed.
    case consecutive(Int)
    /// This many of the last units have failed.
    case share(failures: Int, ofLast: Int)
    /// This many units have ended with this code.
    case sameCause(FailureCode, Int)
    /// The operator has paused the run.
    case paused
    /// The work order is held for every bench, for this reason.
    case order(String)
    /// The work server grants no more units of the order, whether or not it is held: the server's code and reason.
    case refused(FailureCode, String)
    /// No unit's claim lasts for its next step, and the work server grants no more time, for this reason. The hold ends by
    /// itself when time is granted again.
    case claimsEnd(String)

    /// Whether both are the same kind of external reason, even if their texts differ.
    func isSameExternalKind(as other: HoldReason) -> Bool {
        switch (self, other) {
        case (.order, .order), (.order, .refused), (.refused, .order), (.refused, .refused): true
        case (.claimsEnd, .claimsEnd): true
        default: false
        }
    }

    /// Whether the hold is external: the work server lifts it, and the operator cannot.
    var isExternal: Bool { isSameExternalKind(as: self) }

    /// Whether the hold ends an unattended run, because nobody would release it.
    package var endsUnattended: Bool {
        switch self {
        case .paused, .claimsEnd: false
        case .goldenFailed, .consecutive, .share, .sameCause, .order, .refused: true
        }
    }
}

extension HoldReason {
    /// The codes of holds that the operator can release; other holds are lifted by the work server.
    package static let codesReleasedAtBench = Set(
        FailureCode.tray.codes.filter(\.isBenchHold).map(\.rawValue))

    var code: FailureCode {
        switch self {
        case .goldenFailed: .tray.goldenFailed
        case .consecutive: .tray.consecutiveFailures
        case .share: .tray.failureShare
        case .sameCause: .tray.sameCause
        case .paused: .tray.paused
        case .order: .station.orderHeld
        case .refused(let code, _): code
        case .claimsEnd: .station.leaseShort
        }
    }

    func words(_ slot: (UnitNumber) -> String) -> String {
        switch self {
        case .goldenFailed(let unit, let cause): "the golden unit, slot \(slot(unit)), did not pass: \(cause)"
        case .consecutive(let count): "\(count) units in a row have failed"
        case .share(let failures, let last): "\(failures) of the last \(last) units have failed"
        case .sameCause(let cause, let count): "\(count) units have ended for the same reason: \(cause)"
        case .paused: "paused by the operator"
        case .claimsEnd(let why): "no unit starts until its claim can be renewed: \(why)"
        case .refused(_, let why): why
        case .order(let why): "the order is held for all benches: \(why)"
        }
    }
}
