import ArgumentParser
import BeaconIdentity
import BeaconSessions
import BluetoothTypes
import KBeacon
import Radio
import Sessions
import Timing
import UpdateCore
import UpdateEngine

struct Blink: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make one beacon light up or beep, where it can.",
        discussion: """
            Example: `beacon-dfu blink --device BC:57:29:02:45:9F --for 5`.

            KBeacons can, in a session: by their password in --secrets, or the one of the factory.
            """)

    @OptionGroup var target: DeviceChoice
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("For how long, up to 60. Default: 5.", valueName: "seconds"))
    var length = 5.0
    @Flag(help: "Beep instead of lighting up.") var beep = false
    @OptionGroup(title: "Adapter") var radio: AdapterOptions
    @OptionGroup var secrets: SecretsOptions
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { [radio.scenario, secrets.secrets] }

    var needsKernel: Bool { radio.needsKernel }

    /// How long to look for the beacon.
    private static let searchLimit = Duration.seconds(10)
    private static let connectLimit = Duration.seconds(15)

    func validate() throws {
        _ = try target.selector()
        guard length > 0, length <= KBeaconRing.longest / .seconds(1) else {
            throw ValidationError("--for is a number of seconds, from above 0 to 60")
        }
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let device = try target.selector()
        let secrets = try secrets.keeper(capturing: radio.capture, console)
        let log = try common.logger(under: outputs)
        let ring = KBeaconRing(by: beep ? .beep : .light, for: .seconds(length))
        let hold = KBeaconRing.holding(.seconds(length))
        try await radio.withAdapter(log: log, under: outputs.keeping([common.logFile])) { adapter in
            let beacon = try await DeviceSearch(
                selector: device, limit: Self.searchLimit,
                status: SearchStatus(console: console, goal: "\(device)")
            ).find(with: adapter)
            guard beacon.identity.family == .kkm else {
                throw CommandFailure(
                    "not-supported", during: "looking for the device",
                    message: "\(beacon.address) is no beacon of which is known how to make it show itself")
            }
            do {
                try await adapter.withSession(
                    try secrets.kBeacon(beacon), with: beacon.address, within: Self.connectLimit,
                    telling: { console.event($0.line) }
                ) { session in
                    _ = try await session.perform { (peer) throws(SessionFailure) in
                        try ring.exchange(with: peer)
                    }
                    console.talk("\(beacon.address) shows itself for \(Quantities.seconds(length))")
                    try await adapter.time.sleep(for: hold)
                }
            } catch {
                try Task.checkCancellation()
                if let failure = error as? SessionFailure { secrets.note(failure, of: beacon.address) }
                throw CommandFailure(from: error)
            }
            console.event(
                JSONLine(
                    "blinked", ["device": .text(beacon.address.description), "seconds": .rounded(length)]))
        }
        return .done
    }
}

extension SessionEvent {
    /// The event for scripts.
    var line: JSONLine {
        switch self {
        case .opened(let address): JSONLine("session-opened", ["device": .text(address.description)])
        case .closed(let address, let failure):
            JSONLine(
                "session-closed",
                ["device": .text(address.description), "code": .optional(failure?.code.rawValue)])
        }
    }
}
