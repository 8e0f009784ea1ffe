import ArgumentParser
import Bluetooth
import Bytes
import CommandKit
import Firmware
import UpdateModel

struct FilterOptions: ParsableArguments {
    enum Choice: Equatable, Sendable {
        case condition(SightingFilter)
        case named(String)
    }

    @Option(
        name: .customLong("filter"), parsing: .singleValue,
        help: ArgumentHelp(
            "List only matching beacons.", discussion: SightingFilter.help, valueName: "condition"),
        transform: Self.choice)
    var choices: [Choice] = []
    @Option(
        "Names for conditions, as NAME: [CONDITION, …] in YAML.", name: .customLong("filter-file"),
        valueName: "file")
    var file: String?

    private static func choice(_ text: String) throws -> Choice {
        text.hasPrefix("@")
            ? .named(String(text.dropFirst())) : .condition(try SightingFilter.reading(text))
    }

    func validate() throws {
        guard file == nil,
            case .named(let name)? = choices.first(where: { if case .named = $0 { true } else { false } })
        else { return }
        throw ValidationError("'@\(name)' is a name in a filter file: give the file with --filter-file")
    }

    func filters() throws -> [SightingFilter] {
        let known = try named()
        return try choices.flatMap { choice in
            switch choice {
            case .condition(let filter): return [filter]
            case .named(let name):
                if let filters = known[name] { return filters }
                throw CommandFailure(
                    .command.filterInvalid, during: "reading the filters",
                    message: "\(file ?? "") has no filter '\(name)'"
                        + Spelling.hint(for: name, in: known.keys))
            }
        }
    }

    private func named() throws -> [String: [SightingFilter]] {
        guard let file else { return [:] }
        let text = try FileContent(path: file)
        do { return try FilterFile(parsing: text.bytes).filters } catch {
            throw CommandFailure(.command.filterInvalid, during: "reading the filters", error, in: file)
        }
    }
}

/// Conditions of `--filter` under names, from a YAML file:
///
///     tray: [vendor=kkm, "rssi>-70"]
///     low: ["battery<20"]
struct FilterFile: Sendable {
    /// The conditions of each name, all of which must hold.
    let filters: [String: [SightingFilter]]

    init(parsing text: [UInt8]) throws(YAMLProblem) {
        var filters: [String: [SightingFilter]] = [:]
        for member in try YAMLValue(parsing: text).members() {
            var conditions: [SightingFilter] = []
            for value in try member.value.list() {
                let text: String
                do throws(YAMLProblem) { text = try value.text() } catch {
                    throw value.problem("column 1: \(error.message)")
                }
                do throws(FilterError) { conditions.append(try SightingFilter(text)) } catch {
                    throw value.problem("\(error)")
                }
            }
            guard !conditions.isEmpty else { throw member.value.problem("this name has no conditions") }
            filters[member.key] = conditions
        }
        self.filters = filters
    }
}
