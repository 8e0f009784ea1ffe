/// The state of a unit whose update did not end normally, as far as it is known.
public struct UnitState: Hashable, Codable, Sendable {
    /// The running program: `application`, `bootloader` or `unknown`.
    public var program: String
    /// The address where the unit was last seen, with its kind after a slash.
    public var address: String
    /// The state of its application: `intact`, `gone`, `new` or `unknown`.
    public var application: String
    /// The same in one line of text.
    public var words: String

    /// Creates a state with these values.
    public init(program: String, address: String, application: String, words: String) {
        self.program = program
        self.address = address
        self.application = application
        self.words = words
    }
}
