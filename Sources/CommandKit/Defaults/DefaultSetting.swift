import Logging

/// A default that an environment variable or a file can set (docs/guide/configuration.md). Options override
/// it.
package enum DefaultSetting: String, CaseIterable {
    case adapter
    case catalogue
    case color
    case journal
    case logFile = "log-file"
    case logLevel = "log-level"
    case profiles
    case secrets

    /// The environment variable of this name, as `BEACON_DFU_LOG_LEVEL`.
    var variable: String { "BEACON_DFU_" + rawValue.uppercased().replacing("-", with: "_") }

    /// Whether its value is the path of a file or folder.
    var isPath: Bool {
        switch self {
        case .adapter, .color, .logLevel: false
        case .catalogue, .journal, .logFile, .profiles, .secrets: true
        }
    }

    /// Why `text` is not a valid value; nil if it is.
    func flaw(of text: String) -> String? {
        switch self {
        case .adapter where AdapterChoice(argument: text) == nil:
            "'\(text)' is not an adapter; adapters are \(AdapterChoice.syntax)"
        case .color where ColourChoice(rawValue: text) == nil:
            "'\(text)' is not one of \(ColourChoice.allCases.map(\.rawValue).joined(separator: ", "))"
        case .logLevel where LogThreshold(rawValue: text) == nil:
            "'\(text)' is not one of \(LogThreshold.allCases.map(\.rawValue).joined(separator: ", "))"
        default: text.isEmpty ? "the value is empty" : nil
        }
    }
}
