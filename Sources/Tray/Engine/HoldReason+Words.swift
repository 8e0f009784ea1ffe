import UpdateModel

extension HoldReason {
    /// The stable code.
    var code: String {
        switch self {
        case .goldenFailed: "golden-failed"
        case .consecutive: "consecutive-failures"
        case .share: "failure-share"
        case .sameCause: "same-cause"
        case .asked: "paused"
        case .order: "order-held"
        case .refused(let code, _): code.rawValue
        case .claimsEnd: "lease-short"
        }
    }

    /// The reason in one line.
    func words(_ slot: (UnitNumber) -> String) -> String {
        switch self {
        case .goldenFailed(let unit, let cause):
            "the golden unit, slot \(slot(unit)), did not pass: \(cause)"
        case .consecutive(let count): "\(count) units in a row have failed"
        case .share(let failures, let last): "\(failures) of the last \(last) units have failed"
        case .sameCause(let cause, let count): "\(count) units have ended for the same reason: \(cause)"
        case .asked: "paused by the operator"
        case .claimsEnd(let why): "no unit starts until its claim can be renewed: \(why)"
        case .refused(_, let why): why
        case .order(let why): "the order is held for all benches: \(why)"
        }
    }
}
