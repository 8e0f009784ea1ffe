import ArgumentParser
import Bluetooth
import CommandKit
import UpdateEngine
import UpdateModel

struct CompareSettings: RunningCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare the settings of a beacon with a file.",
        discussion: """
            Example: `beacon-dfu config diff bench.yaml --device BC:57:29:02:45:9F`.

            Prints the settings in the file that differ on the beacon; the exit code is 1 if there are any. Settings that the \
            file does not name are ignored.
            """)

    @Argument(
        help: ArgumentHelp("The file.", valueName: "path"), completion: .file(extensions: ["yaml", "yml"]))
    var file: String
    @OptionGroup var session: SessionOptions
    @OptionGroup var common: CommonOptions

    var inputs: [String?] { session.inputs + [file] }

    var kernelAdapters: Int { session.kernelAdapters }

    func perform(_ console: Console) async throws -> ExitStatus {
        let wanted = try SettingsFile(path: file).settings
        let log = try common.logger(under: outputs)
        let rule = outputs.keeping([common.logFile])
        return try await session.withBeacon(
            console, log: log, under: rule, givingForButton: type(of: wanted).buttonTimeout
        ) { found in
            try await compare(wanted, with: found, console)
        }
    }

    private func compare<Settings: MakerSettings>(
        _ wanted: Settings, with found: SessionOptions.Found, _ console: Console
    ) async throws -> ExitStatus {
        try found.check(wanted)
        let differences = try await found.withSession(of: Settings.self, for: "to read its settings") {
            session in
            let settings = try await session.perform { (peer) throws(SessionFailure) in
                try wanted.check(against: peer)
                return Settings.reading(of: peer)
            }
            return wanted.differences(from: settings)
        }
        console.event(
            JSONLine(
                "compared",
                [
                    "device": .text(found.address.description), "file": .text(file),
                    "differences": .list(differences.map(\.object)),
                ]))
        if !console.style.isJSON { differences.forEach { console.result(TerminalText($0.row)) } }
        guard !differences.isEmpty else {
            console.talk("\(found.address) has all settings in \(file)")
            return .done
        }
        throw CommandFailure(
            .command.settingsDiffer, during: "comparing the settings",
            message: "\(Quantities.settings(differences.count)) of \(found.address) "
                + "\(differences.count == 1 ? "differs" : "differ") from \(file)")
    }
}
