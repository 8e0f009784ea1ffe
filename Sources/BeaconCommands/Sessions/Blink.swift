import ArgumentParser
import BeaconSessions
import BluetoothTypes
import KBeacon
import Radio
import Sessions
import Timing

struct Blink: RunningCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make one beacon light up or beep, where it can.",
        discussion: """
            Example: `beacon-dfu blink --device BC:57:29:02:45:9F --for 5`.

            KBeacons can, in a session: by their password in --secrets, or the one of the factory; and Feasycom beacons that \
            advertise a light or a buzzer.
            """)

    @OptionGroup var session: SessionOptions
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("For how long, up to 60.", valueName: "seconds"))
    var length = 5.0
    @Flag(help: "Beep instead of lighting up.") var beep = false
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { session.inputs }

    var kernelAdapters: Int { session.kernelAdapters }

    func validate() throws {
        guard length > 0, length <= KBeaconRing.longest / .seconds(1) else {
            throw ValidationError("--for is a number of seconds, from above 0 to 60")
        }
    }

    func perform(_ console: Console) async throws -> ExitStatus {
        let log = try common.logger(under: outputs)
        let rule = outputs.keeping([common.logFile])
        try await session.withBeacon(console, log: log, under: rule) { found in
            let address = found.address
            do {
                try await ShowingWay(of: found.beacon).show(
                    found.beacon, beeping: beep, for: .seconds(length), with: found.adapter,
                    by: found.secrets,
                    telling: { console.event($0.line) },
                    begin: {
                        console.talk("\(address) is asked to show itself for \(Quantities.seconds(length))")
                    })
            } catch {
                try Task.checkCancellation()
                throw error
            }
            console.event(
                JSONLine("blinked", ["device": .text(address.description), "seconds": .rounded(length)]))
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
