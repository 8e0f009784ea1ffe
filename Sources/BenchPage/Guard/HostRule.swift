/// The host names that the server accepts. A loopback address alone is not enough: another page can point its own name
/// there (DNS rebinding), and its browser sends that name.
struct HostRule: Hashable, Sendable {
    private let names: Set<String>
    let isSecure: Bool

    init(names: [String] = [], isSecure: Bool = false) {
        self.names = Set(["localhost", "127.0.0.1", "[::1]"] + names.map { $0.lowercased() })
        self.isSecure = isSecure
    }

    /// Whether `host`, from the header Host, is the server's.
    func permits(_ host: String?) -> Bool { host.flatMap(Self.name).map(names.contains) ?? false }

    /// Whether `origin` is the page that `host` serves.
    func isOwn(_ origin: String?, host: String?) -> Bool {
        guard let origin, let host else { return false }
        return origin.lowercased() == (isSecure ? "https://" : "http://") + host.lowercased()
    }

    /// The host without its port; nil if it is invalid.
    private static func name(_ host: String) -> String? {
        let host = host.lowercased()
        let end =
            host.hasPrefix("[") ? host.firstIndex(of: "]").map(host.index(after:)) : host.firstIndex(of: ":")
        guard let end, end != host.endIndex else { return host.hasPrefix("[") && end == nil ? nil : host }
        let port = host[end...]
        guard port.first == ":", port.dropFirst().allSatisfy(\.isASCII), UInt16(port.dropFirst()) != nil
        else { return nil }
        return String(host[..<end])
    }
}
