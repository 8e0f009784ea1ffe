package import Bluetooth
import Feasycom
package import Firmware
package import Identity
import KKM
import Synchronization
package import UpdateEngine
package import UpdateModel

/// A secret that a recording of a run contains.
enum CapturedSecret: Hashable, Sendable {
    /// A cryptographic proof, on which passwords can be tried.
    case proof
    /// A PIN in plain text.
    case pin
}

/// The passwords and PINs for one run. A wrong one is not tried again in the run.
package final class SecretStore: Sendable {
    private let file: SecretsFile
    private struct State: Sendable {
        var wrong: Set<DeviceAddress> = []
        /// The secrets in the recording that were already reported.
        var captured: Set<CapturedSecret> = []
    }

    private let warnOfCapture: (@Sendable (CapturedSecret) -> Void)?

    private let state: Mutex<State>

    /// `warn` is called once for each kind of secret that a recording of the run will contain.
    init(_ file: SecretsFile, warningOfCapture warn: (@Sendable (CapturedSecret) -> Void)? = nil) {
        (self.file, warnOfCapture) = (file, warn)
        state = Mutex(State())
    }

    /// Throws if the secret for the beacon at `address` was wrong before.
    private func admit(_ address: DeviceAddress, capturing secret: CapturedSecret) throws(SessionFailure) {
        guard !state.withLock({ $0.wrong.contains(address) }) else {
            throw SessionFailure(
                .session.passwordWrong, during: Self.step,
                "the password for \(address) was wrong before; it is tried only once in a run")
        }
        if state.withLock({ $0.captured.insert(secret).inserted }) { warnOfCapture?(secret) }
    }

    private static let step = "opening the session"

    /// The session kind for a KBeacon. Throws if its password was wrong before, or is not a valid one.
    func kBeacon(_ beacon: BeaconSighting) throws(SessionFailure) -> KBeaconSession {
        try kBeacon(at: beacon.address, beacon)
    }

    /// The session kind for the KBeacon whose application is at `address`, and which was heard as `beacon`.
    func kBeacon(
        at address: DeviceAddress, _ beacon: BeaconSighting
    ) throws(SessionFailure) -> KBeaconSession {
        try admit(address, capturing: .proof)
        guard let secret = beacon.secret(in: file, vendor: "kkm", at: address) else {
            return KBeaconSession(asking: beacon.generation)
        }
        guard KBeaconSession.passwordLengths.contains(secret.bytes.count) else {
            throw SessionFailure(
                .session.passwordWrong, during: Self.step,
                "the password for \(address) is not valid: a KBeacon's has 8 to 16 bytes")
        }
        return KBeaconSession(secret, asking: beacon.generation)
    }

    /// The current password of a KBeacon, for a change of it.
    func kBeaconPassword(of beacon: BeaconSighting) throws(SessionFailure) -> Secret {
        // Throws what a session would throw.
        _ = try kBeacon(beacon)
        return beacon.secret(in: file, vendor: "kkm", at: beacon.address) ?? KBeaconSession.factoryPassword
    }

    /// Whether a PIN is given for a Feasycom beacon.
    func hasPIN(_ beacon: BeaconSighting) -> Bool { pin(of: beacon) != nil }

    /// The session kind for a Feasycom beacon. Throws if it needs a PIN and none is given, or the PIN was
    /// wrong before, or is not a valid one.
    func fBeacon(_ beacon: BeaconSighting) throws(SessionFailure) -> FBeaconSession {
        guard let pin = pin(of: beacon) else {
            guard !beacon.wantsPIN else {
                throw SessionFailure(
                    .session.passwordMissing, during: Self.step,
                    "\(beacon.address) needs a PIN, but none is given for it")
            }
            return FBeaconSession()
        }
        guard let authenticator = PlainPIN(pin) else {
            throw SessionFailure(
                .session.passwordWrong, during: Self.step,
                "the PIN for \(beacon.address) is not valid: a Feasycom beacon's has digits only")
        }
        try admit(beacon.address, capturing: .pin)
        return FBeaconSession(by: authenticator)
    }

    private func pin(of beacon: BeaconSighting) -> Secret? {
        beacon.secret(in: file, vendor: "feasycom", at: beacon.address)
    }

    /// The identity query, for an update by `plan`, to the application of the unit that was heard as
    /// `beacon`, which may be its bootloader; with `readingSettings` it also reads the settings.
    package func identifying(
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

    /// Remembers that the password for the beacon at `address` is wrong, if that is the `failure`.
    package func note(_ failure: SessionFailure, of address: DeviceAddress) {
        guard [.session.passwordWrong, .session.authenticationRefused].contains(failure.code) else { return }
        state.withLock { _ = $0.wrong.insert(address) }
    }
}

extension BeaconSighting {
    /// The secret in `file` for this beacon of `vendor`, whose application is at `address`.
    func secret(in file: SecretsFile, vendor: String, at address: DeviceAddress) -> Secret? {
        let model = identity.model ?? identity.modelNumber.map { "\($0)" }
        return file.secret(of: address, id: identity.id, model: model, vendor: vendor)
    }

    /// Whether it advertises that it needs a PIN.
    fileprivate var wantsPIN: Bool { identity.flags.contains("pin-needed") }

    /// The probable generation of a KBeacon, by its advertisements (kbeacon.md, Generations). A bootloader
    /// does not advertise it.
    fileprivate var generation: KBeaconGeneration {
        let isFirst = identity.family == .kkm && !identity.isSecondGeneration
        return isFirst && identity.name?.hasPrefix("KBPro") != true ? .first : .second
    }
}

extension SecretStore {
    /// Runs `body` in a session of this `kind` with the beacon whose application is at `address`. A wrong
    /// password is remembered.
    package func withSession<Kind: SessionKind, Value: Sendable>(
        with address: DeviceAddress, over adapter: some Adapter,
        telling tell: @escaping @Sendable (SessionEvent) -> Void = { _ in },
        of kind: () throws(SessionFailure) -> Kind,
        _ body: (BeaconSession<Kind>) async throws -> Value
    ) async throws -> Value {
        do {
            return try await adapter.withSession(
                try kind(), with: address, within: SessionOptions.connectLimit, telling: tell, body)
        } catch let failure as SessionFailure {
            note(failure, of: address)
            throw failure
        }
    }

    /// The facts for a catalogue that a session with `beacon` provides; empty if it has no sessions, or needs
    /// a PIN that is not given.
    func factsReported(by beacon: BeaconSighting) -> Set<String> {
        switch beacon.identity.family {
        case .kkm: ["model", "name", "hardware", "version"]
        case .feasycom: hasPIN(beacon) ? ["version"] : []
        default: []
        }
    }

    /// Opens a session with `beacon` to read the ``factsReported(by:)``, and closes it.
    package func facts(
        of beacon: BeaconSighting, with adapter: some Adapter
    ) async throws -> DeviceReading.Session? {
        var facts = DeviceReading.Session()
        switch beacon.identity.family {
        case .kkm:
            let kind = { () throws(SessionFailure) in try self.kBeacon(beacon) }
            let identity = try await withSession(with: beacon.address, over: adapter, of: kind) { session in
                await session.opened?.identity
            }
            (facts.model, facts.hardware) = (identity?.model, identity?.hardware)
            (facts.version, facts.battery) = (identity?.version, identity?.battery.map(Int.init))
        case .feasycom:
            let kind = { () throws(SessionFailure) in try self.fBeacon(beacon) }
            facts.version = try await withSession(with: beacon.address, over: adapter, of: kind) { session in
                try await session.perform { (_: Void) throws(SessionFailure) in FBeaconExchange.version }
            }
        default: return nil
        }
        return facts
    }
}
