import BeaconIdentity
import BluetoothTypes
import KBeacon
import Radio
import Secrets
import Sessions
import Synchronization
import UpdateCore

/// Passwords and PINs for one run. One that was wrong is not tried again, whoever asks.
final class SecretKeeper: Sendable {
    private let file: SecretsFile
    private struct State: Sendable {
        var wrong: Set<DeviceAddress> = []
        /// Tells once that a recording has what passwords can be found by.
        var warnOfCapture: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    init(_ file: SecretsFile, warningOfCapture warn: (@Sendable () -> Void)? = nil) {
        self.file = file
        state = Mutex(State(warnOfCapture: warn))
    }

    /// How a KBeacon is spoken to. Throws where its password was wrong before, or cannot be one.
    func kBeacon(_ beacon: BeaconSighting) throws(SessionFailure) -> KBeaconSession {
        try kBeacon(at: beacon.address, beacon)
    }

    /// The same of the beacon whose application is at `address`, and which was heard as `beacon`.
    func kBeacon(
        at address: DeviceAddress, _ beacon: BeaconSighting
    ) throws(SessionFailure) -> KBeaconSession {
        let step = "opening the session"
        guard !state.withLock({ $0.wrong.contains(address) }) else {
            throw SessionFailure(
                .passwordWrong, during: step,
                "the password for \(address) was wrong before, and is not tried twice in a run")
        }
        state.withLock { $0.warnOfCapture.take() }?()
        let identity = beacon.identity
        let model = identity.model ?? identity.modelNumber.map { "\($0)" }
        let secret = file.secret(of: address, id: identity.id, model: model, vendor: "kkm")
        guard let secret else { return KBeaconSession(asking: beacon.generation) }
        guard KBeaconSession.passwordLengths.contains(secret.bytes.count) else {
            throw SessionFailure(
                .passwordWrong, during: step,
                "what is given for \(address) is no password of a KBeacon's, which has 8 to 16 bytes")
        }
        return KBeaconSession(secret, asking: beacon.generation)
    }

    /// What introduces us to the application of the unit that was heard as `beacon`, or is its bootloader; with its settings where
    /// `readingSettings`.
    func introducing(_ beacon: BeaconSighting, readingSettings: Bool) -> IntroductionFactory {
        { [self] (address, services) throws(SessionFailure) in
            guard services?.contains(KBeaconSession.service) ?? (beacon.identity.family == .kkm) else {
                return nil
            }
            return WatchedIntroduction(
                base: KBeaconApplication(
                    try kBeacon(at: address, beacon).opening(to: address), readingSettings: readingSettings)
            ) { [self] in note($0, of: address) }
        }
    }

    /// Remembers that the password of the beacon at `address` is another one.
    func note(_ failure: SessionFailure, of address: DeviceAddress) {
        guard [.passwordWrong, .authenticationRefused].contains(failure.code) else { return }
        state.withLock { _ = $0.wrong.insert(address) }
    }
}

extension BeaconSighting {
    /// Which generation of KBeacon it probably is, by what it advertises (kbeacon.md, Generations). A bootloader does not tell.
    fileprivate var generation: KBeaconGeneration {
        let isFirst = identity.family == .kkm && !identity.isSecondGeneration
        return isFirst && identity.name?.hasPrefix("KBPro") != true ? .first : .second
    }
}
