package import Bytes
package import CommandKit
import Identity
package import UpdateModel

/// A settings file (docs/formats/settings.md).
package struct SettingsFile: Sendable {
    package let settings: any MakerSettings

    private static let keys = ["settings", "maker"]

    /// Reads the file at `path`.
    package init(path: String) throws(CommandFailure) {
        let step = "reading the settings"
        let file = try InputFile(path: path)
        guard let bytes = try file.contents(atMost: YAMLValue.limit) else {
            throw CommandFailure(
                .command.settingsInvalid, during: step,
                message: "\(file.path) has more than \(YAMLValue.limit) bytes")
        }
        do throws(YAMLProblem) { try self.init(parsing: bytes) } catch {
            throw CommandFailure(.command.settingsInvalid, during: step, error, in: file.path)
        }
    }

    package init(parsing text: [UInt8]) throws(YAMLProblem) {
        let root = try YAMLValue(parsing: text)
        var values: [String: YAMLValue] = [:]
        for member in try root.members() { values[member.key] = member.value }
        let version = try root.required("settings", in: values)
        guard try version.text() == "1" else {
            throw version.problem("only version 1 of the format is supported")
        }
        let makers = Dictionary(uniqueKeysWithValues: Family.settings.map { ($0.maker, $0) })
        let maker = try root.required("maker", in: values).choice(of: makers)
        settings = try maker.init(root, besides: Self.keys)
    }

    /// The lines of a file with the `settings` of `peer`.
    package static func lines<Settings: MakerSettings>(_ settings: Settings, of peer: Settings.Peer?)
        -> [String]
    {
        let facts = (peer.map(Settings.facts) ?? []).joined(separator: ", ")
        return (facts.isEmpty ? [] : ["# " + facts]) + ["settings: 1", "maker: \(Settings.maker)"]
            + settings.lines
    }
}
