public import UpdateModel

/// Tests compare codes with their names. The program cannot: there, a name that no group declares does not compile.
extension FailureCode: ExpressibleByStringLiteral {
    /// The code `name`.
    public init(stringLiteral name: String) { self.init(named: name) }
}
