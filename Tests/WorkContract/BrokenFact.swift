/// A violated fact.
package struct BrokenFact: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was seen instead.
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Reports the fact as violated unless `condition` holds.
func require(_ condition: Bool, _ seen: @autoclosure () -> String) throws(BrokenFact) {
    guard condition else { throw BrokenFact(seen()) }
}

/// Reports the fact as violated unless both are the same.
func require<Value: Equatable>(_ seen: Value, is wanted: Value) throws(BrokenFact) {
    try require(seen == wanted, "\(seen), and not \(wanted)")
}
