package import ArgumentParser
import Bytes
import FoundationEssentials
import Glibc
package import UpdateModel

package struct ConfigFileCommand: PlainCommand {
    package static let configuration = CommandConfiguration(
        commandName: "config-file", abstract: "Show the defaults of options, and where they come from.",
        discussion: """
            Example: with `adapter: hci1` in ~/.config/beacon-dfu/config.yaml, `beacon-dfu config-file` prints that value and \
            its line number, and every command uses hci1.
            Options override environment variables (BEACON_DFU_ADAPTER, BEACON_DFU_LOG_LEVEL and so on), which override the \
            user's file, which overrides /etc/beacon-dfu/config.yaml. BEACON_DFU_CONFIG names another file instead of both.
            """)

    @OptionGroup package var plain: PlainOptions

    package func perform(_ console: Console) async throws -> ExitStatus {
        let defaults = try Defaults.own.get()
        for setting in DefaultSetting.allCases {
            let value = defaults.values[setting]
            console.event(
                JSONLine("default").adding([
                    "setting": .text(setting.rawValue), "value": .optional(value?.text),
                    "from": .optional(value?.origin.text),
                ]))
        }
        for file in defaults.files {
            console.event(JSONLine("config-file", ["file": .text(file.path), "read": .bool(file.isThere)]))
        }
        guard !console.style.isJSON else { return .done }
        let table = Table(columns: [
            .init(heading: "SETTING"), .init(heading: "VALUE"), .init(heading: "FROM"),
        ])
        let rows = DefaultSetting.allCases.map { setting in
            let value = defaults.values[setting]
            return [setting.rawValue, value?.text ?? "-", value?.origin.text ?? "-"].map { TerminalText($0) }
        }
        console.results(table.lines(rows, width: nil))
        for file in defaults.files where !file.isThere { console.notice("not found: \(file.path)") }
        return .done
    }

    package init() {}
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
    /// The possible paths of `name` in order: in the checkout, in the user's folders, in /etc, beside the installed
    /// program, and in the machine's folders for data.
    static func places(
        _ name: String, inCheckout local: String, program: String? = ownProgram,
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
        for place in (users + ["/etc", installed]).compactMap(\.self) + machine where !all.contains(place) {
            all.append(place)
        }
        return [local] + all.map { "\($0)/beacon-dfu/\(name)" }
    }

    static func first(_ places: [String]) -> String? { places.first { access($0.systemPath, R_OK) == 0 } }

    /// The path of this program.
    package static var ownProgram: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
}
