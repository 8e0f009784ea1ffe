public import UpdateModel

/// Why no further unit starts.
public enum HoldReason: Hashable, Sendable {
    /// The golden unit did not pass.
    case goldenFailed(UnitNumber, FailureCode)
    /// This many units in a row have failed.
    case consecutive(Int)
    /// This many of the last units have failed.
    case share(failures: Int, ofLast: Int)
    /// This many units have ended for this reason.
    case sameCause(FailureCode, Int)
    /// The operator has paused the run.
    case asked
    /// The work order is held for every bench, with the reason.
    case order(String)
    /// The work server does not issue units of the order any more, held or not: its code and reason.
    case refused(FailureCode, String)
    /// No unit's claim covers its next step, and the work server does not grant more time: the reason. It passes by
    /// itself.
    case claimsEnd(String)

    /// Whether `other` is the same external reason, whatever its text.
    func isSameFromOutside(_ other: HoldReason) -> Bool {
        switch (self, other) {
        case (.order, .order), (.order, .refused), (.refused, .order), (.refused, .refused): true
        case (.claimsEnd, .claimsEnd): true
        default: false
        }
    }

    /// Whether the hold is external: the work server lifts it, and the operator cannot.
    var isFromOutside: Bool { isSameFromOutside(self) }

    /// Whether it ends an unattended run, which would not be released.
    public var endsUnattended: Bool {
        switch self {
        case .asked, .claimsEnd: false
        case .goldenFailed, .consecutive, .share, .sameCause, .order, .refused: true
        }
    }
}
