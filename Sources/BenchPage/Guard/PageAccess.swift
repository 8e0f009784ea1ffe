/// Access control: who may view the page and who may act on it.
///
/// A token is valid for one exchange; the browser then has a cookie that no script can read and no other site can send.
public struct PageAccess: Sendable {
    /// The access mode of the page.
    public enum Mode: Hashable, Sendable {
        /// Viewing needs a token; actions depend on its role.
        case signedIn
        /// Viewing without a token, no actions: a wall screen.
        case wall
    }

    private let mode: Mode
    private let hosts: HostRule
    private let cookie: String
    private let attributes: String
    private var tokens: [PageToken: PageRole] = [:]
    private var sessions: [PageSession] = []
    private var wrong: [Duration] = []
    /// The token of programs that read metrics.
    private let watcher: PageToken?

    /// Starts without tokens. Browsers ignore ports when they send cookies: `instance` distinguishes two servers of a
    /// machine. The token `watcher` gives access to metrics only.
    public init(
        _ mode: Mode, hosts: HostRule, isSecure: Bool, instance: String, watcher: String? = nil
    ) {
        (self.mode, self.hosts, self.watcher) = (mode, hosts, watcher.map { PageToken($0) })
        // With this prefix, browsers require Secure, the path / and this exact host.
        cookie = (isSecure ? "__Host-" : "") + "beacon-dfu-" + instance
        attributes = "; Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    /// Creates a token for `role`. It is valid once; another for the same role replaces it.
    public mutating func newToken(for role: PageRole) -> PageToken {
        tokens = tokens.filter { $0.value != role }
        let token = PageToken.random()
        tokens[token] = role
        return token
    }

    /// Checks the host name of a request; called for every request.
    public func admit(_ head: RequestHead) throws(PageRefusal) {
        guard hosts.permits(head.host) else { throw .foreignHost }
    }

    /// The user of a read-only request.
    public mutating func reader(_ head: RequestHead, at moment: Duration) throws(PageRefusal) -> PageUser {
        try admit(head)
        // Another page must not even learn the size of an answer. For its own page, a browser sends no Origin with
        // reads.
        if let site = head.fetchSite, site != "same-origin", site != "none" { throw .foreignOrigin }
        guard head.origin == nil || hosts.isOwn(head.origin, host: head.host) else { throw .foreignOrigin }
        if mode == .wall { return PageUser(.viewer) }
        return try session(head, at: moment).user
    }

    /// Checks access to metrics: a viewer's session, or the token for metrics.
    public mutating func watcher(_ head: RequestHead, at moment: Duration) throws(PageRefusal) {
        try admit(head)
        if let watcher, let shown = head.authorization, watcher.isBearer(shown) { return }
        _ = try reader(head, at: moment)
    }

    /// The owner of the connection of this request from `address`: a session, the metrics token, or on a wall screen
    /// the address; nil for a stranger.
    public func owner(_ head: RequestHead, from address: String, at moment: Duration) -> String? {
        if mode == .wall { return "address " + address }
        if let watcher, let shown = head.authorization, watcher.isBearer(shown) { return "figures" }
        return place(of: head, at: moment).map { sessions[$0].owner }
    }

    /// The user of a request that changes something; throws if it is not permitted.
    public mutating func actor(
        _ head: RequestHead, needs role: PageRole, at moment: Duration
    ) throws(PageRefusal) -> PageUser {
        try own(head)
        let session = try session(head, at: moment)
        guard let csrf = head.csrf, session.csrf.isSame(as: csrf) else { throw .missingCSRF }
        guard session.user.role >= role else { throw .role(role) }
        return session.user
    }

    /// The session of the request, or its equivalent on a wall screen.
    public mutating func status(_ head: RequestHead, at moment: Duration) throws(PageRefusal) -> PageValue {
        _ = try reader(head, at: moment)
        guard mode == .signedIn else {
            return .members([
                "schema": .integer(1), "role": .text(PageRole.viewer.rawValue), "wall": .bool(true),
            ])
        }
        return try session(head, at: moment).json
    }

    /// Ends the session of the request. Returns the cookie that deletes the session's.
    public mutating func signOut(_ head: RequestHead, at moment: Duration) throws(PageRefusal) -> String {
        _ = try actor(head, needs: .viewer, at: moment)
        let id = try session(head, at: moment).id
        sessions.removeAll { $0.id == id }
        return cookie + "=" + attributes + "; Max-Age=0"
    }

    /// Exchanges `token` for a session; also returns the cookie to set.
    public mutating func signIn(
        _ token: String, name: String?, _ head: RequestHead, at moment: Duration
    ) throws(PageRefusal) -> (session: PageSession, cookie: String) {
        try own(head)
        let typed = token.lowercased().filter { !$0.isWhitespace && $0 != "-" }
        // A correct token is always accepted: wrong tries of others lock out no user.
        guard let found = tokens.first(where: { $0.key.isSame(as: typed) }) else {
            wrong.removeAll { moment - $0 > .seconds(60) }
            guard wrong.count < PageLimits.wrongTokens else { throw .tooManyTries }
            wrong.append(moment)
            throw .wrongToken
        }
        tokens[found.key] = nil
        let user = PageUser(found.value, name: name.flatMap(PageUser.name))
        let session = PageSession(id: .random(), csrf: .random(), user: user, used: moment)
        sessions.removeAll { moment - $0.used > PageLimits.sessionLength }
        sessions.sort { $0.used < $1.used }
        while sessions.count >= PageLimits.sessions { sessions.removeFirst() }
        sessions.append(session)
        return (session, cookie + "=" + session.id.text + attributes)
    }

    /// The session id in a Cookie header; nil for none.
    public func session(inCookies header: String?) -> String? {
        let pairs = (header ?? "").split(separator: ";").map { $0.drop { $0 == " " } }
        return pairs.first { $0.hasPrefix(cookie + "=") }.map { String($0.dropFirst(cookie.count + 1)) }
    }

    private mutating func session(_ head: RequestHead, at moment: Duration) throws(PageRefusal) -> PageSession
    {
        guard let place = place(of: head, at: moment) else { throw .noSession }
        sessions[place].used = moment
        return sessions[place]
    }

    /// The index of the request's session; nil if it has none that is valid.
    private func place(of head: RequestHead, at moment: Duration) -> Int? {
        guard let id = head.session, let place = sessions.firstIndex(where: { $0.id.isSame(as: id) }) else {
            return nil
        }
        return moment - sessions[place].used <= PageLimits.sessionLength ? place : nil
    }

    /// Checks that a request that changes something comes from the page itself, and that the mode permits changes.
    public func own(_ head: RequestHead) throws(PageRefusal) {
        try admit(head)
        guard hosts.isOwn(head.origin, host: head.host) else { throw .foreignOrigin }
        if let site = head.fetchSite, site != "same-origin" { throw .foreignOrigin }
        let type = head.contentType?.split(separator: ";").first?.lowercased().filter { $0 != " " }
        guard type == "application/json" else { throw .notJSON }
        guard mode == .signedIn else { throw .watchingOnly }
    }
}
