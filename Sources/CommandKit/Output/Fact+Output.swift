package import Bytes
package import UpdateModel

extension JSONValue {
    package init(_ fact: Fact) {
        self =
            switch fact {
            case .absent: .null
            case .flag(let value): .bool(value)
            case .integer(let value): .integer(value)
            case .number(let value): .rounded(value)
            case .text(let value): .text(value)
            case .list(let values): .list(values.map(JSONValue.init))
            case .record(let members): .object(members.mapValues(JSONValue.init))
            }
    }
}

extension FactText {
    package func painted(_ console: Console) -> TerminalText {
        runs.reduce(TerminalText("")) { text, run in
            let words = TerminalText(run.words)
            return switch run.tone {
            case .plain: text + words
            case .good: text + console.paint(words, .green)
            case .doubtful: text + console.paint(words, .yellow)
            case .bad: text + console.paint(words, .red)
            }
        }
    }
}
