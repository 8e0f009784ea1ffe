import ArgumentParser
import BeaconIdentity
import BeaconSessions
import BluetoothTypes
import KBeacon
import Logging
import Radio
import Sessions
import Timing
import UpdateEngine

/// Which beacon is spoken to, over which adapter, with whose passwords.
struct SessionOptions: ParsableArguments {
    @OptionGroup var target: DeviceChoice
    @OptionGroup(title: "Adapter") var radio: AdapterOptions
    @OptionGroup var secrets: SecretsOptions

    var inputs: [String?] { [radio.scenario, secrets.secrets] }

    var needsKernel: Bool { radio.needsKernel }

    /// How long to look for the beacon.
    private static let searchLimit = Duration.seconds(10)
    static let connectLimit = Duration.seconds(15)

    func validate() throws { _ = try target.selector() }

    /// A beacon that was found, and with what.
    struct Found: Sendable {
        let beacon: BeaconSighting
        let adapter: any Adapter
        let secrets: SecretKeeper
        let console: Console
    }

    /// Runs `body` with the beacon that is meant.
    func withBeacon<Value: Sendable>(
        _ console: Console, log: Logger, under rule: OutputRule, _ body: (Found) async throws -> Value
    ) async throws -> Value {
        let device = try target.selector()
        let secrets = try secrets.keeper(capturing: radio.capture, console)
        return try await radio.withAdapter(log: log, under: rule) { adapter in
            let beacon = try await DeviceSearch(
                selector: device, limit: Self.searchLimit,
                status: SearchStatus(console: console, goal: "\(device)")
            ).find(with: adapter)
            return try await body(
                Found(beacon: beacon, adapter: adapter, secrets: secrets, console: console))
        }
    }
}

extension SessionOptions.Found {
    /// The beacon's address.
    var address: DeviceAddress { beacon.address }

    /// Runs `body` in a session with it, which has to be a KBeacon: only of those is known how to do `what`. It has
    /// `password`, or the one that is known.
    func withKBeacon<Value: Sendable>(
        for what: String, _ password: Secret? = nil,
        _ body: (BeaconSession<KBeaconSession>) async throws -> Value
    ) async throws -> Value {
        guard beacon.identity.family == .kkm else {
            throw CommandFailure(
                "not-supported", during: "looking for the device",
                message: "\(address) is no beacon of which is known how \(what)")
        }
        do {
            let kind = try password.map { KBeaconSession($0) } ?? secrets.kBeacon(beacon)
            return try await adapter.withSession(
                kind, with: beacon.address, within: SessionOptions.connectLimit,
                telling: { [console] in console.event($0.line) }, body)
        } catch {
            try Task.checkCancellation()
            if let failure = error as? SessionFailure { secrets.note(failure, of: beacon.address) }
            throw CommandFailure(from: error)
        }
    }
}
