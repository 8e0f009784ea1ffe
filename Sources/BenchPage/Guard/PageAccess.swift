/// Who may look at the page and who may act on it.
///
/// A token is good for one exchange; what the browser has then is a cookie that no script reads and no other site sends.
public struct PageAccess: Sendable {
    /// How open the page is.
    public enum Mode: Hashable, Sendable {
        /// Who has shown a token looks, and acts as far as its role goes.
        case signedIn
        /// Anybody looks, nobody acts: a screen on the wall.
        case wall
    }

    private let mode: Mode
    private let hosts: HostRule
    private let cookie: String
    private let attributes: String
    private var tokens: [PageToken: PageRole] = [:]
    private var sessions: [PageSession] = []
    private var wrong: [Duration] = []
    /// Of programs that read figures.
    private let watcher: PageToken?

    /// Nobody has a token yet. Browsers do not tell ports apart when they send cookies: `instance` does it for two servers of a machine.
    /// Who shows `watcher` reads figures, and nothing else.
    public init(
        _ mode: Mode, hosts: HostRule, isSecure: Bool, instance: String, watcher: String? = nil
    ) {
        (self.mode, self.hosts, self.watcher) = (mode, hosts, watcher.map { PageToken($0) })
        // The prefix has a browser insist on Secure, on the path / and on this very host.
        cookie = (isSecure ? "__Host-" : "") + "beacon-dfu-" + instance
        attributes = "; Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    /// Makes a token for `role`. Good once; another for the same role takes its place.
    public mutating func newToken(for role: PageRole) -> PageToken {
        tokens = tokens.filter { $0.value != role }
        let token = PageToken.random()
        tokens[token] = role
        return token
    }

    /// Whether the page can be asked by that name; for every request.
    public func admit(_ head: RequestHead) throws(PageRefusal) {
        guard hosts.permits(head.host) else { throw .foreignHost }
    }

    /// Whose request this is that only reads.
    public mutating func reader(_ head: RequestHead, at moment: Duration) throws(PageRefusal) -> PageUser {
        try admit(head)
        // A page of others may not even count on the size of an answer. A browser sends no Origin with what a page of its own reads.
        if let site = head.fetchSite, site != "same-origin", site != "none" { throw .foreignOrigin }
        guard head.origin == nil || hosts.isOwn(head.origin, host: head.host) else { throw .foreignOrigin }
        if mode == .wall { return PageUser(.viewer) }
        return try session(head, at: moment).user
    }

    /// Whether somebody may read figures: who looks, and who shows the token for it.
    public mutating func watcher(_ head: RequestHead, at moment: Duration) throws(PageRefusal) {
        try admit(head)
        if let watcher, let shown = head.authorization, watcher.isBearer(shown) { return }
        _ = try reader(head, at: moment)
    }

    /// Whose connection it is over which this has come from `address`: a session's, that of a program that reads figures, on a wall that of
    /// the address; nil for a stranger's.
    public func owner(_ head: RequestHead, from address: String, at moment: Duration) -> String? {
        if mode == .wall { return "address " + address }
        if let watcher, let shown = head.authorization, watcher.isBearer(shown) { return "figures" }
        return place(of: head, at: moment).map { sessions[$0].owner }
    }

    /// Whose request this is that changes something, and whether they may.
    public mutating func actor(
        _ head: RequestHead, needs role: PageRole, at moment: Duration
    ) throws(PageRefusal) -> PageUser {
        try own(head)
        let session = try session(head, at: moment)
        guard let csrf = head.csrf, session.csrf.isSame(as: csrf) else { throw .missingCSRF }
        guard session.user.role >= role else { throw .role(role) }
        return session.user
    }

    /// The session of the request, or what stands for one on a wall.
    public mutating func status(_ head: RequestHead, at moment: Duration) throws(PageRefusal) -> PageValue {
        _ = try reader(head, at: moment)
        guard mode == .signedIn else {
            return .members([
                "schema": .integer(1), "role": .text(PageRole.viewer.rawValue), "wall": .bool(true),
            ])
        }
        return try session(head, at: moment).json
    }

    /// Ends the session of the request. The cookie that takes its own away.
    public mutating func signOut(_ head: RequestHead, at moment: Duration) throws(PageRefusal) -> String {
        _ = try actor(head, needs: .viewer, at: moment)
        let id = try session(head, at: moment).id
        sessions.removeAll { $0.id == id }
        return cookie + "=" + attributes + "; Max-Age=0"
    }

    /// Exchanges `token` for a session. It is what the cookie is set to, too.
    public mutating func signIn(
        _ token: String, name: String?, _ head: RequestHead, at moment: Duration
    ) throws(PageRefusal) -> (session: PageSession, cookie: String) {
        try own(head)
        let typed = token.lowercased().filter { !$0.isWhitespace && $0 != "-" }
        // A right one is good whatever others try: nobody is locked out by them.
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

    /// The session that a header Cookie names; nil for none.
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

    /// Which session the request shows; nil for none that lasts.
    private func place(of head: RequestHead, at moment: Duration) -> Int? {
        guard let id = head.session, let place = sessions.firstIndex(where: { $0.id.isSame(as: id) }) else {
            return nil
        }
        return moment - sessions[place].used <= PageLimits.sessionLength ? place : nil
    }

    /// Whether a request that changes something comes from the page itself, and whether anybody changes anything here.
    public func own(_ head: RequestHead) throws(PageRefusal) {
        try admit(head)
        guard hosts.isOwn(head.origin, host: head.host) else { throw .foreignOrigin }
        if let site = head.fetchSite, site != "same-origin" { throw .foreignOrigin }
        let type = head.contentType?.split(separator: ";").first?.lowercased().filter { $0 != " " }
        guard type == "application/json" else { throw .notJSON }
        guard mode == .signedIn else { throw .watchingOnly }
    }
}
