import KBeacon
import YAMLText

/// A file of settings (docs/formats/settings.md).
struct SettingsFile: Sendable {
    let kBeacon: KBeaconSettings

    private static let keys = ["settings", "maker"]
    private static let makers = ["kkm"]

    /// Reads the file at `path`.
    init(path: String) throws(CommandFailure) {
        let step = "reading the settings"
        let file = try InputFile(path: path)
        guard let bytes = try file.contents(atMost: YAMLValue.limit) else {
            throw CommandFailure(
                "settings-invalid", during: step,
                message: "\(file.path) has more than \(YAMLValue.limit) bytes")
        }
        do throws(YAMLProblem) { try self.init(parsing: bytes) } catch {
            throw CommandFailure("settings-invalid", during: step, error, in: file.path)
        }
    }

    init(parsing text: [UInt8]) throws(YAMLProblem) {
        let root = try YAMLValue(parsing: text)
        var values: [String: YAMLValue] = [:]
        for member in try root.members() { values[member.key] = member.value }
        let version = try root.required("settings", in: values)
        guard try version.text() == "1" else {
            throw version.problem("only version 1 of the format is known")
        }
        _ = try root.required("maker", in: values).choice(of: Self.makers)
        kBeacon = try KBeaconSettings(root, besides: Self.keys)
    }

    /// The lines of a file with the `settings` of a beacon that says `identity` of itself.
    static func lines(_ settings: KBeaconSettings, of identity: KBeaconIdentity?) -> [String] {
        let facts = [
            identity?.model, identity?.version.map { "firmware \($0)" },
            identity?.hardware.map { "hardware \($0)" },
        ]
        return ["# " + facts.compactMap(\.self).joined(separator: ", "), "settings: 1", "maker: kkm"]
            + settings.lines
    }
}
