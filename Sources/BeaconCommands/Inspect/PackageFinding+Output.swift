import NordicDFU

extension PackageFinding {
    var json: JSONValue {
        .object([
            "id": .text(id), "level": .text(level.rawValue), "role": .text(role.rawValue),
            "entry": .text(entry), "field": .optional(field), "message": .text(message),
        ])
    }

    func line(_ console: Console) -> String {
        let colour: Console.Colour =
            switch level {
            case .error: .red
            case .warning: .yellow
            case .note: .dim
            }
        return "  \(console.paint(level.rawValue, colour)) \(id): \(self)"
    }
}
