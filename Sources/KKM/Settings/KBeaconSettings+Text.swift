package import Bytes
import UpdateModel

/// A settings file uses the keys of the beacon's own messages (docs/formats/settings.md). Values that are
/// unknown to this program, or not documented by the maker, are under `unchecked`, as JSON in YAML:
///
///     settings: 1
///     maker: kkm
///     generation: 2
///     name: Bench-07
///     unchecked:
///       "newKey": {"a": [1, null]}
///     advObj:
///       - slot: 0
///         advPrd: 1000
extension KBeaconSettings {
    private static let unchecked = "unchecked"

    /// Parses the members of a file other than `settings` and `maker`. Every error has its position.
    package init(_ file: YAMLValue, besides others: [String]) throws(YAMLProblem) {
        let members = try file.members().filter { !others.contains($0.key) }
        guard let named = members.first(where: { $0.key == "generation" }) else {
            throw file.problem("'generation' is missing: 1 or 2, as info shows it")
        }
        let known = Dictionary(
            uniqueKeysWithValues: KBeaconGeneration.allCases.map { ("\($0.rawValue)", $0) })
        self.init(try named.value.choice(of: known))
        let lists = generation.settingLists
        try add(
            members.filter { member in
                member.key != "generation" && !lists.contains { $0.name == member.key }
            }, in: nil, besides: lists.map(\.name))
        for member in members {
            guard let list = lists.first(where: { $0.name == member.key }) else { continue }
            for entry in try member.value.list() { try addEntry(entry, of: list) }
        }
        guard !values.isEmpty else { throw file.problem("the file contains no settings") }
    }

    private mutating func addEntry(_ value: YAMLValue, of list: KBeaconSettingList) throws(YAMLProblem) {
        let members = try value.members()
        let name = list.identity.name
        guard let identity = members.first(where: { $0.key == name })?.value else {
            throw value.problem("'\(name)' is missing")
        }
        guard let number = SettingValue(try JSONValue(identity), list.identity).integer else {
            throw identity.problem("a whole number is expected here")
        }
        let entry = Entry(list: list.name, number: number)
        guard self[entry, name] == nil else { throw identity.problem("\(name) \(number) appears twice") }
        set(.number(Double(number)), at: Path(entry: entry, key: name), from: identity)
        // The type first: it decides which other values are allowed.
        let rest = members.filter { $0.key != name }
        try add(rest.filter { $0.key == list.typeKey }, in: entry)
        try add(rest.filter { $0.key != list.typeKey }, in: entry)
    }

    /// Adds the members of a mapping; `others` are further allowed keys.
    private mutating func add(
        _ members: [YAMLValue.Member], in entry: Entry?, besides others: [String] = []
    ) throws(YAMLProblem) {
        for member in members where member.key != Self.unchecked {
            let path = Path(entry: entry, key: member.key)
            guard let key = key(at: path) else {
                guard member.key != KBeaconGeneration.password else { throw Self.noSetting(member) }
                let known = generation.keys(of: entry?.list).map(\.name)
                throw member.unknown(known + others + [Self.unchecked])
            }
            let form = key.form(in: type(of: entry))
            let text = try member.value.text()
            guard let value = form.value(text) else {
                throw member.value.problem(
                    "'\(text)' is not valid for \(key.name), which must be \(form.range)")
            }
            set(value, at: path, from: member.value)
        }
        guard let unchecked = members.first(where: { $0.key == Self.unchecked }) else { return }
        for member in try unchecked.value.allMembers() {
            let path = Path(entry: entry, key: member.key)
            guard member.key != KBeaconGeneration.password else { throw Self.noSetting(member) }
            guard entry != nil || !KBeaconGeneration.nonSettings.contains(member.key) else {
                throw member.place.problem("'\(member.key)' is fixed in the beacon and not a setting")
            }
            guard values[path] == nil else { throw member.place.problem("'\(member.key)' appears twice") }
            let value = try JSONValue(member.value)
            set(
                key(at: path).map { SettingValue(value, $0) } ?? SettingValue(value), at: path,
                from: member.value)
        }
    }

    private mutating func set(_ value: SettingValue, at path: Path, from source: YAMLValue) {
        values[path] = value
        places[path] = "line \(source.line), column \(source.column)"
    }

    private static func noSetting(_ member: YAMLValue.Member) -> YAMLProblem {
        member.place.problem("a password is not a setting: put it in a file of secrets")
    }

    package var lines: [String] {
        var lines = ["generation: \(generation.rawValue)"] + lines(of: nil)
        for list in generation.settingLists {
            let entries = entries.filter { $0.list == list.name }
            if !entries.isEmpty { lines.append("\(list.name):") }
            for entry in entries {
                lines += self.lines(of: entry).enumerated().map {
                    ($0.offset == 0 ? "  - " : "    ") + $0.element
                }
            }
        }
        return lines
    }

    private func lines(of entry: Entry?) -> [String] {
        let identity = entry.flatMap { generation.list($0.list)?.identity.name }
        var lines: [String] = []
        var unchecked: [String: JSONValue] = [:]
        for name in keys(of: entry) {
            let path = Path(entry: entry, key: name)
            guard let value = values[path] else { continue }
            if let key = key(at: path), name == identity || rangeMissed(at: path) == nil {
                lines.append("\(name): \(key.form.isNumber ? "\(value)" : QuotedScalar.text("\(value)"))")
            } else {
                unchecked[name] = value.tree
            }
        }
        return lines + Self.lines(unchecked: unchecked)
    }

    private static func lines(unchecked members: [String: JSONValue]) -> [String] {
        guard !members.isEmpty else { return [] }
        // In YAML, a long key needs a `?` before it, which the form with one member per line lacks.
        guard members.keys.allSatisfy({ $0.utf8.count < 100 }) else {
            return ["\(unchecked): \(JSONValue.object(members).yaml)"]
        }
        return ["\(unchecked):"]
            + members.sorted { $0.key < $1.key }.map { "  \(QuotedScalar.text($0.key)): \($0.value.yaml)" }
    }
}
