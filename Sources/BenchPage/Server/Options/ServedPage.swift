/// A page that is being served.
public struct ServedPage: Hashable, Sendable {
    /// Its addresses, without a token.
    public let addresses: [String]
    /// Whether it is a wall screen, without sign-in.
    public let isWall: Bool
    /// The path of the Unix socket, if it is served there.
    public let socket: String?

    /// The sign-in for `token`: a link whose fragment stays in the browser; for a socket, which browsers cannot open
    /// directly, the code alone. Nil without sign-in.
    public func link(signingInWith token: String) -> String? {
        isWall ? nil : socket != nil ? token : addresses.first.map { $0 + "#token=" + token }
    }
}
