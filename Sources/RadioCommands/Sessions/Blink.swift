package import ArgumentParser
import Bluetooth
import Bytes
package import CommandKit
import Firmware
import UpdateEngine
package import UpdateModel

package struct Blink: SessionCommand {
    package static let configuration = CommandConfiguration(
        commandName: "blink", abstract: "Make one beacon light up or beep, where it can.",
        discussion: """
            Example: `beacon-dfu blink --device BC:57:29:02:45:9F --for 5 --led-on 100 --led-off 900`.

            Works with \(BlinkMethod.vendors.map(\.blinkHint.withOptions).joined(separator: ", and with ")).
            """)

    @OptionGroup package var session: SessionOptions
    @Option("How long to blink, up to 60.", name: .customLong("for"), valueName: "seconds")
    package var length = 5.0
    @Flag(help: "Beep instead of lighting up.") var beep = false
    @Option(Self.lightHelp("on"), valueName: "milliseconds") var ledOn: Int?
    @Option(Self.lightHelp("off"), valueName: "milliseconds") var ledOff: Int?
    @OptionGroup package var common: CommonOptions

    /// The on and off times of the light; nil for the beacon's own.
    private var flashes: BlinkRequest.Flashes? {
        guard let ledOn, let ledOff else { return nil }
        return BlinkRequest.Flashes(on: ledOn, off: ledOff)
    }

    private static func lightHelp(_ word: String) -> String {
        let beacons = BlinkMethod.takingFlashes.map(\.aBeacon).joined(separator: " or ")
        let limits = BlinkRequest.Flashes.milliseconds
        return "How long \(beacons)'s light is \(word) each time, \(limits.lowerBound) to "
            + "\(limits.upperBound); --led-on and --led-off go together."
    }

    package func validate() throws {
        try require(seconds: length, of: "--for", atMost: Int(BlinkRequest.longest / .seconds(1)))
        guard ledOn != nil || ledOff != nil else { return }
        try require(ledOn != nil && ledOff != nil, "--led-on and --led-off go together")
        try require(!beep, "--led-on and --led-off cannot be used with --beep")
        let limits = BlinkRequest.Flashes.milliseconds
        try require(
            flashes != nil,
            "--led-on and --led-off are milliseconds, \(limits.lowerBound) to \(limits.upperBound)")
    }

    package func perform(_ console: Console) async throws -> ExitStatus {
        try await withBeacon(console) { found in
            let address = found.address
            do {
                let request = BlinkRequest(for: .seconds(length), beeping: beep, flashing: flashes)
                let method = try BlinkMethod(of: found.beacon, request)
                try await found.line.showing("connecting to \(address)") {
                    try await method.show(
                        found.beacon, with: found.adapter, by: found.secrets,
                        telling: { console.event($0.line) },
                        begin: { [line = found.line] in
                            console.notice("\(address) is asked to blink for \(Quantities.seconds(length))")
                            line.show("waiting until \(address) has blinked", for: request.length)
                        })
                }
            } catch {
                try Task.checkCancellation()
                throw error
            }
            console.event(
                JSONLine("blinked").adding([
                    "device": .text(address.description), "seconds": .rounded(length),
                    "led_on_ms": .optional(ledOn), "led_off_ms": .optional(ledOff),
                ]))
        }
        return .done
    }

    package init() {}
}
