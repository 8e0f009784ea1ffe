import FoundationEssentials
import Glibc

/// The search path for files shipped with the program, which the user may override.
enum SharedFiles {
    /// The possible paths of `name` in order: those of the checkout, the user, the machine and the
    /// installation.
    static func places(
        _ name: String, inCheckout local: String, program: String? = ownProgram,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> [String] {
        func folder(_ variable: String, _ below: String) -> String? {
            environment[variable].flatMap { $0.hasPrefix("/") ? $0 + below : nil }
        }
        let users = [
            folder("XDG_CONFIG_HOME", "") ?? folder("HOME", "/.config"),
            folder("XDG_DATA_HOME", "") ?? folder("HOME", "/.local/share"),
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

    /// The first of `places` that can be read.
    static func first(_ places: [String]) -> String? { places.first { access($0, R_OK) == 0 } }

    /// The path of this process's program.
    private static var ownProgram: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }
}
