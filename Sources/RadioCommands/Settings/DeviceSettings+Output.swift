package import Bytes
package import CommandKit
import UpdateModel

extension DeviceSettings {
    /// The settings by path, as a member of an event.
    package var object: JSONValue {
        .object(Dictionary(values.map { ("\($0.key)", $0.value.value) }) { first, _ in first })
    }
}

extension SettingValue {
    package var value: JSONValue {
        switch self {
        case .number(let number): integer.map(JSONValue.integer) ?? .number(number)
        case .text(let text): .text(text)
        // The text is known to be JSON.
        case .json(let text): (try? JSONTree(json: Array(text.utf8))).map(JSONValue.init) ?? .text(text)
        }
    }
}

extension JSONValue {
    /// Converts a tree; numbers that would lose digits become texts.
    package init(_ tree: JSONTree) {
        switch tree {
        case .null: self = .null
        case .truth(let truth): self = .bool(truth)
        case .number(let digits):
            let number = Double(digits).flatMap { $0.isFinite ? JSONValue.number($0) : nil }
            self = Int(digits).map(JSONValue.integer) ?? number ?? .text(digits)
        case .text(let text): self = .text(text)
        case .list(let values): self = .list(values.map(JSONValue.init))
        case .members(let members): self = .object(members.mapValues(JSONValue.init))
        }
    }
}

extension SettingsComparison {
    /// As members of an event.
    package var members: [String: JSONValue] {
        let compared = rows.map { row in
            JSONValue.object([
                "setting": .text(row.name), "before": row.before.value, "after": row.after?.value ?? .null,
                "kept": .bool(row.isKept), "known": .bool(row.isKnown),
            ])
        }
        let gaps = gaps.map { JSONValue.object(["setting": .text($0.name), "reason": .text($0.reason)]) }
        return [
            "kept": .integer(rows.count - changed.count), "changed": .integer(changed.count),
            "settings": .list(compared), "not_compared": .list(gaps),
        ]
    }
}

extension SettingDifference {
    /// As an entry of a list.
    package var object: JSONValue {
        .object([
            "setting": .text("\(path)"), "found": found?.value ?? .null, "wanted": wanted.value,
            "known": .bool(isKnown),
        ])
    }

    /// A row for people.
    package var row: String {
        "\(path)\(isKnown ? "" : " (unknown key)"): \(found?.description ?? "missing") -> \(wanted)"
    }
}

extension Quantities {
    package static func settings(_ count: Int) -> String { count == 1 ? "1 setting" : "\(count) settings" }
}
