package import ArgumentParser
package import Bluetooth
import Bytes
package import CommandKit
import Firmware
package import Identity
package import UpdateEngine
package import UpdateModel

package struct Blink: SessionCommand {
    package static let configuration = CommandConfiguration(
        commandName: "blink", abstract: "Make one beacon light up or beep, where it can.",
        discussion: """
            Example: `beacon-dfu blink --device BC:57:29:02:45:9F --for 5 --led-on 100 --led-off 900`.

            Works with \(vendors.map(\.blinkHint.withOptions).joined(separator: ", and with ")).
            """)

    private static var vendors: [any BlinkVendor] {
        KnownVendors.withSessions.compactMap { $0 as? any BlinkVendor }
    }
    fileprivate static var flashing: [any BlinkVendor] { vendors.filter(\.takesFlashes) }

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
    private var flashes: BlinkRequest.Flashes? {
        guard let ledOn, let ledOff else { return nil }
        return BlinkRequest.Flashes(on: ledOn, off: ledOff)
    }

    private static func lightHelp(_ word: String) -> String {
        let beacons = flashing.map(\.aBeacon).joined(separator: " or ")
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
                            console.talk("\(address) is asked to blink for \(Quantities.seconds(length))")
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

/// How a beacon is made to light up or beep.
package struct BlinkMethod: Sendable {
    private let vendor: any BlinkVendor
    private let request: BlinkRequest

    /// The method for a `request` to `beacon`, by its advertisements. Throws if none is known.
    package init(of beacon: BeaconSighting, _ request: BlinkRequest) throws(CommandFailure) {
        guard let vendor = KnownVendors.vendor(of: beacon) as? any BlinkVendor else {
            throw Self.refusal(
                "\(beacon.address) is of a kind that is not known to light up or beep on request")
        }
        if let obstacle = vendor.obstacle(to: request, for: HeardBeacon(beacon)) {
            throw Self.refusal("\(beacon.address) \(obstacle)")
        }
        guard request.flashes == nil || vendor.takesFlashes else {
            throw Self.refusal(
                "--led-on and --led-off are for \(Blink.flashing.map(\.beacons).joined(separator: " and ")), "
                    + "and \(beacon.address) is not one")
        }
        (self.vendor, self.request) = (vendor, request)
    }

    private static func refusal(_ message: String) -> CommandFailure {
        CommandFailure(.session.notSupported, during: "looking for the beacon", message: message)
    }

    /// Makes `beacon` light up, or beep if that is requested or it has no light, over a link of `adapter`. Calls `begin`
    /// just before the request, and returns when the beacon is done.
    package func show(
        _ beacon: BeaconSighting, with adapter: some Adapter, by secrets: SecretStore,
        telling tell: @escaping @Sendable (SessionEvent) -> Void = { _ in },
        begin: @escaping @Sendable () -> Void
    ) async throws { try await show(beacon, vendor, with: adapter, by: secrets, telling: tell, begin: begin) }

    private func show(
        _ beacon: BeaconSighting, _ vendor: some BlinkVendor, with adapter: some Adapter,
        by secrets: SecretStore, telling tell: @escaping @Sendable (SessionEvent) -> Void,
        begin: @escaping @Sendable () -> Void
    ) async throws {
        let heard = HeardBeacon(beacon)
        try await secrets.withSession(
            vendor, with: beacon, at: beacon.address, over: adapter, telling: tell
        ) { session in
            begin()
            try await session.perform { [request] (peer) throws(SessionFailure) in
                try vendor.blinking(request, of: peer, heardAs: heard)
            }
        }
    }
}
