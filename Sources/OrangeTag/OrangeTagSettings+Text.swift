import Sessions
public import YAMLText

/// A file of settings has names with units (docs/formats/settings.md):
///
///     settings: 1
///     maker: orange
///     major: 63672
///     interval_ms: 100
extension OrangeTagSettings {
    /// Reads the members of a file beside `settings` and `maker`. Every problem has its place. Whatever a tag may show is taken
    /// here; what it may be given is looked at where it would be written.
    public init(_ file: YAMLValue, besides others: [String]) throws(YAMLProblem) {
        self.init()
        for member in try file.members() where !others.contains(member.key) {
            guard let key = Key(rawValue: member.key) else {
                throw member.unknown(Key.allCases.map(\.rawValue))
            }
            let text = try member.value.text()
            guard let value = key.value(text) else {
                throw member.value.problem("'\(text)' is not what \(key) may be: \(key.range)")
            }
            values[key] = value
        }
        guard !values.isEmpty else { throw file.problem("there is no setting in it") }
    }

    /// The lines of a file that has all of this, beside `settings` and `maker`.
    public var lines: [String] {
        paths.compactMap { key in
            values[key].map { value in
                if case .number = value { return "\(key): \(value)" }
                return "\(key): \(QuotedScalar.text("\(value)"))"
            }
        }
    }
}
