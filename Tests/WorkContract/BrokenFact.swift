/// How a fact was found not to hold.
public struct BrokenFact: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was seen instead.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// Breaks the fact with what was seen, unless `condition` holds.
func require(_ condition: Bool, _ seen: @autoclosure () -> String) throws(BrokenFact) {
    guard condition else { throw BrokenFact(seen()) }
}

/// Breaks the fact unless both are the same.
func require<Value: Equatable>(_ seen: Value, is wanted: Value) throws(BrokenFact) {
    try require(seen == wanted, "\(seen), and not \(wanted)")
}
