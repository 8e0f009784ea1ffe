import FoundationEssentials
import Glibc

/// The defaults of options: from environment variables, then the user's file, then the machine's.
package struct Defaults {
    /// Where a value comes from.
    package enum Origin: Equatable {
        case variable(String)
        case file(String, line: Int)

        /// The origin for people.
        package var text: String {
            switch self {
            case .variable(let name): name
            case .file(let path, let line): "\(path), line \(line)"
            }
        }
    }

    /// The values, and where they are set.
    package let values: [DefaultSetting: (text: String, origin: Origin)]
    /// The files that were searched for, in order of precedence, and whether they exist.
    package let files: [(path: String, isThere: Bool)]

    /// The defaults under `environment`.
    init(_ environment: [String: String]) throws(CommandFailure) {
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        var values: [DefaultSetting: (text: String, origin: Origin)] = [:]
        for setting in DefaultSetting.allCases {
            guard let text = environment[setting.variable], !text.isEmpty else { continue }
            // An adapter that is not valid is reported by the commands that use one.
            if setting != .adapter, let flaw = setting.flaw(of: text) {
                throw CommandFailure(
                    .command.configInvalid, during: "reading the environment",
                    message: "\(setting.variable): \(flaw)")
            }
            values[setting] = (text, .variable(setting.variable))
        }
        var files: [(path: String, isThere: Bool)] = []
        for path in Self.places(environment, home) {
            let isThere = access(path, F_OK) == 0
            files.append((path, isThere))
            // A file that was named has to exist.
            guard isThere || environment["BEACON_DFU_CONFIG"] == path else { continue }
            let file = try DefaultsFile(path: path, home: home)
            for (setting, value) in file.values where values[setting] == nil {
                values[setting] = (value.text, .file(path, line: value.line))
            }
        }
        (self.values, self.files) = (values, files)
    }

    /// The defaults of this process.
    package static let own: Result<Defaults, CommandFailure> = Result { () throws(CommandFailure) in
        try Defaults(ProcessInfo.processInfo.environment)
    }

    /// The value of a setting in this process; nil if it is not set.
    package static subscript(_ setting: DefaultSetting) -> String? { try? own.get().values[setting]?.text }

    /// The origin, for people, of a setting's value in this process; nil if it is not set.
    package static func origin(of setting: DefaultSetting) -> String? {
        try? own.get().values[setting]?.origin.text
    }

    /// The possible files. If `BEACON_DFU_CONFIG` is set, it names the only one; if empty, there is none.
    private static func places(_ environment: [String: String], _ home: String?) -> [String] {
        if let named = environment["BEACON_DFU_CONFIG"] { return named.isEmpty ? [] : [named] }
        let own =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? home.map { $0 + "/.config" }
        return [own, "/etc"].compactMap(\.self).map { $0 + "/beacon-dfu/config.yaml" }
    }
}
