import BeaconIdentity
import BluetoothTypes
import FBeacon
import KBeacon
import Radio
import Secrets
import Sessions
import Synchronization
import UpdateCore

/// What whoever has a recording of a run can learn from it.
enum CapturedSecret: Hashable, Sendable {
    /// What passwords can be tried on.
    case proof
    /// A PIN as it is.
    case pin
}

/// Passwords and PINs for one run. One that was wrong is not tried again, whoever asks.
final class SecretKeeper: Sendable {
    private let file: SecretsFile
    private struct State: Sendable {
        var wrong: Set<DeviceAddress> = []
        /// What a recording was said to have.
        var captured: Set<CapturedSecret> = []
    }

    private let warnOfCapture: (@Sendable (CapturedSecret) -> Void)?

    private let state: Mutex<State>

    /// `warn` is told once of each thing that a recording of the run will have.
    init(_ file: SecretsFile, warningOfCapture warn: (@Sendable (CapturedSecret) -> Void)? = nil) {
        (self.file, warnOfCapture) = (file, warn)
        state = Mutex(State())
    }

    /// Throws where what is given for the beacon at `address` was wrong before.
    private func admit(_ address: DeviceAddress, capturing secret: CapturedSecret) throws(SessionFailure) {
        guard !state.withLock({ $0.wrong.contains(address) }) else {
            throw SessionFailure(
                .passwordWrong, during: Self.step,
                "the password for \(address) was wrong before, and is not tried twice in a run")
        }
        if state.withLock({ $0.captured.insert(secret).inserted }) { warnOfCapture?(secret) }
    }

    private static let step = "opening the session"

    /// How a KBeacon is spoken to. Throws where its password was wrong before, or cannot be one.
    func kBeacon(_ beacon: BeaconSighting) throws(SessionFailure) -> KBeaconSession {
        try kBeacon(at: beacon.address, beacon)
    }

    /// The same of the beacon whose application is at `address`, and which was heard as `beacon`.
    func kBeacon(
        at address: DeviceAddress, _ beacon: BeaconSighting
    ) throws(SessionFailure) -> KBeaconSession {
        try admit(address, capturing: .proof)
        guard let secret = beacon.secret(in: file, vendor: "kkm", at: address) else {
            return KBeaconSession(asking: beacon.generation)
        }
        guard KBeaconSession.passwordLengths.contains(secret.bytes.count) else {
            throw SessionFailure(
                .passwordWrong, during: Self.step,
                "what is given for \(address) is no password of a KBeacon's, which has 8 to 16 bytes")
        }
        return KBeaconSession(secret, asking: beacon.generation)
    }

    /// The password by which a KBeacon is spoken to, for who changes it.
    func kBeaconPassword(of beacon: BeaconSighting) throws(SessionFailure) -> Secret {
        // Its flaws are those of a session with it.
        _ = try kBeacon(beacon)
        return beacon.secret(in: file, vendor: "kkm", at: beacon.address) ?? KBeaconSession.factoryPassword
    }

    /// Whether a PIN is given for a Feasycom beacon.
    func hasPIN(_ beacon: BeaconSighting) -> Bool { pin(of: beacon) != nil }

    /// How a Feasycom beacon is spoken to. Throws where it wants a PIN and none is given, or what is given was wrong before, or
    /// cannot be one.
    func fBeacon(_ beacon: BeaconSighting) throws(SessionFailure) -> FBeaconSession {
        guard let pin = pin(of: beacon) else {
            guard !beacon.wantsPIN else {
                throw SessionFailure(
                    .passwordMissing, during: Self.step,
                    "\(beacon.address) wants a PIN, and none is given for it")
            }
            return FBeaconSession()
        }
        guard let authenticator = PlainPIN(pin) else {
            throw SessionFailure(
                .passwordWrong, during: Self.step,
                "what is given for \(beacon.address) is no PIN of a Feasycom beacon's, which has digits only")
        }
        try admit(beacon.address, capturing: .pin)
        return FBeaconSession(by: authenticator)
    }

    private func pin(of beacon: BeaconSighting) -> Secret? {
        beacon.secret(in: file, vendor: "feasycom", at: beacon.address)
    }

    /// What introduces us, for an update by `plan`, to the application of the unit that was heard as `beacon`, or is its bootloader;
    /// with its settings where `readingSettings`.
    func identifying(
        _ beacon: BeaconSighting, for plan: UpdatePlan, readingSettings: Bool
    ) -> IdentityQueryFactory {
        let mayWantPIN = beacon.identity.family == .feasycom || plan.service == FBeaconService.uuid
        let hasSession =
            mayWantPIN && plan.procedure.targetSignature.isApplication && (hasPIN(beacon) || beacon.wantsPIN)
        return { [self] (address, services) throws(SessionFailure) in
            if services?.contains(KBeaconSession.service) ?? (beacon.identity.family == .kkm) {
                let opening = try kBeacon(at: address, beacon).opening(to: address)
                return watched(KBeaconApplication(opening, readingSettings: readingSettings), address)
            }
            guard hasSession else { return nil }
            let opening = try fBeacon(beacon).opening(to: address)
            return watched(FBeaconApplication(opening, readingSettings: readingSettings), address)
        }
    }

    private func watched(
        _ identityQuery: some IdentityQuery, _ address: DeviceAddress
    ) -> any IdentityQuery {
        ObservedQuery(base: identityQuery) { [self] in note($0, of: address) }
    }

    /// Remembers that the password of the beacon at `address` is another one.
    func note(_ failure: SessionFailure, of address: DeviceAddress) {
        guard [.passwordWrong, .authenticationRefused].contains(failure.code) else { return }
        state.withLock { _ = $0.wrong.insert(address) }
    }
}

extension BeaconSighting {
    /// What `file` has for it as a beacon of `vendor`, whose application is at `address`.
    func secret(in file: SecretsFile, vendor: String, at address: DeviceAddress) -> Secret? {
        let model = identity.model ?? identity.modelNumber.map { "\($0)" }
        return file.secret(of: address, id: identity.id, model: model, vendor: vendor)
    }

    /// Whether it advertises that it wants a PIN.
    fileprivate var wantsPIN: Bool { identity.flags.contains("pin-needed") }

    /// Which generation of KBeacon it probably is, by what it advertises (kbeacon.md, Generations). A bootloader does not tell.
    fileprivate var generation: KBeaconGeneration {
        let isFirst = identity.family == .kkm && !identity.isSecondGeneration
        return isFirst && identity.name?.hasPrefix("KBPro") != true ? .first : .second
    }
}
