public import Bytes
import UpdateModel

/// A settings file uses names with units (docs/formats/settings.md):
///
///     settings: 1
///     maker: orange
///     major: 63672
///     interval_ms: 100
extension OrangeTagSettings {
    /// Parses the members of a file other than `settings` and `maker`. Every error has its position. All values
    /// that a tag may report are accepted here; what may be written is checked before writing.
    public init(_ file: YAMLValue, besides others: [String]) throws(YAMLProblem) {
        self.init()
        for member in try file.members() where !others.contains(member.key) {
            guard let key = Key(rawValue: member.key) else {
                throw member.unknown(Key.allCases.map(\.rawValue))
            }
            let text = try member.value.text()
            guard let value = key.value(text) else {
                throw member.value.problem("'\(text)' is not valid for \(key), which must be \(key.range)")
            }
            values[key] = value
        }
        guard !values.isEmpty else { throw file.problem("the file contains no settings") }
    }

    /// The lines of a file with all values, without `settings` and `maker`.
    public var lines: [String] {
        paths.compactMap { key in
            values[key].map { value in
                if case .number = value { return "\(key): \(value)" }
                return "\(key): \(QuotedScalar.text("\(value)"))"
            }
        }
    }
}
