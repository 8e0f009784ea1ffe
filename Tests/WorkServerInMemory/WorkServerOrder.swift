import Tray
import UpdateModel
package import Work

/// An order as a person plans it.
package struct WorkServerOrder: Sendable {
    /// The part that stations receive.
    package internal(set) var sheet: WorkOrder
    /// Whether its units are listed; otherwise each claimed beacon becomes one, up to `expected`.
    package var isListed = true
    /// The number of units that have to pass before the others begin.
    package var golden = 0
    /// The failures of a unit after which a person has to allow another attempt.
    package var attempts = 1
    /// Held after this many consecutive failures.
    package var consecutive: Int?
    /// Held after this many failures among the last results of a window.
    package var share: (failures: Int, ofLast: Int)?
    /// Held after this many results with the same cause.
    package var sameCause: Int?
    /// The current results since the last release: earlier ones have been reviewed.
    var judged: [WorkResult] = []

    /// An order that has not been released.
    package init(_ number: String, _ firmware: WorkFirmware, expected: Int? = nil) {
        sheet = WorkOrder(number: number, state: .draft, expected: expected, firmware: firmware)
    }

    mutating func hold(_ code: String, _ reason: String) {
        sheet.state = .held
        sheet.heldReason = "\(code): \(reason)"
    }

    mutating func go(_ state: OrderState) {
        sheet.state = state
        sheet.heldReason = nil
    }

    /// Holds the order if its stop rule applies after the last of `judged`.
    mutating func applyStopRule() {
        guard let last = judged.last, last.outcome.isFailure || last.outcome == .error else { return }
        let tried = judged.map(\.outcome).filter(\.isOfUnit)
        let same = judged.filter { $0.code == last.code && ($0.outcome.isFailure || $0.outcome == .error) }
        if last.outcome.isFailure {
            if let consecutive, tried.count >= consecutive,
                tried.suffix(consecutive).allSatisfy(\.isFailure)
            {
                return hold("consecutive-failures", "\(consecutive) in a row")
            }
            if let share, tried.suffix(share.ofLast).count(where: \.isFailure) >= share.failures {
                return hold("failure-share", "\(share.failures) of the last \(share.ofLast)")
            }
        }
        if let sameCause, let code = last.code, same.count >= sameCause {
            hold("same-cause", "\(same.count) for \(code)")
        }
    }
}

extension UnitOutcome {
    /// Whether the unit was tried, and is not known to have its firmware.
    var isFailure: Bool { isOfUnit && !isGood }
}
