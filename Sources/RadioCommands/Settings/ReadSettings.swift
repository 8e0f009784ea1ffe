import ArgumentParser
import Bluetooth
import CommandKit
import UpdateEngine
import UpdateModel

struct ReadSettings: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "read",
        abstract: "Print the settings of a beacon, as a file for `config write`.",
        discussion: "Example: `beacon-dfu config read --device BC:57:29:02:45:9F > bench.yaml`.")

    @OptionGroup var session: SessionOptions
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { session.inputs }

    var kernelAdapters: Int { session.kernelAdapters }

    func perform(_ console: Console) async throws -> ExitStatus {
        let log = try common.logger(under: outputs)
        let rule = outputs.keeping([common.logFile])
        try await session.withBeacon(console, log: log, under: rule) { found in
            try await read(try found.settings(for: Self.purpose), of: found, console)
        }
        return .done
    }

    private static let purpose = "to read its settings"

    private func read<Settings: MakerSettings>(
        _: Settings.Type, of found: SessionOptions.Found, _ console: Console
    ) async throws {
        let (settings, peer) = try await found.withSession(of: Settings.self, for: Self.purpose) { session in
            (
                try await session.perform { (peer) throws(SessionFailure) in Settings.reading(of: peer) },
                await session.opened
            )
        }
        console.event(
            JSONLine(
                "settings",
                [
                    "device": .text(found.address.description), "maker": .text(Settings.maker),
                    "generation": settings.generationNumber.map(JSONValue.integer) ?? .null,
                    "values": settings.object,
                    "unchecked": .list(settings.unchecked.map { .text("\($0)") }),
                    "unread": .object(settings.unread.mapValues(JSONValue.text)),
                ]))
        for path in settings.unchecked {
            console.warn(
                .command.settingUnchecked,
                settings.rangeMissed(at: path).map {
                    "\(path) is \(settings.values[path]?.description ?? ""), but its maker specifies \($0)"
                } ?? "\(path) is a key that this program does not know")
        }
        guard !console.style.isJSON else { return }
        SettingsFile.lines(settings, of: peer).forEach { console.document($0) }
    }
}
