/// What a hook is told: JSON on its standard input, and beside it in its environment what names it.
public struct HookCall: Hashable, Sendable {
    /// Names what it says, however often it says it: a hook that has done it before does nothing.
    public let key: String
    /// The JSON, one object, without an end of line.
    public let body: String
    /// How often it is said with this call, from 1.
    public let tries: Int

    /// A call as described.
    public init(key: String, body: String, tries: Int) {
        (self.key, self.body, self.tries) = (key, body, tries)
    }
}
