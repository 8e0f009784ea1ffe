/// What a unit is when its update has not come to its end, as far as that is known.
public struct UnitState: Hashable, Codable, Sendable {
    /// What runs: `application`, `bootloader` or `unknown`.
    public var program: String
    /// Where the unit was seen last, with the kind of address after a slash.
    public var address: String
    /// What has become of its application: `intact`, `gone`, `new` or `unknown`.
    public var application: String
    /// The same in a line for people.
    public var words: String

    /// A state as described.
    public init(program: String, address: String, application: String, words: String) {
        self.program = program
        self.address = address
        self.application = application
        self.words = words
    }
}
