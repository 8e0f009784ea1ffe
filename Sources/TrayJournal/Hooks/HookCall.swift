/// The input of a hook: JSON on its standard input, and the call's key and number of tries in its environment.
public struct HookCall: Hashable, Sendable {
    /// Identifies the content, also when it is sent again: a hook that has processed it before does nothing.
    public let key: String
    /// The JSON, one object, without an end of line.
    public let body: String
    /// How often it has been sent with this call, from 1.
    public let tries: Int

    /// Creates a call with these values.
    public init(key: String, body: String, tries: Int) {
        (self.key, self.body, self.tries) = (key, body, tries)
    }
}
