import FoundationEssentials

/// The address of a mirror: `http://files.plant/firmware`, or `https`, below which each file is `sha256/` and its hash.
public struct MirrorAddress: Hashable, Sendable, CustomStringConvertible {
    /// Whether it is accessed with TLS.
    public let isSecure: Bool
    /// The server's name or address, an IPv6 address without brackets.
    public let host: String
    /// Its port; the default is 80, or 443 with TLS.
    public let port: Int
    /// The path of the folder, without `/` at its end.
    public let path: String

    /// Parses an address; nil for one without a server, or with a query or a user: a password there would be visible to
    /// everyone.
    public init?(_ text: String) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: text),
            let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            var host = url.host(), !host.isEmpty, url.user() == nil, url.password() == nil,
            url.query() == nil, url.fragment() == nil
        else { return nil }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        isSecure = scheme == "https"
        self.host = host
        port = url.port ?? (isSecure ? 443 : 80)
        guard (1...65_535).contains(port) else { return nil }
        var path = url.path(percentEncoded: true)
        while path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    /// The server's name in a request, with the port if it is not the default.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// The request path of the file of `sha256`.
    func path(of sha256: String) -> String { "\(path)/sha256/\(sha256)" }

    /// The address in its usual form.
    public var description: String { "\(isSecure ? "https" : "http")://\(authority)\(path)" }
}
