/// A browser that has shown a token.
public struct PageSession: Hashable, Sendable {
    /// The value of its cookie.
    public let id: PageToken
    /// The CSRF token that its changing requests have to repeat.
    public let csrf: PageToken
    /// The user.
    public let user: PageUser
    var used: Duration

    /// Identifies it as an owner of connections.
    public var owner: String { "session " + id.text }

    /// The session's data for the page.
    public var json: PageValue {
        .members([
            "schema": .integer(1), "role": .text(user.role.rawValue), "name": .optional(user.name),
            "csrf": .text(csrf.text),
        ])
    }
}
