import CommandKit
import UpdateModel

extension FindingLevel {
    func painted(_ console: Console) -> TerminalText {
        switch self {
        case .error: console.paint(rawValue, .red)
        case .warning: console.paint(rawValue, .yellow)
        case .note: console.paint(rawValue, .dim)
        }
    }
}
