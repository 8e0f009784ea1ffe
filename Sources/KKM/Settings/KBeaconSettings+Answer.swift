import Bytes
import UpdateModel

extension KBeaconSettings {
    /// Adds the values of an answer; false if it is not one.
    mutating func take(_ answer: some Collection<UInt8>) -> Bool {
        guard let members = JSONValue.members(inAnswer: answer) else { return false }
        let lists = generation.settingLists
        take(
            members.filter { name, _ in
                !KBeaconGeneration.facts.contains(name) && !lists.contains { $0.name == name }
            }, in: nil)
        for list in lists { if let told = members[list.name] { take(told, as: list) } }
        return true
    }

    private mutating func take(_ told: JSONValue, as list: KBeaconSettingList) {
        let place = Path(entry: nil, key: list.name)
        guard case .list(let objects) = told else {
            values[place] = SettingValue(told)
            return
        }
        var others: [JSONValue] = []
        var numbers: Set<Int> = []
        for object in objects {
            guard case .members(let members) = object,
                let number = members[list.identity.name].map({ SettingValue($0, list.identity) })?.integer,
                numbers.insert(number).inserted
            else {
                others.append(object)
                continue
            }
            take(
                members.filter { $0.key != KBeaconGeneration.password },
                in: Entry(list: list.name, number: number))
        }
        // A value that is not an entry stays as it is.
        guard !others.isEmpty else { return }
        if case .list(let earlier)? = values[place]?.tree { others = earlier + others }
        values[place] = SettingValue(.list(others))
    }

    private mutating func take(_ members: [String: JSONValue], in entry: Entry?) {
        for (name, value) in members {
            let path = Path(entry: entry, key: name)
            values[path] = key(at: path).map { SettingValue(value, $0) } ?? SettingValue(value)
        }
    }
}
