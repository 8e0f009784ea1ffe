package import BeaconIdentity
package import BluetoothTypes
import Radio
package import Tray
import UpdateCore

extension UnitAttempts {
    /// What an attempt has come to.
    struct Ending: Sendable {
        let verdict: Verdict
        /// What the unit is now, where something was done to it that did not come to its end.
        let state: DeviceState?

        static var stopped: Ending { Ending(verdict: StopReason.aborted.verdict(ScheduleRules()), state: nil) }
    }

    /// Which address an attempt begins at.
    struct StartAddress: Sendable {
        var address: DeviceAddress
        /// The application's, where this is the bootloader's.
        var absent: DeviceAddress?
        /// Whether an attempt has sent the application there, and firmware to it then.
        var isReached = false
        /// Since when the unit is known to run that program; nil where it may have been in another.
        var since: Duration?

        /// Goes on where an attempt has left the unit, which `hasSent` firmware or not.
        mutating func follow(_ state: DeviceState?, hasSent: Bool) {
            since = nil
            guard let state, state.program == .bootloader, absent == nil, state.address != address else {
                return
            }
            (absent, address, isReached) = (address, state.address, hasSent)
        }
    }

    /// The application's address, where its bootloader was found.
    var absent: DeviceAddress? { if case .bootloader(_, let absent) = finding { absent } else { nil } }

    /// What stands against any attempt.
    var blocker: Verdict? {
        let step = "looking for the unit"
        switch finding {
        case .unit, .bootloader: return nil
        case .ambiguous(let addresses):
            return Verdict(
                .error, code: "device-ambiguous", during: step,
                message: "\(addresses.count) beacons are \(target.device): "
                    + addresses.map(\.withKind).joined(separator: ", "))
        case .taken(let address, let slot):
            return Verdict(
                .error, code: "device-ambiguous", during: step,
                message: "\(target.device) is \(address.withKind), which is the beacon of slot \(slot)")
        case .mislabelled(let beacon, let id):
            return Verdict(
                .failed, code: "label-mismatch", during: step,
                message: "\(beacon.address) says that it is \(id), and its label says \(target.label ?? "")")
        }
    }

    /// A unit that says that it has the version already has been brought there by the run, if it was told to install it: it passes,
    /// for its version was read, and that is written down.
    func proven(_ verdict: Verdict, _ notes: AttemptNotes, installs: Bool) -> Verdict {
        guard verdict.outcome == .notNeeded else { return verdict }
        // By its own words it has the version that it was to get.
        let shown = verdict.code == "same-version" ? notes.record.firmware?.version : nil
        guard installs else {
            notes.change { $0.versionBefore = $0.versionBefore ?? shown }
            return verdict
        }
        notes.change { record in
            record.versionAfter = record.versionAfter ?? record.versionBefore ?? shown
            record.verified = record.versionAfter == nil ? record.verified : Verification.version.rawValue
        }
        return Verdict(.passed, code: "installed-before")
    }

    /// Whether the unit's turn may begin anew because its adapter is gone. One that goes away again and again is a fault of the
    /// bench, and the unit's turn ends.
    func mayLeave(_ record: UnitRecord) -> Bool {
        let code = FailureCode.noAdapter.rawValue
        let times = record.attempts.count { $0.session == plan.session && $0.verdict?.code == code }
        return record.verdict?.code == code && times <= Self.mostLosses
    }

    /// How often a unit may lose its adapter in a session.
    private static var mostLosses: Int { 3 }

    /// The verdict of an attempt that was stopped so; it keeps what the unit is now.
    func stopped(_ verdict: Verdict, by stop: StopReason?) -> Verdict {
        guard let stop, !verdict.outcome.isGood else { return verdict }
        var told = stop.verdict(plan.rules)
        told.state = verdict.state
        if verdict.outcome != .aborted, let message = verdict.message {
            told.message = "\(told.message ?? ""); before that: \(message)"
        }
        return told
    }
}

extension StopReason {
    func verdict(_ rules: ScheduleRules) -> Verdict {
        func time(_ limit: Duration?) -> String { "\(Int((limit ?? .zero) / .seconds(1))) s" }
        return switch self {
        case .givenUp(.unitTime):
            Verdict(
                .failed, code: "unit-time", during: "updating the unit",
                message: "it took more than the \(time(rules.unitTime)) that a unit may take")
        case .givenUp(.trayTime):
            Verdict(
                .aborted, code: "tray-time", during: "running the tray",
                message: "the tray took more than the \(time(rules.trayTime)) that it may take")
        case .givenUp(.notHeard):
            Verdict(
                .failed, code: "device-not-found", during: "looking for the unit",
                message: "no adapter has heard it in \(time(rules.search)) and more")
        case .givenUp(.noAdapter):
            Verdict(
                .error, code: FailureCode.noAdapter.rawValue, during: "running the tray",
                message: "there is no adapter any more")
        case .held(let hold):
            Verdict(
                .aborted, code: hold.code, during: "running the tray", message: "not begun: \(hold.message)")
        case .givenUp(.stopped), .aborted:
            Verdict(
                .aborted, code: "interrupted", during: "running the tray", message: "the run was stopped")
        case .skipped:
            Verdict(
                .skipped, code: "skipped", during: "running the tray", message: "somebody has left it out")
        }
    }
}

extension DeviceAddress {
    /// With its kind after a slash, as a selector has it.
    var withKind: String { "\(self)/\(kind.rawValue)" }
}

extension UnitRecord {
    /// Notes who was heard; `absent` is the application's address where this is the bootloader.
    package mutating func note(_ beacon: BeaconSighting, absent: DeviceAddress?) {
        address = (absent ?? beacon.address).withKind
        rssi = beacon.heard.strength.last.map { Int($0) } ?? rssi
        guard absent == nil else { return }
        name = beacon.data.name ?? name
        identifier = beacon.identity.id ?? identifier
        vendor = beacon.identity.maker?.rawValue ?? vendor
        model = beacon.identity.model ?? model
    }
}
