import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import UpdateEngine
import UpdateModel

struct WriteSettings: SettingsFileCommand {
    static let configuration = CommandConfiguration(
        commandName: "write", abstract: "Write the settings of a file to a beacon.",
        discussion: """
            Example: `beacon-dfu config write bench.yaml --device BC:57:29:02:45:9F`.

            Reads the settings, writes only those that differ, and reads them again. If none differ, the exit code is 2.
            """)

    @Argument(
        help: ArgumentHelp("The file.", valueName: "path"), completion: .file(extensions: ["yaml", "yml"]))
    var file: String
    @OptionGroup var session: SessionOptions
    @OptionGroup var risks: LockOutOptions
    @OptionGroup var common: CommonOptions

    func perform<Vendor: SettingsVendor>(
        _ wanted: Vendor.Settings, with found: SessionOptions.Found, _ vendor: Vendor
    ) async throws -> ExitStatus {
        let (address, console, permitted) = (found.address, found.console, risks.permitted)
        let changes = try await found.perform(vendor) {
            SettingsChange(to: wanted, permitting: permitted, of: $0)
        }
        console.report(
            JSONLine("settings-written").adding([
                "device": .text(address.description), "file": .text(file),
                "changes": .list(changes.map(\.object)),
            ]), changes.map { TerminalText($0.row) })
        guard !changes.isEmpty else {
            console.notice("\(address) already has all settings in \(file)")
            return .nothingToDo
        }
        console.notice(
            "\(address) accepted \(Quantities.count(changes.count, "setting")), verified by reading back")
        return .done
    }
}

struct LockOutOptions: ParsableArguments {
    private static let names = LockOut.allCases.map(\.rawValue).joined(separator: ", ")

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Allow a change that may lock you out of the beacon: \(names).", valueName: "name"),
        transform: { text in
            guard let risk = LockOut(rawValue: text) else {
                throw ValidationError("'\(text)' is not one of \(names)")
            }
            return risk
        })
    var force: [LockOut] = []

    var permitted: Set<LockOut> { Set(force) }
}

protocol SettingsFileCommand: SessionCommand {
    var file: String { get }

    func perform<Vendor: SettingsVendor>(
        _ wanted: Vendor.Settings, with found: SessionOptions.Found, _ vendor: Vendor
    ) async throws -> ExitStatus
}

extension SettingsFileCommand {
    var inputs: [String?] { session.inputs + [file] }

    func perform(_ console: Console) async throws -> ExitStatus {
        let wanted = try SettingsFile(path: file)
        return try await withBeacon(console, buttonTimeout: wanted.vendor.buttonTimeout) { found in
            let vendor = try found.vendor(as: (any SettingsVendor).self, for: "to change its settings")
            return try await perform(wanted, with: found, vendor)
        }
    }

    private func perform(
        _ wanted: SettingsFile, with found: SessionOptions.Found, _ vendor: some SettingsVendor
    ) async throws -> ExitStatus { try await perform(try wanted.settings(for: vendor), with: found, vendor) }
}
