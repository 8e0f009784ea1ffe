import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import Firmware
import UpdateEngine
import UpdateModel

package struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Read and change the settings of a beacon.",
        discussion: """
            Example: `beacon-dfu config read --device BC:57:29:02:45:9F > bench.yaml`.

            For \(list { $0.secretRules != nil }), in a session with the password or PIN in --secrets, or the factory password. For \
            \(list { $0.buttonTimeout != nil }), after a press of their button: give --wait, and press it.
            """,
        subcommands: [
            ReadSettings.self, CompareSettings.self, WriteSettings.self, ResetSettings.self,
            ChangePassword.self,
        ])

    private static func list(_ condition: (any SettingsVendor) -> Bool) -> String {
        KnownVendors.withSessions.compactMap { $0 as? any SettingsVendor }.filter(condition).map(\.beacons)
            .joined(separator: " and ")
    }
}

struct ReadSettings: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Print the settings of a beacon, as a file for `config write`.",
        discussion: "Example: `beacon-dfu config read --device BC:57:29:02:45:9F > bench.yaml`.")

    @OptionGroup var session: SessionOptions
    @OptionGroup var common: CommonOptions

    func perform(_ console: Console) async throws -> ExitStatus {
        try await withBeacon(console) { found in
            try await read(
                try found.vendor(as: (any SettingsVendor).self, for: "to read its settings"), of: found)
        }
        return .done
    }

    private func read<Vendor: SettingsVendor>(_ vendor: Vendor, of found: SessionOptions.Found) async throws {
        let console = found.console
        let (settings, peer) = try await found.withSession(vendor) { session in
            (try await session.perform { Vendor.Settings.reading(of: $0) }, await session.opened)
        }
        console.event(
            JSONLine("settings").adding([
                "device": .text(found.address.description), "maker": .text(vendor.name),
                "generation": .optional(settings.generationNumber), "values": settings.object,
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
        SettingsFile.lines(settings, maker: vendor.name, of: peer).forEach { console.document($0) }
    }
}
