public import Bytes
import UpdateModel

/// A settings file uses the names of the beacon's own commands (docs/formats/settings.md):
///
///     settings: 1
///     maker: feasycom
///     NAME: Shelf 7
///     ADVIN: 500
///     BADVDATA[0]: "0201060303AAFE0716AAFE10EB0361,1"
///
/// Values of a beacon that its guide does not allow are under `unchecked`.
extension FBeaconSettings {
    private static let unchecked = "unchecked"

    /// Parses the members of a file other than `settings` and `maker`. Every error has its position.
    public init(_ file: YAMLValue, besides others: [String]) throws(YAMLProblem) {
        self.init()
        for member in try file.members() where !others.contains(member.key) {
            guard member.key != Self.unchecked else {
                for member in try member.value.members() { try take(member, isChecked: false) }
                continue
            }
            try take(member, isChecked: true)
        }
        guard !values.isEmpty else { throw file.problem("the file contains no settings") }
    }

    private mutating func take(_ member: YAMLValue.Member, isChecked: Bool) throws(YAMLProblem) {
        guard let key = Key.allCases.first(where: { "\($0)" == member.key }) else {
            guard member.key.uppercased() != "PIN" else {
                throw member.place.problem("a PIN is not a setting: put it in a file of secrets")
            }
            throw member.unknown(Key.allCases.map { "\($0)" } + (isChecked ? [Self.unchecked] : []))
        }
        guard values[key] == nil else { throw member.place.problem("'\(key)' appears twice") }
        let text = try member.value.text()
        guard let value = isChecked ? key.value(text) : key.told(text) else {
            throw member.value.problem("'\(text)' is not valid for \(key), which must be \(key.range)")
        }
        values[key] = value
        places[key] = "line \(member.value.line), column \(member.value.column)"
    }

    /// The lines of a file with all values, without `settings` and `maker`.
    public var lines: [String] {
        let unchecked = paths.filter { rangeMissed(at: $0) != nil }
        return paths.filter { rangeMissed(at: $0) == nil }.compactMap(line)
            + (unchecked.isEmpty ? [] : ["\(Self.unchecked):"]) + unchecked.compactMap(line).map { "  \($0)" }
    }

    private func line(_ key: Key) -> String? {
        values[key].map { value in
            if case .number = value { return "\(key): \(value)" }
            return "\(key): \(QuotedScalar.text("\(value)"))"
        }
    }
}
