package import Bluetooth
package import Firmware
import UpdateModel

package struct UnitRecord: Hashable, Codable, Sendable {
    /// The slot's label, unique in a tray.
    package var slot: String
    /// The selector of the slot; nil for a unit that a rule found.
    package var device: String?
    /// The application's address, with its kind after a slash; nil until it was heard.
    package var address: String?
    package var identifier: String?
    /// The advertised name, as received.
    package var name: String?
    package var vendor, model: String?
    /// Signal strength, in dBm.
    package var rssi: Int?
    /// Whether the unit was the golden one, which had to pass before the others started.
    package var isGolden = false
    package var attempts: [AttemptRecord] = []
    package var verdict: UnitVerdict?

    package init(slot: String, device: String? = nil) { (self.slot, self.device) = (slot, device) }

    /// Records what `beacon` has advertised. `silentApplication`: the application's address if the beacon runs its
    /// bootloader, otherwise nil.
    package mutating func note(_ beacon: BeaconSighting, silentApplication: DeviceAddress?) {
        address = (silentApplication ?? beacon.address).withKind
        rssi = beacon.heard.strength.last.map { Int($0) } ?? rssi
        guard silentApplication == nil else { return }
        name = beacon.data.name ?? name
        identifier = beacon.identity.id ?? identifier
        vendor = beacon.identity.maker?.rawValue ?? vendor
        model = beacon.identity.model ?? model
    }

    /// What is known of the unit from its adverts.
    var identity: (address: String?, id: String?, name: String?, vendor: String?, model: String?, rssi: Int?)
    {
        get { (address, identifier, name, vendor, model, rssi) }
        set { (address, identifier, name, vendor, model, rssi) = newValue }
    }

    /// Whether the unit passed in its first attempt without a bench error, and no image was sent from its first byte more
    /// than once up to the end of that attempt. Without such an attempt, whether the unit's verdict is that it passed.
    /// Nil if the unit ended with a bench error or was not tried.
    package var passedFirst: Bool? {
        let first = attempts.firstIndex { $0.verdict?.outcome.isOfUnit == true }
        let decisive = first.map { attempts.prefix($0 + 1) } ?? attempts[...]
        let outcome = first.flatMap { attempts[$0].verdict?.outcome } ?? verdict?.outcome
        guard let outcome, outcome.isOfUnit else { return nil }
        return outcome == .passed && decisive.timesSent <= 1
    }

    package static let firstPassMeaning =
        "First pass: passed in the first attempt, and the image was sent from its beginning only once. "
        + "A transfer that continued after a lost link was sent once; errors of the bench do not count as attempts."
}

extension UnitRecord {
    /// Adds the state that earlier attempts found to `verdict`, unless this attempt found one itself. `mayBeNew`: whether
    /// the unit was told to install the firmware that it was sent; if it is not reached after that, it may run the new
    /// firmware or the old one. `wasSeen`: whether its application was seen in this attempt: earlier states then do not
    /// apply. `wasHeard`: whether its application advertised before this attempt, so that it left any other program.
    func completing(
        _ verdict: UnitVerdict, mayBeNew: Bool, wasSeen: Bool = false, wasHeard: Bool = false
    ) -> UnitVerdict {
        guard !wasSeen, !verdict.outcome.isGood, verdict.state == nil, let address else { return verdict }
        var completed = verdict
        let isUnreached = Self.unreached.contains(verdict.code ?? "")
        let known = attempts.last { $0.verdict.map { $0.state != nil || $0.outcome.isGood } ?? false }?
            .verdict
        if known?.outcome.isGood == true { return verdict }
        if let state = known?.state {
            let isOver = wasHeard && state.program != DeviceState.Program.application.rawValue
            if isOver, !isUnreached { return verdict }
            completed.state = isUnreached ? state.unreached : state
        } else if mayBeNew {
            completed.state = .startedUnseen(at: address)
        }
        guard mayBeNew, isUnreached, verdict.outcome == .failed else { return completed }
        completed.outcome = .unknown
        completed.message =
            (verdict.message.map { "\($0); " } ?? "")
            + "it had been told to start the new firmware, so it may run that or the old one"
        return completed
    }

    /// Whether the unit may run firmware that it was told to install in one of the attempts `activations` (numbers). If a
    /// later attempt has sent bytes, they have replaced that firmware.
    package func mayBeInstalled(by activations: Set<Int>) -> Bool {
        attempts.reduce(false) { mayBe, attempt in
            activations.contains(attempt.number) || mayBe && attempt.transfer?.bytes ?? 0 == 0
        }
    }

    /// The codes of verdicts on units that were not reached.
    private static let unreached = Set(
        (FailureCode.device.codes + FailureCode.tray.codes).filter(\.isUnreached).map(\.rawValue))
}

extension [UnitRecord] {
    /// The places of the units by their slots.
    var places: [String: Int] {
        Dictionary(enumerated().map { ($1.slot, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

extension DeviceAddress {
    /// The address with its kind after a slash, as in records and selectors.
    package var withKind: String { "\(self)/\(kind.rawValue)" }
}
