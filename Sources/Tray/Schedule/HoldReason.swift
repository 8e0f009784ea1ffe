public import UpdateCore

/// Why no further unit starts.
public enum HoldReason: Hashable, Sendable {
    /// The unit that was to prove the firmware did not pass.
    case goldenFailed(UnitNumber, FailureCode)
    /// So many in a row have failed.
    case consecutive(Int)
    /// So many of the last ones have failed.
    case share(failures: Int, ofLast: Int)
    /// So many have ended for this reason.
    case sameCause(FailureCode, Int)
    /// A person wants it.
    case asked
    /// The work order is held for every bench: why.
    case order(String)
    /// The engine gives out no unit of the order any more, held or not: its code and why.
    case refused(FailureCode, String)
    /// No claim of a unit covers its next step, and nobody grants more time: why. It passes by itself.
    case claimsEnd(String)

    /// Whether `other` is the same reason from outside, whatever its words.
    func isSameFromOutside(_ other: HoldReason) -> Bool {
        switch (self, other) {
        case (.order, .order), (.order, .refused), (.refused, .order), (.refused, .refused): true
        case (.claimsEnd, .claimsEnd): true
        default: false
        }
    }

    /// Whether others hold the run: it passes when they say so, and no person at the bench can lift it.
    var isFromOutside: Bool { isSameFromOutside(self) }

    /// Whether it ends the run where nobody is there to release it: others take it back themselves.
    public var endsUnattended: Bool {
        switch self {
        case .asked, .claimsEnd: false
        case .goldenFailed, .consecutive, .share, .sameCause, .order, .refused: true
        }
    }
}
