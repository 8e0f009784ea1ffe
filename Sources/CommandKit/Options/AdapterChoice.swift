import ArgumentParser
package import BlueZ
import Bytes
package import Simulation

/// `--adapter hci0`, `--adapter 00:1B:DC:06:B2:4A`, several of them with commas, `--adapter exclusive:hci0`,
/// `--adapter sim` or `--adapter sim:FILE`.
package enum AdapterChoice: Equatable, ExplainedArgument {
    /// Several of the kernel's adapters, for commands that take several.
    case controllers([ControllerName])
    /// One of the kernel's adapters; nil for the first powered one.
    case controller(ControllerName?)
    /// One of the kernel's adapters, which nothing else uses meanwhile.
    case exclusive(ControllerName)
    case simulated(scenario: String?)

    package init?(argument: String) {
        if argument == "sim" {
            self = .simulated(scenario: nil)
        } else if argument.hasPrefix("sim:") {
            let file = String(argument.dropFirst("sim:".count))
            guard !file.isEmpty else { return nil }
            self = .simulated(scenario: file)
        } else if argument.hasPrefix(Self.exclusivePrefix) {
            guard let name = ControllerName(argument.dropFirst(Self.exclusivePrefix.count)) else {
                return nil
            }
            self = .exclusive(name)
        } else {
            let words = argument.split(separator: ",", omittingEmptySubsequences: false)
            let names = words.compactMap { ControllerName($0) }
            guard names.count == words.count, Set(names).count == names.count, let first = names.first else {
                return nil
            }
            self = names.count == 1 ? .controller(first) : .controllers(names)
        }
    }

    private static let exclusivePrefix = "exclusive:"

    static let syntax =
        "hci0 and so on, the address of one, 'exclusive:' and one of these, 'sim' for simulated beacons, or "
        + "'sim:FILE' for a scenario"

    /// The named kernel adapters; empty for the first powered one, and for simulated adapters.
    package var names: [ControllerName] {
        switch self {
        case .controllers(let names): names
        case .controller(let name): [name].compactMap(\.self)
        case .exclusive(let name): [name]
        case .simulated: []
        }
    }

    /// The text form, which ``init(argument:)`` accepts.
    package var text: String {
        switch self {
        case .controllers, .controller: names.map { "\($0)" }.joined(separator: ",")
        case .exclusive(let name): "\(Self.exclusivePrefix)\(name)"
        case .simulated(let scenario): (["sim"] + [scenario].compactMap(\.self)).joined(separator: ":")
        }
    }

    /// The number of kernel adapters that are used at the same time.
    package var count: Int { if case .simulated = self { 0 } else { max(1, names.count) } }

    package static func flaw(in text: String) -> String {
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let isSimulated = words.contains { $0 == "sim" || $0.hasPrefix("sim:") }
        if words.contains(where: { $0.hasPrefix(exclusivePrefix) }) {
            if words.count > 1 {
                return "a run uses one exclusive adapter and no other one: 'exclusive:hci0'; without "
                    + "'exclusive:' it may be several, 'hci0,hci1'"
            }
            let name = text.dropFirst(exclusivePrefix.count)
            return if name == "sim" || name.hasPrefix("sim:") {
                "only an adapter of this machine can be exclusive: 'exclusive:hci0'; for simulated beacons "
                    + "write '\(name)'"
            } else {
                "'exclusive:' is followed by one adapter: 'exclusive:hci0', or its address instead of hci0"
            }
        }
        if text == "sim:" { return "'sim:' is followed by a scenario file; the built-in beacons are 'sim'" }
        if isSimulated, words.count > 1 {
            return "simulated beacons and adapters of this machine are not used together: 'sim' or 'hci0'"
        }
        let names = words.compactMap { ControllerName($0) }
        if names.count == words.count, Set(names).count < names.count {
            return "each adapter is named once: 'hci0,hci1'"
        }
        return "an adapter is \(syntax)" + Spelling.hint(for: text, in: ["hci0", "sim"])
    }

    /// The adapter that is `given`, or else that from the environment or a file of defaults, if any.
    package static func ofDefaults(
        unless given: AdapterChoice? = nil
    ) throws(CommandFailure) -> AdapterChoice? {
        if let given { return given }
        guard let text = try Defaults.own.get().values[.adapter]?.text else { return nil }
        guard let choice = AdapterChoice(argument: text) else { throw Defaults.failure(.adapter, of: text) }
        return choice
    }

    /// The beacons of a scenario, or of the built-in tray.
    package static func scenario(path: String?) throws(CommandFailure) -> Scenario {
        guard let path else { return .builtIn }
        let file = try FileContent(path: path)
        do throws(YAMLProblem) { return try Scenario(parsing: file.bytes, path: path) } catch {
            throw CommandFailure(.command.scenarioInvalid, during: "reading the scenario", error, in: path)
        }
    }
}
