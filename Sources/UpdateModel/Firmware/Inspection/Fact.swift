/// The value of a fact about a file, for machines.
public enum Fact: Hashable, Sendable {
    /// Unknown, or not present.
    case absent
    case flag(Bool)
    case integer(Int)
    /// A number, shown with at most three decimals.
    case number(Double)
    case text(String)
    case list([Fact])
    case record([String: Fact])

    /// The text, or its absence.
    public static func optional(_ text: String?) -> Fact { text.map(Fact.text) ?? .absent }
    /// The answer, or its absence.
    public static func optional(_ flag: Bool?) -> Fact { flag.map(Fact.flag) ?? .absent }
    /// The number, or its absence.
    public static func optional(_ number: (some BinaryInteger)?) -> Fact {
        number.map { .integer(Int($0)) } ?? .absent
    }
}
