package import ArgumentParser
package import Bluetooth
import Bytes
package import CommandKit
import Feasycom
package import Identity
package import KKM
package import UpdateEngine
package import UpdateModel

package struct Blink: RunningCommand {
    package static let configuration = CommandConfiguration(
        abstract: "Make one beacon light up or beep, where it can.",
        discussion: """
            Example: `beacon-dfu blink --device BC:57:29:02:45:9F --for 5 --led-on 100 --led-off 900`.

            Works with KBeacons, in a session with their password in --secrets or the factory password, and with Feasycom beacons \
            that advertise a light or a buzzer.
            """)

    @OptionGroup package var session: SessionOptions
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("How long to blink, up to 60.", valueName: "seconds"))
    package var length = 5.0
    @Flag(help: "Beep instead of lighting up.") var beep = false
    @Option(help: ArgumentHelp(Self.lightHelp("on"), valueName: "milliseconds"))
    var ledOn: Int?
    @Option(help: ArgumentHelp(Self.lightHelp("off"), valueName: "milliseconds"))
    var ledOff: Int?
    @OptionGroup package var common: CommonOptions

    /// The on and off times of the light; nil for the beacon's own.
    private var flashes: KBeaconRing.Flashes? {
        guard let ledOn, let ledOff else { return nil }
        return KBeaconRing.Flashes(on: ledOn, off: ledOff)
    }

    private static func lightHelp(_ word: String) -> String {
        "How long a KBeacon's light is \(word) each time, \(KBeaconRing.Flashes.milliseconds.lowerBound) to "
            + "\(KBeaconRing.Flashes.milliseconds.upperBound); --led-on and --led-off go together."
    }

    package var inputs: [String?] { session.inputs }

    package var kernelAdapters: Int { session.kernelAdapters }

    package func validate() throws {
        guard length > 0, length <= KBeaconRing.longest / .seconds(1) else {
            throw ValidationError("--for is a number of seconds, above 0 and at most 60")
        }
        guard ledOn != nil || ledOff != nil else { return }
        guard ledOn != nil, ledOff != nil else {
            throw ValidationError("--led-on and --led-off go together")
        }
        guard !beep else { throw ValidationError("--led-on and --led-off cannot be used with --beep") }
        let limits = KBeaconRing.Flashes.milliseconds
        guard flashes != nil else {
            throw ValidationError(
                "--led-on and --led-off are milliseconds, \(limits.lowerBound) to \(limits.upperBound)")
        }
    }

    package func perform(_ console: Console) async throws -> ExitStatus {
        let log = try common.logger(under: outputs)
        let rule = outputs.keeping([common.logFile])
        try await session.withBeacon(console, log: log, under: rule) { found in
            let address = found.address
            do {
                try await BlinkMethod(of: found.beacon).show(
                    found.beacon, beeping: beep, for: .seconds(length), flashing: flashes,
                    with: found.adapter, by: found.secrets,
                    telling: { console.event($0.line) },
                    begin: {
                        console.talk("\(address) is asked to blink for \(Quantities.seconds(length))")
                    })
            } catch {
                try Task.checkCancellation()
                throw error
            }
            console.event(
                JSONLine(
                    "blinked",
                    [
                        "device": .text(address.description), "seconds": .rounded(length),
                        "led_on_ms": ledOn.map(JSONValue.integer) ?? .null,
                        "led_off_ms": ledOff.map(JSONValue.integer) ?? .null,
                    ]))
        }
        return .done
    }

    package init() {}
}

extension SessionEvent {
    /// The event for scripts.
    package var line: JSONLine {
        switch self {
        case .opened(let address): JSONLine("session-opened", ["device": .text(address.description)])
        case .closed(let address, let failure):
            JSONLine(
                "session-closed",
                ["device": .text(address.description), "code": .optional(failure?.code.rawValue)])
        }
    }
}

/// How a beacon is made to light up or beep: one case for each maker's method.
package enum BlinkMethod: Sendable {
    case kBeacon
    /// With the light and the buzzer that it advertises.
    case feasycom(hasLight: Bool, hasBuzzer: Bool)

    /// The method for a beacon by its advertisements. Throws if none is known.
    package init(of beacon: BeaconSighting) throws(CommandFailure) {
        let flags = beacon.identity.flags
        switch beacon.identity.family {
        case .kkm: self = .kBeacon
        case .feasycom where flags.contains("led") || flags.contains("buzzer"):
            self = .feasycom(hasLight: flags.contains("led"), hasBuzzer: flags.contains("buzzer"))
        case .feasycom:
            throw CommandFailure(
                .session.notSupported, during: "looking for the beacon",
                message: "\(beacon.address) advertises neither a light nor a buzzer")
        default:
            throw CommandFailure(
                .session.notSupported, during: "looking for the beacon",
                message:
                    "\(beacon.address) is of a kind that is not known to light up or beep on request"
            )
        }
    }

    /// Makes `beacon` light up for `length`, with these `flashes` if given, over a link of `adapter`; it
    /// beeps if `beeps`, or if it has no light. Calls `begin` just before the request, and returns when the
    /// beacon is done.
    package func show(
        _ beacon: BeaconSighting, beeping beeps: Bool = false, for length: Duration,
        flashing flashes: KBeaconRing.Flashes? = nil, with adapter: some Adapter,
        by secrets: SecretStore, telling tell: @escaping @Sendable (SessionEvent) -> Void = { _ in },
        begin: @escaping @Sendable () -> Void
    ) async throws {
        switch self {
        case .kBeacon:
            let kind = { () throws(SessionFailure) in try secrets.kBeacon(beacon) }
            try await secrets.withSession(with: beacon.address, over: adapter, telling: tell, of: kind) {
                session in
                begin()
                try await session.perform { (peer) throws(SessionFailure) in
                    try KBeaconRing(by: beeps ? .beep : .light, for: length, flashes, of: peer)
                }
            }
        case .feasycom(let hasLight, let hasBuzzer):
            guard flashes == nil else {
                throw CommandFailure(
                    .session.notSupported, during: "looking for the beacon",
                    message: "--led-on and --led-off are for KBeacons, and \(beacon.address) is not one")
            }
            guard hasBuzzer || !beeps else {
                throw CommandFailure(
                    .session.notSupported, during: "looking for the beacon",
                    message: "\(beacon.address) advertises no buzzer")
            }
            let kind = { () throws(SessionFailure) in try secrets.fBeacon(beacon) }
            try await secrets.withSession(with: beacon.address, over: adapter, telling: tell, of: kind) {
                session in
                begin()
                try await session.perform { (_: Void) throws(SessionFailure) in
                    FBeaconBlink(by: hasLight && !beeps ? .light : .beep, for: length)
                }
            }
        }
    }
}
