/// A page that is being served.
public struct ServedPage: Hashable, Sendable {
    /// Where it is opened, without a token.
    public let addresses: [String]
    /// Whether anybody looks and nobody acts: there is nothing to sign in for.
    public let isWall: Bool
    /// The socket of the file system where it is served, if that is the place.
    public let socket: String?

    /// What signs in with `token`: the address for a browser, where what is behind the # stays in it; for a socket, which no browser opens by
    /// itself, the code alone. Nil where nobody signs in.
    public func link(signingInWith token: String) -> String? {
        isWall ? nil : socket != nil ? token : addresses.first.map { $0 + "#token=" + token }
    }
}
