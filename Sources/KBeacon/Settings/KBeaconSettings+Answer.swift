import Sessions

extension KBeaconSettings {
    /// Takes over what an answer says; false where it is none.
    mutating func take(_ answer: some Collection<UInt8>) -> Bool {
        guard let members = JSONValue.members(inAnswer: answer) else { return false }
        take(members, generation.settingKeys, in: nil)
        for list in generation.settingLists {
            guard case .list(let entries)? = members[list.name] else { continue }
            for case .members(let values) in entries {
                guard let number = values[list.identity.name].flatMap({ Self.number($0, list.identity) })
                else { continue }
                take(values, list.allKeys, in: Entry(list: list.name, number: number))
            }
        }
        return true
    }

    private mutating func take(
        _ members: [String: JSONValue], _ keys: [KBeaconSettingKey], in entry: Entry?
    ) {
        for key in keys {
            guard let value = members[key.name].flatMap({ SettingValue($0, key.form) }) else {
                continue
            }
            values[Path(entry: entry, key: key.name)] = value
        }
    }

    private static func number(_ value: JSONValue, _ key: KBeaconSettingKey) -> Int? {
        guard case .number(let number)? = SettingValue(value, key.form) else { return nil }
        return Int(exactly: number)
    }
}
