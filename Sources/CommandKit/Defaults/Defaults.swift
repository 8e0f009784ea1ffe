import Bytes
import FoundationEssentials
import Glibc
import UpdateModel

/// The defaults of options: from environment variables, then the user's file, then the machine's.
package struct Defaults {
    package enum Origin: Equatable {
        case variable(String)
        case file(String, line: Int)

        package var text: String {
            switch self {
            case .variable(let name): name
            case .file(let path, let line): "\(path), line \(line)"
            }
        }
    }

    package let values: [DefaultSetting: (text: String, origin: Origin)]
    /// The files that were searched for, in order of precedence, and whether they exist.
    package let files: [(path: String, exists: Bool)]

    init(_ environment: [String: String]) throws(CommandFailure) {
        let home = environment.folder("HOME")
        var values: [DefaultSetting: (text: String, origin: Origin)] = [:]
        for setting in DefaultSetting.allCases {
            guard let text = environment[setting.variable], !text.isEmpty else { continue }
            if setting.flaw(of: text) != nil { throw Self.failure(setting, of: text) }
            values[setting] = (text, .variable(setting.variable))
        }
        var files: [(path: String, exists: Bool)] = []
        for path in Self.paths(environment) {
            let exists = access(path.systemPath, F_OK) == 0
            files.append((path, exists))
            // A file that BEACON_DFU_CONFIG names has to exist.
            guard exists || environment["BEACON_DFU_CONFIG"] == path else { continue }
            let file: DefaultsFile
            do throws(CommandFailure) { file = try DefaultsFile(path: path, home: home) } catch {
                throw exists ? error : error.replacing(error.code, "BEACON_DFU_CONFIG: \(error.message)")
            }
            for (setting, value) in file.values where values[setting] == nil {
                values[setting] = (value.text, .file(path, line: value.line))
            }
        }
        (self.values, self.files) = (values, files)
    }

    /// The failure for an environment variable with the invalid value `text`: a usage error, unlike one in a file.
    static func failure(_ setting: DefaultSetting, of text: String) -> CommandFailure {
        CommandFailure(
            .command.configInvalid, during: "reading the environment",
            message: "\(setting.variable): \(setting.flaw(of: text) ?? "")",
            nextStep: "correct \(setting.variable), or unset it", exit: .usage)
    }

    package static let own: Result<Defaults, CommandFailure> = Result { () throws(CommandFailure) in
        try Defaults(.ofProcess)
    }

    /// The value of a setting in this process; nil if it is not set.
    package static subscript(_ setting: DefaultSetting) -> String? { try? own.get().values[setting]?.text }

    package static func origin(of setting: DefaultSetting) -> String? {
        try? own.get().values[setting]?.origin.text
    }

    /// The origin of the path with which `message` begins; nil if it is no default of this process.
    static func origin(ofPathIn message: String) -> String? { (try? own.get())?.origin(ofPathIn: message) }

    func origin(ofPathIn message: String) -> String? {
        values.first { setting, value in
            guard setting.isPath else { return false }
            return [":", " "].contains { message.hasPrefix(value.text + $0) }
        }?.value.origin.text
    }

    /// The possible files. If `BEACON_DFU_CONFIG` is set, it names the only one; if empty, there is none.
    private static func paths(_ environment: [String: String]) -> [String] {
        if let named = environment["BEACON_DFU_CONFIG"] { return named.isEmpty ? [] : [named] }
        let own = environment.folder("XDG_CONFIG_HOME") ?? environment.folder("HOME", "/.config")
        return [own, "/etc"].compactMap(\.self).map { $0 + "/beacon-dfu/config.yaml" }
    }
}

/// A default that an environment variable or a file can set (docs/guide/configuration.md). Options override it.
package enum DefaultSetting: String, CaseIterable {
    case adapter, catalogue, color, journal
    case logFile = "log-file"
    case logLevel = "log-level"
    case profiles, secrets

    /// The environment variable of this name, as `BEACON_DFU_LOG_LEVEL`.
    var variable: String { "BEACON_DFU_" + rawValue.uppercased().replacing("-", with: "_") }

    var isPath: Bool {
        switch self {
        case .adapter, .color, .logLevel: false
        case .catalogue, .journal, .logFile, .profiles, .secrets: true
        }
    }

    /// Why `text` is not a valid value; nil if it is.
    func flaw(of text: String) -> String? {
        switch self {
        case .adapter where AdapterChoice(argument: text) == nil:
            "'\(text)' is not an adapter: \(AdapterChoice.flaw(in: text))"
        case .color where ColourChoice(rawValue: text) == nil:
            "'\(text)' is not one of \(ColourChoice.allCases.map(\.rawValue).joined(separator: ", "))"
        case .logLevel where LogThreshold(rawValue: text) == nil:
            "'\(text)' is not one of \(LogThreshold.allCases.map(\.rawValue).joined(separator: ", "))"
        default: text.isEmpty ? "the value is empty" : nil
        }
    }
}

