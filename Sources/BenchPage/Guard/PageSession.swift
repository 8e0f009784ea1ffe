/// A browser that has shown a token.
public struct PageSession: Hashable, Sendable {
    /// What its cookie holds.
    public let id: PageToken
    /// What its requests that change something have to repeat.
    public let csrf: PageToken
    /// Who sits before it.
    public let user: PageUser
    var used: Duration

    /// Names it among those who have connections.
    public var owner: String { "session " + id.text }

    /// What the page is told of it.
    public var json: PageValue {
        .members([
            "schema": .integer(1), "role": .text(user.role.rawValue), "name": .optional(user.name),
            "csrf": .text(csrf.text),
        ])
    }
}
