import FoundationEssentials
import Glibc

/// What is set for every run: by environment variables, then by the user's file, then by the machine's.
struct Defaults {
    /// Where a value comes from.
    enum Origin: Equatable {
        case variable(String)
        case file(String, line: Int)

        /// As people are told.
        var text: String {
            switch self {
            case .variable(let name): name
            case .file(let path, let line): "\(path), line \(line)"
            }
        }
    }

    /// What is set, and where.
    let values: [DefaultSetting: (text: String, origin: Origin)]
    /// The files that were looked for, the first one to win, and whether they are there.
    let files: [(path: String, isThere: Bool)]

    /// The defaults under `environment`.
    init(_ environment: [String: String]) throws(CommandFailure) {
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var values: [DefaultSetting: (text: String, origin: Origin)] = [:]
        for setting in DefaultSetting.allCases {
            guard let text = environment[setting.variable], !text.isEmpty else { continue }
            // A command that uses an adapter says that it cannot use this one.
            if setting != .adapter, let flaw = setting.flaw(of: text) {
                throw CommandFailure(
                    "config-invalid", during: "reading the environment",
                    message: "\(setting.variable): \(flaw)")
            }
            values[setting] = (text, .variable(setting.variable))
        }
        var files: [(path: String, isThere: Bool)] = []
        for path in Self.places(environment, home) {
            let isThere = access(path, F_OK) == 0
            files.append((path, isThere))
            // One that was named has to be there.
            guard isThere || environment["BEACON_DFU_CONFIG"] == path else { continue }
            let file = try DefaultsFile(path: path, home: home)
            for (setting, value) in file.values where values[setting] == nil {
                values[setting] = (value.text, .file(path, line: value.line))
            }
        }
        (self.values, self.files) = (values, files)
    }

    /// Those of this process.
    static let own: Result<Defaults, CommandFailure> = Result { () throws(CommandFailure) in
        try Defaults(ProcessInfo.processInfo.environment)
    }

    /// The value of a setting in this process; nil where it is not set.
    static subscript(_ setting: DefaultSetting) -> String? { try? own.get().values[setting]?.text }

    /// Where a setting's value in this process comes from, as people are told; nil where it is not set.
    static func origin(of setting: DefaultSetting) -> String? { try? own.get().values[setting]?.origin.text }

    /// `BEACON_DFU_CONFIG` names the only one; empty, there is none.
    private static func places(_ environment: [String: String], _ home: String?) -> [String] {
        if let named = environment["BEACON_DFU_CONFIG"] { return named.isEmpty ? [] : [named] }
        let own =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? home.map { $0 + "/.config" }
        return [own, "/etc"].compactMap(\.self).map { $0 + "/beacon-dfu/config.yaml" }
    }
}
