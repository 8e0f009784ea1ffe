import ArgumentParser
import Bluetooth
import Bytes
package import CommandKit
package import Firmware
import Logging
package import UpdateEngine
import UpdateModel

package struct SessionOptions: ParsableArguments {
    @OptionGroup var target: DeviceChoice
    @Option(
        "How long to wait until the beacon accepts connections, which some do only after a press of their button. Default: "
            + "60 with a file for such beacons, else none.", valueName: "seconds")
    var wait: Double?
    @OptionGroup(title: "Adapter") var radio: AdapterOptions
    @OptionGroup var secrets: SecretsOptions

    var inputs: [String?] { [radio.scenario, secrets.path] }

    private static let searchLimit = Duration.seconds(10)

    func validate() throws {
        _ = try target.selector()
        try require(seconds: wait, of: "--wait", atMost: 86_400)
    }

    struct Found: Sendable {
        let beacon: BeaconSighting
        let adapter: any Adapter
        let secrets: SecretStore
        let console: Console
        let line: ActivityLine
    }

    /// Runs `body` with the selected beacon. --wait, or else `timeout`, is the time to press its button; without both,
    /// no press is awaited.
    func withBeacon<Value: Sendable>(
        _ console: Console, log: Logger, under rule: OutputRule,
        buttonTimeout timeout: Duration? = nil, _ body: (Found) async throws -> Value
    ) async throws -> Value {
        let device = try target.selector()
        let secrets = try secrets.secretStore(capturing: radio.capture, console)
        return try await radio.withAdapter(log: log, under: rule) { adapter in
            let wait = wait.map { Duration.seconds($0) } ?? timeout
            let beacon = try await DeviceSearch(
                selector: device, limit: wait ?? Self.searchLimit,
                status: SearchStatus(
                    console: console, goal: "\(device)", awaited: wait == nil ? nil : device),
                isWaiting: wait != nil
            ).find(with: adapter)
            return try await body(
                Found(
                    beacon: beacon, adapter: adapter, secrets: secrets, console: console,
                    line: ActivityLine(on: console, time: adapter.time)))
        }
    }
}

package protocol SessionCommand: RadioCommand { var session: SessionOptions { get } }

extension SessionCommand {
    package var inputs: [String?] { session.inputs }
    package var radio: AdapterOptions { session.radio }
    package var namedSecrets: String? { session.secrets.secrets }
    package var selected: DeviceSelector? { session.target.device }

    /// Opens the log, then runs `body` with the selected beacon. --wait, or else `timeout`, is the time to press its
    /// button; without both, no press is awaited.
    func withBeacon<Value: Sendable>(
        _ console: Console, buttonTimeout timeout: Duration? = nil,
        _ body: (SessionOptions.Found) async throws -> Value
    ) async throws -> Value {
        let log = try common.logger(under: outputs)
        return try await session.withBeacon(
            console, log: log, under: outputs.protecting([common.logFile]), buttonTimeout: timeout, body)
    }
}

extension SessionOptions.Found {
    var address: DeviceAddress { beacon.address }

    /// The vendor of the beacon's sessions, as a `Capability`; throws if the vendor is unknown or lacks it. `task`, such as
    /// "to reset it", completes the error "this program does not know how …".
    func vendor<Capability>(as _: Capability.Type, for task: String) throws(CommandFailure) -> Capability {
        guard let vendor = KnownVendors.vendor(of: beacon) as? Capability else { throw unsupported(task) }
        return vendor
    }

    private func unsupported(_ task: String) -> CommandFailure {
        let advice = KnownVendors.withSessions.compactMap { vendor in
            vendor.buttonTimeout.map {
                "if it is \(vendor.aBeacon), give --wait \($0.components.seconds) and press its button: "
                    + "it identifies itself only then"
            }
        }
        return CommandFailure(
            .session.notSupported, during: "looking for the beacon",
            message: "\(address) is of a kind for which this program does not know how \(task)",
            nextStep: beacon.isConnectable == false ? advice.first : nil)
    }

    /// Runs one dialogue in a session of `vendor` with the beacon, by `password` or else by its secret.
    func perform<Vendor: SessionVendor, D: SessionDialogue>(
        _ vendor: Vendor, by password: Secret? = nil,
        _ make: @Sendable (Vendor.Session.Opening.Ending) throws(SessionFailure) -> D
    ) async throws -> D.Ending {
        try await withSession(vendor, by: password) { try await $0.perform(make) }
    }

    /// Runs `body` in a session of `vendor` with the beacon, by `password` or else by its secret.
    func withSession<Vendor: SessionVendor, Value: Sendable>(
        _ vendor: Vendor, by password: Secret? = nil,
        _ body: (BeaconSession<Vendor.Session>) async throws -> Value
    ) async throws -> Value {
        do {
            return try await line.showing("connecting to \(address)") {
                try await secrets.withSession(
                    vendor, with: beacon, at: address, by: password, over: adapter,
                    telling: { [console, line] event in
                        console.event(event.line)
                        if case .opened(let address) = event { line.show("in a session with \(address)") }
                    }, body)
            }
        } catch {
            // An interrupted dialogue may have something to report.
            if (error as? SessionFailure)?.code != .system.interrupted { try Task.checkCancellation() }
            throw CommandFailure(from: error)
        }
    }
}

extension SessionEvent {
    package var line: JSONLine {
        switch self {
        case .opened(let address): JSONLine("session-opened", ["device": .text(address.description)])
        case .closed(let address, let failure):
            JSONLine("session-closed").adding([
                "device": .text(address.description), "code": .optional(failure?.code.rawValue),
            ])
        }
    }
}
