import ArgumentParser
import BeaconSessions
import BluetoothTypes
import KBeacon
import Sessions

struct ReadSettings: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Print the settings of a beacon, as a file that can be written to others.",
        discussion: "Example: `beacon-dfu config read --device BC:57:29:02:45:9F > bench.yaml`.")

    @OptionGroup var session: SessionOptions
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { session.inputs }

    var needsKernel: Bool { session.needsKernel }

    func perform(_ console: Console) async throws -> ExitStatus {
        let log = try common.logger(under: outputs)
        let rule = outputs.keeping([common.logFile])
        try await session.withBeacon(console, log: log, under: rule) { found in
            let (settings, identity) = try await found.withKBeacon(for: "to read its settings") {
                session in
                (try await session.settings(), await session.opened?.identity)
            }
            console.event(
                JSONLine(
                    "settings",
                    [
                        "device": .text(found.address.description), "maker": .text("kkm"),
                        "generation": .integer(settings.generation.rawValue), "values": settings.object,
                    ]))
            guard !console.style.isJSON else { return }
            SettingsFile.lines(settings, of: identity).forEach { console.document($0) }
        }
        return .done
    }
}
