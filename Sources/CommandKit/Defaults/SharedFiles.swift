import Bytes
import FoundationEssentials
import Glibc

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

    /// The path of this program.
    package static var ownProgram: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
}
