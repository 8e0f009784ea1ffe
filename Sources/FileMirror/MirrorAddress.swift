import FoundationEssentials

/// Where a mirror is: `http://files.plant/firmware`, or `https`, below which each file is `sha256/` and its hash.
public struct MirrorAddress: Hashable, Sendable, CustomStringConvertible {
    /// Whether it is asked by TLS.
    public let isSecure: Bool
    /// The server's name or address, an IPv6 address without brackets.
    public let host: String
    /// Its port: 80, or 443 with TLS, where none is named.
    public let port: Int
    /// The path of the folder, without `/` at its end.
    public let path: String

    /// Reads an address; nil for one that names no server, has a query, or a user: a password there would be seen by everybody.
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

    /// The name of the server in a request: with the port where it is not the usual one.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// Where the file of `sha256` is asked for.
    func path(of sha256: String) -> String { "\(path)/sha256/\(sha256)" }

    /// The address as it is written.
    public var description: String { "\(isSecure ? "https" : "http")://\(authority)\(path)" }
}
