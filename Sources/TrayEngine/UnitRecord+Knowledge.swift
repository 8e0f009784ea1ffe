import BluetoothTypes
import Tray
import UpdateCore

/// What is known of a unit grows from attempt to attempt: one that learns nothing takes nothing away.
extension UnitRecord {
    /// `verdict` with what the attempts before it have found out. `mayBeNew` says that the unit was told to install what it was
    /// sent: one that is not reached after that may run the new firmware, or the old one.
    /// `wasSeen` says that its application came up after this attempt: nothing that was known before holds then.
    func completing(_ verdict: Verdict, mayBeNew: Bool, wasSeen: Bool = false) -> Verdict {
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
            + "it was told before to start the new firmware, so it may run that or the old one"
        return told
    }

    /// The codes of units that were not reached, so that nothing new is known of them.
    private static let silences: Set<FailureCode> = [
        .deviceNotFound, .linkLost, .connectionNotEstablished, .noAnswer, FailureCode(rawValue: "unit-time"),
    ]
}

extension UnitState {
    /// The same, since nothing was heard of the unit.
    var silent: UnitState {
        guard program != DeviceState.Program.unknown.rawValue else { return self }
        return UnitState(
            program: DeviceState.Program.unknown.rawValue, address: address, application: application,
            words: "\(words). It was not reached again after that")
    }

    /// A unit that was told to start its new firmware, and of which nothing was heard since.
    static func startedUnseen(at address: String) -> UnitState {
        UnitState(
            program: DeviceState.Program.unknown.rawValue, address: address,
            application: DeviceState.Application.unknown.rawValue,
            words:
                "beacon: last seen at \(address); it was told to start the new firmware and was not reached "
                + "since, so it may run that or the old one")
    }
}
