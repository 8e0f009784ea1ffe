import Sessions
public import YAMLText

/// A file of settings has the words of the beacon's own messages (docs/formats/settings.md):
///
///     settings: 1
///     maker: kkm
///     generation: 2
///     name: Bench-07
///     advObj:
///       - slot: 0
///         advPrd: 1000
extension KBeaconSettings {
    /// Reads the members of a file beside `settings` and `maker`. Every problem has its place.
    public init(_ file: YAMLValue, besides others: [String]) throws(YAMLProblem) {
        let members = try file.members().filter { !others.contains($0.key) }
        guard let named = members.first(where: { $0.key == "generation" }) else {
            throw file.problem("'generation' is missing: 1 or 2, as info shows it")
        }
        let known = Dictionary(
            uniqueKeysWithValues: KBeaconGeneration.allCases.map { ("\($0.rawValue)", $0) })
        self.init(try named.value.choice(of: known))
        let keys = generation.settingKeys
        let lists = generation.settingLists
        for member in members where member.key != "generation" {
            if let key = keys.first(where: { $0.name == member.key }) {
                values[Path(entry: nil, key: key.name)] = try key.value(of: member.value)
            } else if let list = lists.first(where: { $0.name == member.key }) {
                for entry in try member.value.list() { try take(entry, of: list) }
            } else if member.key == "pwd" {
                throw member.place.problem("passwords are no settings: they belong in a file of secrets")
            } else {
                throw member.unknown(keys.map(\.name) + lists.map(\.name))
            }
        }
        guard !values.isEmpty else { throw file.problem("there is no setting in it") }
    }

    private mutating func take(_ value: YAMLValue, of list: KBeaconSettingList) throws(YAMLProblem) {
        let members = try value.values(of: list.allKeys.map(\.name))
        let identity = try value.required(list.identity.name, in: members)
        guard case .number(let number) = try list.identity.value(of: identity),
            let number = Int(exactly: number)
        else { throw identity.problem("a number is expected here") }
        let entry = Entry(list: list.name, number: number)
        guard self[entry, list.identity.name] == nil else {
            throw identity.problem("\(list.identity.name) \(number) appears twice")
        }
        for key in list.allKeys {
            guard let value = members[key.name] else { continue }
            values[Path(entry: entry, key: key.name)] = try key.value(of: value)
        }
    }

    /// The lines of a file that has all of this, beside `settings` and `maker`.
    public var lines: [String] {
        var lines = ["generation: \(generation.rawValue)"]
        lines += keys(of: nil).compactMap { line($0, nil) }
        for list in generation.settingLists {
            let entries = entries.filter { $0.list == list.name }
            if !entries.isEmpty { lines.append("\(list.name):") }
            for entry in entries {
                let own = keys(of: entry).compactMap { line($0, entry) }
                lines += own.enumerated().map { ($0.offset == 0 ? "  - " : "    ") + $0.element }
            }
        }
        return lines
    }

    private func line(_ key: KBeaconSettingKey, _ entry: Entry?) -> String? {
        switch self[entry, key.name] {
        case nil: nil
        case .number? where !key.isNumber: nil
        case let value?: "\(key.name): \(key.isNumber ? "\(value)" : QuotedScalar.text("\(value)"))"
        }
    }
}

extension KBeaconSettingKey {
    fileprivate var isNumber: Bool {
        switch form {
        case .whole, .decimal, .power: true
        case .text, .digits, .uuid: false
        }
    }

    fileprivate func value(of value: YAMLValue) throws(YAMLProblem) -> SettingValue {
        let text = try value.text()
        guard let found = self.value(text) else {
            throw value.problem("'\(text)' is not what \(name) may be: \(range)")
        }
        return found
    }
}
