import ArgumentParser
import Bytes
import CommandKit
import UpdateModel

/// The options that choose the listed beacons.
struct FilterOptions: ParsableArguments {
    /// A condition, or the name of a list of conditions.
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
        name: .customLong("filter-file"),
        help: ArgumentHelp("Names for conditions, as NAME: [CONDITION, …] in YAML.", valueName: "file"))
    var file: String?

    private static func choice(_ text: String) throws -> Choice {
        if text.hasPrefix("@") { return .named(String(text.dropFirst())) }
        do throws(FilterError) { return .condition(try SightingFilter(text)) } catch {
            throw ValidationError("\(error)")
        }
    }

    func validate() throws {
        guard file == nil,
            case .named(let name)? = choices.first(where: { if case .named = $0 { true } else { false } })
        else { return }
        throw ValidationError("'@\(name)' is a name in a filter file: give the file with --filter-file")
    }

    /// Every condition that has to hold.
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
        let text = try FirmwareFile(path: file)
        do { return try FilterFile(parsing: text.bytes).filters } catch {
            throw CommandFailure(.command.filterInvalid, during: "reading the filters", error, in: file)
        }
    }
}
