package import ArgumentParser
import Bluetooth
package import CommandKit
import KKM
import UpdateEngine
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
