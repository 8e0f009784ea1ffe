import Bluetooth
import UpdateModel

/// Knowledge of a unit accumulates: an attempt that learns nothing removes nothing.
extension UnitRecord {
    /// Completes `verdict` with what earlier attempts found out. `mayBeNew`: the unit was told to install what it was
    /// sent; if it is not reached after that, it may run the new firmware or the old one. `wasSeen`: its application
    /// came up after this attempt, so earlier knowledge does not apply.
    func completing(_ verdict: UnitVerdict, mayBeNew: Bool, wasSeen: Bool = false) -> UnitVerdict {
        guard !wasSeen, !verdict.outcome.isGood, verdict.state == nil, let address else { return verdict }
        var told = verdict
        let isUnreached = Self.silences.contains(FailureCode(rawValue: verdict.code ?? ""))
        let known = attempts.last { $0.verdict.map { $0.state != nil || $0.outcome.isGood } ?? false }?
            .verdict
        if known?.outcome.isGood == true { return verdict }
        if let state = known?.state {
            told.state = isUnreached ? state.silent : state
        } else if mayBeNew {
            told.state = .startedUnseen(at: address)
        }
        guard mayBeNew, isUnreached, verdict.outcome == .failed else { return told }
        told.outcome = .unknown
        told.message =
            (verdict.message.map { "\($0); " } ?? "")
            + "it had been told to start the new firmware, so it may run that or the old one"
        return told
    }

    /// The codes for units that were not reached, which give no new knowledge.
    private static let silences: Set<FailureCode> = [
        .deviceNotFound, .linkLost, .connectionNotEstablished, .noAnswer, FailureCode(rawValue: "unit-time"),
    ]
}

extension UnitState {
    /// The same state, after the unit has fallen silent.
    var silent: UnitState {
        guard program != DeviceState.Program.unknown.rawValue else { return self }
        return UnitState(
            program: DeviceState.Program.unknown.rawValue, address: address, application: application,
            words: "\(words). It was not reached again after that")
    }

    /// The state of a unit that was told to start its new firmware and has been silent since.
    static func startedUnseen(at address: String) -> UnitState {
        UnitState(
            program: DeviceState.Program.unknown.rawValue, address: address,
            application: DeviceState.Application.unknown.rawValue,
            words:
                "beacon: last seen at \(address); it was told to start the new firmware and was not reached "
                + "since, so it may run that or the old one")
    }
}
