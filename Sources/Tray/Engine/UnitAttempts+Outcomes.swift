package import Bluetooth
package import Firmware
package import UpdateModel

extension UnitAttempts {
    struct Ending: Sendable {
        let verdict: UnitVerdict
        /// The unit's state, if a change to it did not end normally; nil if it did, or if nothing was changed.
        let state: DeviceState?

        static var stopped: Ending {
            Ending(verdict: StopReason.aborted.verdict(ScheduleRules()), state: nil)
        }
    }

    struct StartAddress: Sendable {
        var address: DeviceAddress
        /// The application's address, if `address` is the bootloader's; otherwise nil.
        var absent: DeviceAddress?
        /// Whether an attempt has switched the application to that bootloader and sent it firmware.
        var isReached = false
        /// Since when the unit has run the program at `address`; nil if it may have run another one.
        var since: Duration?

        /// Lets the next attempt begin where the last one has left the unit. `hasSent`: whether it sent firmware.
        mutating func follow(_ state: DeviceState?, hasSent: Bool) {
            since = nil
            guard let state, state.program == .bootloader, absent == nil, state.address != address else {
                return
            }
            (absent, address, isReached) = (address, state.address, hasSent)
        }
    }

    var absent: DeviceAddress? { if case .bootloader(_, let absent) = finding { absent } else { nil } }

    var blocker: UnitVerdict? {
        let step = "looking for the unit"
        switch finding {
        case .unit, .bootloader: return nil
        case .ambiguous(let addresses):
            return UnitVerdict(
                .error, code: .device.deviceAmbiguous, during: step,
                message: "\(addresses.count) beacons match \(target.device): "
                    + addresses.map(\.withKind).joined(separator: ", "))
        case .taken(let address, let slot):
            return UnitVerdict(
                .error, code: .device.deviceAmbiguous, during: step,
                message: "\(target.device) matches \(address.withKind), which is the beacon of slot \(slot)")
        case .mislabelled(let beacon, let id):
            return UnitVerdict(
                .failed, code: .tray.labelMismatch, during: step,
                message: "\(beacon.address) has the id \(id), but its label says \(target.label ?? "")")
        }
    }

    /// The verdict on a unit that needs no update: it has passed if this run told it to install its version
    /// (`installs`). Records the version that was read. Other verdicts are returned as they are.
    func proven(_ verdict: UnitVerdict, _ notes: AttemptRecorder, installs: Bool) -> UnitVerdict {
        guard verdict.outcome == .notNeeded else { return verdict }
        // With this code, the unit has reported the version of the firmware.
        let shown =
            verdict.code == FailureCode.device.sameVersion.rawValue ? notes.record.firmware?.version : nil
        guard installs else {
            notes.change { $0.versionBefore = $0.versionBefore ?? shown }
            return verdict
        }
        notes.change { record in
            record.versionAfter = record.versionAfter ?? record.versionBefore ?? shown
            record.verified = record.versionAfter == nil ? record.verified : Verification.version.rawValue
        }
        return UnitVerdict(.passed, code: .tray.installedBefore)
    }

    /// Whether the unit may start again after its adapter was lost. After too many losses, it ends with a bench error.
    func mayLeave(_ record: UnitRecord) -> Bool {
        let code = FailureCode.system.noAdapter.rawValue
        let times = record.attempts.count { $0.session == run.plan.session && $0.verdict?.code == code }
        return record.verdict?.code == code && times <= Self.mostLosses
    }

    /// How often a unit may lose its adapter in a session.
    private static var mostLosses: Int { 3 }

    /// The verdict of an attempt that was stopped, with the unit's state from `verdict`.
    func stopped(_ verdict: UnitVerdict, by stop: StopReason?) -> UnitVerdict {
        guard let stop, !verdict.outcome.isGood else { return verdict }
        var told = stop.verdict(run.plan.rules)
        told.state = verdict.state
        if verdict.outcome != .aborted, let message = verdict.message {
            told.message = "\(told.message ?? ""); before that: \(message)"
        }
        return told
    }
}

