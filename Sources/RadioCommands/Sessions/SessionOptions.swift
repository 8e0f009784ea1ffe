import ArgumentParser
import Bluetooth
import CommandKit
import Identity
import KKM
import Logging
import UpdateEngine
import UpdateModel

/// Options of a session: the beacon, the adapter and the passwords.
package struct SessionOptions: ParsableArguments {
    @OptionGroup var target: DeviceChoice
    @Option(
        help: ArgumentHelp(
            "How long to wait until the beacon accepts connections, which some do only after a press of their button. Default: "
                + "60 with a file for such beacons, else none.", valueName: "seconds"))
    var wait: Double?
    @OptionGroup(title: "Adapter") var radio: AdapterOptions
    @OptionGroup var secrets: SecretsOptions

    var inputs: [String?] { [radio.scenario, secrets.path] }

    var kernelAdapters: Int { radio.kernelAdapters }

    /// How long to look for the beacon.
    private static let searchLimit = Duration.seconds(10)
    static let connectLimit = Duration.seconds(15)

    func validate() throws {
        _ = try target.selector()
        try DeviceOptions.check(wait)
    }

    /// A beacon that was found, with all that a session needs.
    struct Found: Sendable {
        let beacon: BeaconSighting
        let adapter: any Adapter
        let secrets: SecretStore
        let console: Console
    }

    /// Runs `body` with the selected beacon. `timeout` or --wait is the time to press its button.
    func withBeacon<Value: Sendable>(
        _ console: Console, log: Logger, under rule: OutputRule,
        givingForButton timeout: Duration? = nil, _ body: (Found) async throws -> Value
    ) async throws -> Value {
        let device = try target.selector()
        let secrets = try secrets.keeper(capturing: radio.capture, console)
        return try await radio.withAdapter(log: log, under: rule) { adapter in
            let wait = wait.map { Duration.seconds($0) } ?? timeout
            let beacon = try await DeviceSearch(
                selector: device, limit: wait ?? Self.searchLimit,
                status: SearchStatus(
                    console: console, goal: "\(device)", awaited: wait == nil ? nil : device),
                isWaiting: wait != nil
            ).find(with: adapter)
            return try await body(
                Found(beacon: beacon, adapter: adapter, secrets: secrets, console: console))
        }
    }
}

extension SessionOptions.Found {
    /// The beacon's address.
    var address: DeviceAddress { beacon.address }

    /// Runs `body` in a session with the beacon, which must be a KBeacon: the program can do `what` with those only.
    /// Uses `password`, or else the one in the secrets.
    func withKBeacon<Value: Sendable>(
        for what: String, _ password: Secret? = nil,
        _ body: (BeaconSession<KBeaconSession>) async throws -> Value
    ) async throws -> Value {
        try checkIsKBeacon(for: what)
        return try await withSession(body) { () throws(SessionFailure) in
            if let password { return KBeaconSession(password) }
            return try secrets.kBeacon(beacon)
        }
    }

    /// Throws unless the beacon is a KBeacon: the program can do `what` with those only.
    func checkIsKBeacon(for what: String) throws(CommandFailure) {
        guard beacon.identity.family == .kkm else { throw unknown(what) }
    }

    /// Runs `body` in a session with the beacon, which must have this kind of settings.
    func withSession<Settings: MakerSettings, Value: Sendable>(
        of _: Settings.Type, for what: String,
        _ body: (BeaconSession<Settings.Kind>) async throws -> Value
    ) async throws -> Value {
        guard beacon.identity.family == Settings.family else { throw unknown(what) }
        return try await withSession(body) { () throws(SessionFailure) in
            try Settings.session(at: address, beacon, by: secrets)
        }
    }

    /// The kind of settings that the beacon has; throws if none is known.
    func settings(for what: String) throws(CommandFailure) -> any MakerSettings.Type {
        guard let settings = beacon.identity.family.settings else { throw unknown(what) }
        return settings
    }

    /// Throws if `settings` are for beacons of another maker.
    func check<Settings: MakerSettings>(_ settings: Settings) throws(CommandFailure) {
        guard let own = beacon.identity.family.settings else { throw unknown("to change its settings") }
        guard own == Settings.self else {
            throw CommandFailure(
                SessionFailure(
                    .session.settingsForOthers, during: "comparing the settings",
                    "the settings are for beacons of \(Settings.maker), but this one is of \(own.maker)"))
        }
    }

    private func unknown(_ what: String) -> CommandFailure {
        CommandFailure(
            .session.notSupported, during: "looking for the beacon",
            message: "\(address) is of a kind for which this program does not know how \(what)",
            nextStep: beacon.isConnectable == false
                ? "if it is an Orange Beacon Tag, give --wait 60 and press its button: it identifies itself only then"
                : nil)
    }

    private func withSession<Kind: SessionKind, Value: Sendable>(
        _ body: (BeaconSession<Kind>) async throws -> Value,
        of kind: () throws(SessionFailure) -> Kind
    ) async throws -> Value {
        do {
            return try await secrets.withSession(
                with: address, over: adapter, telling: { [console] in console.event($0.line) }, of: kind, body
            )
        } catch {
            try Task.checkCancellation()
            throw CommandFailure(from: error)
        }
    }
}
