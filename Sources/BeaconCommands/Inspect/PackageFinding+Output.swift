import ByteCoding
import NordicDFU

extension PackageFinding {
    var json: JSONValue {
        .object([
            "id": .text(id), "level": .text(level.rawValue), "role": .text(role.rawValue),
            "entry": .text(entry), "field": .optional(field), "message": .text(message),
        ])
    }

    func line(_ console: Console) -> TerminalText {
        "  \(level.painted(console)) \(id): \(self)"
    }
}