extension StopReason {
    func verdict(_ rules: ScheduleRules) -> UnitVerdict {
        func time(_ limit: Duration?) -> String { "\(Int((limit ?? .zero) / .seconds(1))) s" }
        return switch self {
        case .givenUp(.unitTime):
            UnitVerdict(
                .failed, code: .tray.unitTime, during: "updating the unit",
                message: "it exceeded the time limit of \(time(rules.unitTime)) for a unit")
        case .givenUp(.trayTime):
            UnitVerdict(
                .aborted, code: .tray.trayTime, during: "running the tray",
                message: "the tray exceeded its time limit of \(time(rules.trayTime))")
        case .givenUp(.notHeard):
            UnitVerdict(
                .failed, code: .device.deviceNotFound, during: "looking for the unit",
                message: "no adapter has heard it for \(time(rules.search)) or more")
        case .givenUp(.noAdapter):
            UnitVerdict(
                .error, code: .system.noAdapter, during: "running the tray", message: "no adapter is left")
        case .held(let hold):
            UnitVerdict(
                .aborted, code: FailureCode(named: hold.code), during: "running the tray",
                message: "not begun: \(hold.message)")
        case .givenUp(.stopped), .aborted:
            UnitVerdict(
                .aborted, code: .system.interrupted, during: "running the tray",
                message: "the run was stopped")
        case .skipped:
            UnitVerdict(
                .skipped, code: .tray.skipped, during: "running the tray", message: "skipped by the operator")
        }
    }
}

extension DeviceAddress {
    /// The address with its type after a slash, as in a selector.
    var withKind: String { "\(self)/\(kind.rawValue)" }
}

extension UnitRecord {
    /// Records what `beacon` has advertised. `absent`: the application's address if the beacon runs its bootloader,
    /// otherwise nil.
    package mutating func note(_ beacon: BeaconSighting, absent: DeviceAddress?) {
        address = (absent ?? beacon.address).withKind
        rssi = beacon.heard.strength.last.map { Int($0) } ?? rssi
        guard absent == nil else { return }
        name = beacon.data.name ?? name
        identifier = beacon.identity.id ?? identifier
        vendor = beacon.identity.maker?.rawValue ?? vendor
        model = beacon.identity.model ?? model
    }

    /// Adds the planner's advice, unless there is some already.
    mutating func advise(_ planner: some UnitPlanner) {
        guard let ended = verdict, !ended.outcome.isGood, ended.nextStep == nil, let code = ended.code else {
            return
        }
        verdict?.nextStep = planner.nextStep(after: code)
    }
}

package enum BlinkEvent: Hashable, Sendable {
    case refused(BlinkRefusal)
    case began(Duration)
    case ended
    /// The unit did not blink, or not for the whole time.
    case failed(UnitVerdict)
}

/// A later attempt does not delete what an earlier one found out, unless it learns more.
extension UnitRecord {
    /// Completes `verdict` with what earlier attempts found out. `mayBeNew`: whether the unit was told to install the
    /// firmware that it was sent; if it is not reached after that, it may run the new firmware or the old one.
    /// `wasSeen`: whether its application was seen in this attempt, so that earlier knowledge does not apply.
    func completing(_ verdict: UnitVerdict, mayBeNew: Bool, wasSeen: Bool = false) -> UnitVerdict {
        guard !wasSeen, !verdict.outcome.isGood, verdict.state == nil, let address else { return verdict }
        var told = verdict
        let isUnreached = Self.unreached.contains(verdict.code ?? "")
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

    /// The codes of verdicts on units that were not reached: these attempts have found out nothing.
    private static let unreached = Set(
        (FailureCode.device.codes + FailureCode.tray.codes).filter(\.isUnreached).map(\.rawValue))
}

extension UnitState {
    /// The state of a unit whose program is not known; `application` is the state of its application.
    package init(
        unknownAt address: String, application: DeviceState.Application = .unknown, _ words: String
    ) {
        self.init(
            program: DeviceState.Program.unknown.rawValue, address: address,
            application: application.rawValue, words: "beacon: last seen at \(address); \(words)")
    }

    /// This state after a further attempt that did not reach the unit.
    var silent: UnitState {
        guard program != DeviceState.Program.unknown.rawValue else { return self }
        var silent = self
        silent.program = DeviceState.Program.unknown.rawValue
        silent.words += ". It was not reached again after that"
        return silent
    }

    /// The state of a unit that was told to start its new firmware and has been silent since.
    static func startedUnseen(at address: String) -> UnitState {
        UnitState(
            unknownAt: address,
            "it was told to start the new firmware and was not reached since, so it may run that or the old one"
        )
    }
}
