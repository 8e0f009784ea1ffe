import Bytes

/// Access control: who may view the page and who may act on it.
///
/// A token is valid for one exchange; the browser then has a cookie that no script can read and no other site can send.
struct PageAccess: Sendable {
    /// Whether it is a wall screen: viewing without a token, no actions. Otherwise a token's role decides on actions.
    private let isWall: Bool
    private let hosts: HostRule
    private let cookie: String
    private let attributes: String
    private var tokens: [PageToken: PageRole] = [:]
    private var sessions: [PageSession] = []
    /// When wrong tokens were shown.
    private var wrongTokens: [Duration] = []
    private let metricsToken: PageToken?

    /// Starts without tokens. Browsers send a server the cookies of other ports too, so the cookie's name contains
    /// `instance`, which differs between servers. `metricsToken` gives access to metrics only.
    init(isWall: Bool = false, hosts: HostRule, instance: String, metricsToken: String? = nil) {
        (self.isWall, self.hosts) = (isWall, hosts)
        self.metricsToken = metricsToken.map { PageToken($0) }
        // With this prefix, browsers require Secure, the path / and this exact host.
        cookie = (hosts.isSecure ? "__Host-" : "") + "beacon-dfu-" + instance
        attributes = "; Path=/; HttpOnly; SameSite=Strict" + (hosts.isSecure ? "; Secure" : "")
    }

    /// Creates a token for `role`. It is valid once; another for the same role replaces it.
    mutating func newToken(for role: PageRole) -> PageToken {
        tokens = tokens.filter { $0.value != role }
        let token = PageToken.random()
        tokens[token] = role
        return token
    }

    /// Checks the host name of a request; called for every request.
    func requireKnownHost(_ head: RequestHead) throws(PageRefusal) {
        guard hosts.permits(head.host) else { throw .foreignHost }
    }

    mutating func authorizeReading(_ head: RequestHead, at moment: Duration) throws(PageRefusal) -> PageUser {
        try requireKnownHost(head)
        // Another page must not even learn an answer's size. For its own page, a browser sends no Origin with reads.
        if let site = head.fetchSite, site != "same-origin", site != "none" { throw .foreignOrigin }
        guard head.origin == nil || hosts.isOwn(head.origin, host: head.host) else { throw .foreignOrigin }
        if isWall { return PageUser(.viewer) }
        return try session(head, at: moment).user
    }

    /// Checks access to metrics: a viewer's session, or the token for metrics.
    mutating func authorizeMetrics(_ head: RequestHead, at moment: Duration) throws(PageRefusal) {
        try requireKnownHost(head)
        if let metricsToken, let shown = head.authorization, metricsToken.isBearer(shown) { return }
        _ = try authorizeReading(head, at: moment)
    }

    /// The owner of the connection of this request from `address`: a session, the metrics token, or on a wall screen
    /// the address; nil for a stranger.
    func owner(_ head: RequestHead, from address: String, at moment: Duration) -> String? {
        if isWall { return "address " + address }
        if let metricsToken, let shown = head.authorization, metricsToken.isBearer(shown) { return "metrics" }
        return index(of: head, at: moment).map { sessions[$0].owner }
    }

    mutating func authorizeAction(
        _ head: RequestHead, needs role: PageRole, at moment: Duration
    ) throws(PageRefusal) -> PageUser {
        try requireOwnPage(head)
        let session = try session(head, at: moment)
        guard let csrf = head.csrf, session.csrf.isEqual(to: csrf) else { throw .missingCSRF }
        guard session.user.role >= role else { throw .role(role) }
        return session.user
    }

    /// The session of the request, or its equivalent on a wall screen.
    mutating func status(_ head: RequestHead, at moment: Duration) throws(PageRefusal) -> JSONValue {
        _ = try authorizeReading(head, at: moment)
        guard !isWall else {
            return .members([
                "schema": .integer(1), "role": .text(PageRole.viewer.rawValue), "wall": .bool(true),
            ])
        }
        return try session(head, at: moment).json
    }

    /// Ends the session of the request. Returns the header value that deletes the session's cookie.
    mutating func signOut(_ head: RequestHead, at moment: Duration) throws(PageRefusal) -> String {
        _ = try authorizeAction(head, needs: .viewer, at: moment)
        let id = try session(head, at: moment).id
        sessions.removeAll { $0.id == id }
        return cookie + "=" + attributes + "; Max-Age=0"
    }

    /// Exchanges `token` for a session, which is returned with the cookie to set.
    mutating func signIn(
        _ token: String, name: String?, _ head: RequestHead, at moment: Duration
    ) throws(PageRefusal) -> (session: PageSession, cookie: String) {
        try requireOwnPage(head)
        let typed = token.lowercased().filter { !$0.isWhitespace && $0 != "-" }
        // A correct token is always accepted: wrong tries of others lock out no user.
        guard let found = tokens.first(where: { $0.key.isEqual(to: typed) }) else {
            wrongTokens.removeAll { moment - $0 > .seconds(60) }
            guard wrongTokens.count < PageLimits.wrongTokens else { throw .tooManyTries }
            wrongTokens.append(moment)
            throw .wrongToken
        }
        tokens[found.key] = nil
        let user = PageUser(found.value, name: name.flatMap(PageUser.name))
        let session = PageSession(id: .random(), csrf: .random(), user: user, lastUsed: moment)
        sessions.removeAll { moment - $0.lastUsed > PageLimits.sessionLength }
        sessions.sort { $0.lastUsed < $1.lastUsed }
        while sessions.count >= PageLimits.sessions { sessions.removeFirst() }
        sessions.append(session)
        return (session, cookie + "=" + session.id.text + attributes)
    }

    /// The session id in a Cookie header; nil for none.
    func session(inCookies header: String?) -> String? {
        let pairs = (header ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        return pairs.first { $0.hasPrefix(cookie + "=") }.map { String($0.dropFirst(cookie.count + 1)) }
    }

    private mutating func session(_ head: RequestHead, at moment: Duration) throws(PageRefusal) -> PageSession
    {
        guard let index = index(of: head, at: moment) else { throw .noSession }
        sessions[index].lastUsed = moment
        return sessions[index]
    }

    /// The index of the request's session; nil if it has none that is valid.
    private func index(of head: RequestHead, at moment: Duration) -> Int? {
        guard let id = head.session, let index = sessions.firstIndex(where: { $0.id.isEqual(to: id) }) else {
            return nil
        }
        return moment - sessions[index].lastUsed <= PageLimits.sessionLength ? index : nil
    }

    /// Checks that a request that changes something comes from the page itself, and that the page permits changes.
    func requireOwnPage(_ head: RequestHead) throws(PageRefusal) {
        try requireKnownHost(head)
        guard hosts.isOwn(head.origin, host: head.host) else { throw .foreignOrigin }
        if let site = head.fetchSite, site != "same-origin" { throw .foreignOrigin }
        let type = head.contentType?.split(separator: ";").first?.lowercased().filter { $0 != " " }
        guard type == "application/json" else { throw .notJSON }
        guard !isWall else { throw .readOnly }
    }
}

/// The parts of a request that determine access.
struct RequestHead: Hashable, Sendable {
    var host: String?
    var origin: String?
    var fetchSite: String?
    var contentType: String?
    var csrf: String?
    var authorization: String?
    /// The session id in its cookie.
    var session: String?
}

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
