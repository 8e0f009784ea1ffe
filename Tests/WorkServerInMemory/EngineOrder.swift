import Tray
public import WorkOrders

/// An order, as a person plans it.
public struct EngineOrder: Sendable {
    /// What stations are told of it.
    public internal(set) var sheet: WorkOrder
    /// Whether its units are listed; else each beacon that is claimed becomes one, up to `expected`.
    public var isListed = true
    /// So many units have to pass before the others begin.
    public var golden = 0
    /// So often may a unit fail before a person has to give it another try.
    public var attempts = 1
    /// It is held when so many units in a row have failed.
    public var consecutive: Int?
    /// It is held when so many of the last so many have failed.
    public var share: (failures: Int, ofLast: Int)?
    /// It is held when so many have ended for one cause.
    public var sameCause: Int?
    /// The current results since it was released last: what came before was looked at.
    var judged: [WorkResult] = []

    /// An order that nobody has released.
    public init(_ number: String, _ firmware: WorkFirmware, expected: Int? = nil) {
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

    /// Holds it where its stop rule says so, after the last of `judged`.
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

extension Outcome {
    /// Whether the unit was tried, and is not known to be on its firmware.
    var isFailure: Bool { isOfUnit && !isGood }
}
