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
    case asked
    /// The work order is held for every bench, for this reason.
    case order(String)
    /// The work server grants no more units of the order, whether or not it is held: the server's code and reason.
    case refused(FailureCode, String)
    /// No unit's claim covers its next step, and the work server grants no more time, for this reason. The hold ends by
    /// itself when time is granted again.
    case claimsEnd(String)

    /// Whether both are the same kind of external reason, whatever their texts.
    func isSameFromOutside(_ other: HoldReason) -> Bool {
        switch (self, other) {
        case (.order, .order), (.order, .refused), (.refused, .order), (.refused, .refused): true
        case (.claimsEnd, .claimsEnd): true
        default: false
        }
    }

    /// Whether the hold is external: the work server lifts it, and the operator cannot.
    var isFromOutside: Bool { isSameFromOutside(self) }

    /// Whether the hold ends an unattended run, because nobody would release it.
    package var endsUnattended: Bool {
        switch self {
        case .asked, .claimsEnd: false
        case .goldenFailed, .consecutive, .share, .sameCause, .order, .refused: true
        }
    }
}

extension HoldReason {
    /// The codes of holds that the operator can release; other holds are lifted by the work server.
    package static let codesOfBench = Set(FailureCode.tray.codes.filter(\.isBenchHold).map(\.rawValue))

    var code: FailureCode {
        switch self {
        case .goldenFailed: .tray.goldenFailed
        case .consecutive: .tray.consecutiveFailures
        case .share: .tray.failureShare
        case .sameCause: .tray.sameCause
        case .asked: .tray.paused
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
        case .asked: "paused by the operator"
        case .claimsEnd(let why): "no unit starts until its claim can be renewed: \(why)"
        case .refused(_, let why): why
        case .order(let why): "the order is held for all benches: \(why)"
        }
    }
}

/// A rule by which no further unit starts until the operator has looked at the failures.
///
/// Only outcomes since the start of the run or its last release count, so that old failures do not trip a rule again.
package enum HoldRule: Hashable, Sendable {
    /// This many units in a row have failed.
    case consecutive(Int)
    /// This many of the last units have failed.
    case share(failures: Int, ofLast: Int)
    /// This many units have ended for the same reason, the unit's or the bench's.
    case sameCause(Int)
}

struct OutcomeWindow: Sendable {
    /// For each unit that was tried, whether it failed; in the order in which the units ended.
    private var failures: [Bool] = []
    /// How many units have ended with each code.
    private var causes: [FailureCode: Int] = [:]

    /// Records how a unit ended; returns the reason to hold the tray by the first rule that applies, or nil.
    ///
    /// A unit that needed no update, or that ended with a bench error, does not count as tried.
    mutating func note(_ verdict: UnitVerdict, _ rules: [HoldRule]) -> HoldReason? {
        let outcome = verdict.outcome
        if outcome.isOfUnit { failures.append(outcome != .passed) }
        guard let cause = outcome == .error ? verdict.cause : verdict.failure else { return nil }
        causes[cause, default: 0] += 1
        for rule in rules {
            if let reason = reason(by: rule, cause) { return reason }
        }
        return nil
    }

    private func reason(by rule: HoldRule, _ cause: FailureCode) -> HoldReason? {
        switch rule {
        case .consecutive(let limit):
            let count = failures.reversed().prefix { $0 }.count
            return count >= max(1, limit) ? .consecutive(count) : nil
        case .share(let limit, let length):
            let count = failures.suffix(max(0, length)).count { $0 }
            return count >= max(1, limit) ? .share(failures: count, ofLast: length) : nil
        case .sameCause(let limit):
            let count = causes[cause, default: 0]
            return count >= max(1, limit) ? .sameCause(cause, count) : nil
        }
    }
}

package struct ScheduleRules: Hashable, Sendable {
    /// Whether the golden unit has to pass before the others start.
    package var hasGolden: Bool
    package var hold: [HoldRule]
    /// Time limit of a unit, from its first connection attempt; nil for none.
    package var unitTime: Duration?
    /// Time limit of the run, from its start; nil for none.
    package var trayTime: Duration?
    /// The minimum time to wait for units that no adapter has heard. They are given up when no other work is left.
    package var search: Duration

    /// The default rules: a golden unit; a hold after three failures in a row, five of the last twenty, or four of one
    /// cause; no time limits; 30 s for units that were not heard.
    package init(
        hasGolden: Bool = true,
        hold: [HoldRule] = [.consecutive(3), .share(failures: 5, ofLast: 20), .sameCause(4)],
        unitTime: Duration? = nil, trayTime: Duration? = nil, search: Duration = .seconds(30)
    ) {
        (self.hasGolden, self.hold, self.unitTime, self.trayTime) = (hasGolden, hold, unitTime, trayTime)
        self.search = search
    }
}

/// When an adapter listens for units that were not heard yet. Listening takes air time from links: an adapter with
/// links listens for a short time and pauses for a longer one.
enum ListeningPlan {
    /// How long an adapter with links listens in each period: long enough for three adverts of a slow beacon.
    static let burst = Duration.seconds(3)
    static let period = Duration.seconds(12)

    /// Whether an adapter listens at `now`, counted from the start of the run.
    static func isDue(at now: Duration, hasLinks: Bool) -> Bool { !hasLinks || phase(of: now) < burst }

    /// When an adapter with links next starts or stops listening.
    static func change(after now: Duration) -> Duration {
        let phase = phase(of: now)
        return now - phase + (phase < burst ? burst : period)
    }

    private static func phase(of now: Duration) -> Duration { now - period * Int(now / period) }
}
