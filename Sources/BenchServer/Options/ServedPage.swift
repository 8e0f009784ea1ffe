/// A page that is being served.
public struct ServedPage: Hashable, Sendable {
    /// Where it is opened, without a token.
    public let addresses: [String]

    /// The address for a browser that is to be signed in with `token`. What is behind the # stays in the browser.
    public func address(signingInWith token: String) -> String? {
        addresses.first.map { $0 + "#token=" + token }
    }
}