/// A file of defaults: a mapping from option names without `--` to values.
struct DefaultsFile {
    let path: String
    /// The values that it sets, each with its line, from 1.
    let values: [DefaultSetting: (text: String, line: Int)]

    /// The file at `path`. Paths in it are relative to its folder; `~/` is `home`.
    init(path: String, home: String?) throws(CommandFailure) {
        let text = try FileContent(path: path).bytes
        do throws(YAMLProblem) { try self.init(path: path, text, home: home) } catch {
            throw CommandFailure(.command.configInvalid, during: "reading the defaults", error, in: path)
        }
    }

    init(path: String, _ text: [UInt8], home: String?) throws(YAMLProblem) {
        self.path = path
        // A file with only comments sets nothing.
        let isEmpty = String(decoding: text, as: UTF8.self).split(separator: "\n").allSatisfy {
            $0.drop { $0 == " " }.first.map { $0 == "#" } ?? true
        }
        guard !isEmpty else {
            values = [:]
            return
        }
        var values: [DefaultSetting: (text: String, line: Int)] = [:]
        let found = try YAMLValue(parsing: text).values(of: DefaultSetting.allCases.map(\.rawValue))
        for (key, value) in found {
            guard let setting = DefaultSetting(rawValue: key) else { continue }
            let text = try value.text()
            if let flaw = setting.flaw(of: text) { throw value.problem("\(key): \(flaw)") }
            values[setting] = (Self.resolved(text, setting, in: path, home), value.line)
        }
        self.values = values
    }

    private static func resolved(_ text: String, _ setting: DefaultSetting, in path: String, _ home: String?)
        -> String
    {
        // In the value of `adapter`, only the file in `sim:FILE` is a path.
        let isScenario = setting == .adapter && text.hasPrefix("sim:")
        guard setting.isPath || isScenario else { return text }
        let name = isScenario ? String(text.dropFirst("sim:".count)) : text
        let absolute: String
        if let home, name.hasPrefix("~/") {
            absolute = home + name.dropFirst()
        } else if name.hasPrefix("/") {
            absolute = name
        } else {
            // Without a folder in `path`, the name is relative to the current folder.
            absolute = path.folderPrefix + name
        }
        return isScenario ? "sim:" + absolute : absolute
    }
}

extension [String: String] {
    /// The environment of this process, with values as ``PathText``: Foundation repairs text that is not UTF-8.
    package static var ofProcess: [String: String] {
        ProcessInfo.processInfo.environment.reduce(into: [:]) { all, variable in
            all[variable.key] = PathText.variable(variable.key) ?? variable.value
        }
    }

    /// The folder `below` the one that the environment variable names; nil if that is not absolute.
    package func folder(_ variable: String, _ below: String = "") -> String? {
        self[variable].flatMap { $0.hasPrefix("/") ? $0 + below : nil }
    }
}

/// The search path for files shipped with the program, which the user may override.
package enum SharedFiles {
    /// The possible paths of `name` in order: in the checkout, in the user's folders, in /etc, next to the
    /// installed program, and in the machine's folders for data.
    static func paths(
        of name: String, inCheckout local: String, program: String? = ownProgram,
        environment: [String: String] = .ofProcess
    ) -> [String] {
        let users = [
            environment.folder("XDG_CONFIG_HOME") ?? environment.folder("HOME", "/.config"),
            environment.folder("XDG_DATA_HOME") ?? environment.folder("HOME", "/.local/share"),
        ]
        let installed = program.map {
            $0.split(separator: "/").dropLast(2).map { "/" + $0 }.joined() + "/share"
        }
        let machine =
            (environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share")
            .split(separator: ":").map(String.init)
        var all: [String] = []
        for folder in (users + ["/etc", installed]).compactMap(\.self) + machine where !all.contains(folder) {
            all.append(folder)
        }
        return [local] + all.map { "\($0)/beacon-dfu/\(name)" }
    }

    static func firstReadable(of paths: [String]) -> String? {
        paths.first { access($0.systemPath, R_OK) == 0 }
    }

    package static var ownProgram: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
}
