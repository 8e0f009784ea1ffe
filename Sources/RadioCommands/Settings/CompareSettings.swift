import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import UpdateModel

struct CompareSettings: SettingsFileCommand {
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

    func perform<Vendor: SettingsVendor>(
        _ wanted: Vendor.Settings, with found: SessionOptions.Found, _ vendor: Vendor
    ) async throws -> ExitStatus {
        let settings = try await found.perform(vendor) { (peer) throws(SessionFailure) in
            try wanted.check(against: peer)
            return Vendor.Settings.reading(of: peer)
        }
        let differences = wanted.differences(from: settings)
        found.console.report(
            JSONLine("compared").adding([
                "device": .text(found.address.description), "file": .text(file),
                "differences": .list(differences.map(\.object)),
            ]), differences.map { TerminalText($0.row) })
        guard !differences.isEmpty else {
            found.console.notice("\(found.address) has all settings in \(file)")
            return .done
        }
        let failure = CommandFailure(
            .command.settingsDiffer, during: "comparing the settings",
            message: "\(Quantities.count(differences.count, "setting")) of \(found.address) "
                + "\(differences.count == 1 ? "differs" : "differ") from \(file)")
        // A backquote would end the command in the next step.
        guard !file.contains("`") else { throw failure }
        throw failure.withNextStep(
            failure.nextStep.replacing("write FILE", with: "write \(ShellWord.quoted(file))"))
    }
}
