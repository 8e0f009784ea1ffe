import Sessions

extension DeviceSettings {
    /// As a member of an event, by path.
    var object: JSONValue {
        .object(Dictionary(values.map { ("\($0.key)", $0.value.value) }) { first, _ in first })
    }
}

extension SettingValue {
    var value: JSONValue {
        switch self {
        case .number(let number): Int(exactly: number).map(JSONValue.integer) ?? .number(number)
        case .text(let text): .text(text)
        }
    }
}

extension SettingDifference {
    /// As an entry of a list.
    var object: JSONValue {
        .object(["setting": .text("\(path)"), "found": found?.value ?? .null, "wanted": wanted.value])
    }

    /// A row for people.
    var row: String { "\(path): \(found?.description ?? "not there") -> \(wanted)" }
}

extension Quantities {
    static func settings(_ count: Int) -> String { count == 1 ? "1 setting" : "\(count) settings" }
}
