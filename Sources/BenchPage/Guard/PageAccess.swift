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
    private var wrong: [Duration] = []
    private let watcher: PageToken?

    /// Starts without tokens. Browsers send a server the cookies of other ports too, so the cookie's name contains
    /// `instance`, which differs between servers. The token `watcher` gives access to metrics only.
    init(isWall: Bool = false, hosts: HostRule, instance: String, watcher: String? = nil) {
        (self.isWall, self.hosts, self.watcher) = (isWall, hosts, watcher.map { PageToken($0) })
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
    func admit(_ head: RequestHead) throws(PageRefusal) {
        guard hosts.permits(head.host) else { throw .foreignHost }
    }

    mutating func reader(_ head: RequestHead, at moment: Duration) throws(PageRefusal) -> PageUser {
        try admit(head)
        // Another page must not even learn an answer's size. For its own page, a browser sends no Origin with reads.
        if let site = head.fetchSite, site != "same-origin", site != "none" { throw .foreignOrigin }
        guard head.origin == nil || hosts.isOwn(head.origin, host: head.host) else { throw .foreignOrigin }
        if isWall { return PageUser(.viewer) }
        return try session(head, at: moment).user
    }

    /// Checks access to metrics: a viewer's session, or the token for metrics.
    mutating func watcher(_ head: RequestHead, at moment: Duration) throws(PageRefusal) {
        try admit(head)
        if let watcher, let shown = head.authorization, watcher.isBearer(shown) { return }
        _ = try reader(head, at: moment)
    }

    /// The owner of the connection of this request from `address`: a session, the metrics token, or on a wall screen
    /// the address; nil for a stranger.
    func owner(_ head: RequestHead, from address: String, at moment: Duration) -> String? {
        if isWall { return "address " + address }
        if let watcher, let shown = head.authorization, watcher.isBearer(shown) { return "figures" }
        return place(of: head, at: moment).map { sessions[$0].owner }
    }

    mutating func actor(
        _ head: RequestHead, needs role: PageRole, at moment: Duration
    ) throws(PageRefusal) -> PageUser {
        try own(head)
        let session = try session(head, at: moment)
        guard let csrf = head.csrf, session.csrf.isSame(as: csrf) else { throw .missingCSRF }
        guard session.user.role >= role else { throw .role(role) }
        return session.user
    }

    /// The session of the request, or its equivalent on a wall screen.
    mutating func status(_ head: RequestHead, at moment: Duration) throws(PageRefusal) -> JSONValue {
        _ = try reader(head, at: moment)
        guard !isWall else {
            return .members([
                "schema": .integer(1), "role": .text(PageRole.viewer.rawValue), "wall": .bool(true),
            ])
        }
        return try session(head, at: moment).json
    }

    /// Ends the session of the request. Returns the header value that deletes the session's cookie.
    mutating func signOut(_ head: RequestHead, at moment: Duration) throws(PageRefusal) -> String {
        _ = try actor(head, needs: .viewer, at: moment)
        let id = try session(head, at: moment).id
        sessions.removeAll { $0.id == id }
        return cookie + "=" + attributes + "; Max-Age=0"
    }

    /// Exchanges `token` for a session, which is returned with the cookie to set.
    mutating func signIn(
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
    func session(inCookies header: String?) -> String? {
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

    /// Checks that a request that changes something comes from the page itself, and that the page permits changes.
    func own(_ head: RequestHead) throws(PageRefusal) {
        try admit(head)
        guard hosts.isOwn(head.origin, host: head.host) else { throw .foreignOrigin }
        if let site = head.fetchSite, site != "same-origin" { throw .foreignOrigin }
        let type = head.contentType?.split(separator: ";").first?.lowercased().filter { $0 != " " }
        guard type == "application/json" else { throw .notJSON }
        guard !isWall else { throw .watchingOnly }
    }
}

/// A role. Each includes the rights of the roles before it.
package enum PageRole: String, CaseIterable, Comparable, Sendable {
    case viewer
    /// May operate the bench.
    case worker = "operator"
    /// May release holds.
    case approver

    package static func < (one: PageRole, other: PageRole) -> Bool { one.rank < other.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A browser that has shown a token.
struct PageSession: Hashable, Sendable {
    /// The value of its cookie.
    let id: PageToken
    /// The CSRF token that its changing requests have to repeat.
    let csrf: PageToken
    let user: PageUser
    var used: Duration

    var owner: String { "session " + id.text }

    var json: JSONValue {
        .members([
            "schema": .integer(1), "role": .text(user.role.rawValue), "name": .optional(user.name),
            "csrf": .text(csrf.text),
        ])
    }
}

package struct PageUser: Hashable, Sendable {
    package let role: PageRole
    /// The name that the user gave; nil for none.
    package let name: String?

    package init(_ role: PageRole, name: String? = nil) { (self.role, self.name) = (role, name) }

    /// The name for records, which shows that it was entered on a page and not verified by a login.
    package var words: String { name.map { "\($0) (page, \(role.rawValue))" } ?? "page (\(role.rawValue))" }

    /// A given name without invisible characters, cut to the limit; nil if nothing is left.
    static func name(_ given: String) -> String? {
        var name = String.UnicodeScalarView()
        var bytes = 0
        for scalar in given.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: continue
            default: bytes += String(scalar).utf8.count
            }
            guard bytes <= PageLimits.nameBytes else { break }
            name.append(scalar)
        }
        let words = String(name).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : words
    }
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

/// A secret that a browser shows: 160 random bits from the kernel.
struct PageToken: Hashable, Sendable, CustomStringConvertible {
    /// 40 hexadecimal digits.
    let text: String

    static func random() -> PageToken {
        var generator = SystemRandomNumberGenerator()
        return PageToken(using: &generator)
    }

    init(using generator: inout some RandomNumberGenerator) {
        let digits = Array("0123456789abcdef")
        text = String((0..<40).map { _ in digits[Int.random(in: 0..<16, using: &generator)] })
    }

    init(_ text: String) { self.text = text }

    /// Whether `other` is equal, compared in constant time.
    func isSame(as other: String) -> Bool {
        let (one, two) = (Array(text.utf8), Array(other.utf8))
        guard one.count == two.count else { return false }
        return zip(one, two).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Whether an Authorization header contains it (RFC 6750).
    func isBearer(_ header: String) -> Bool {
        let words = header.split(separator: " ", maxSplits: 1)
        return words.count == 2 && words[0].lowercased() == "bearer" && isSame(as: String(words[1]))
    }

    /// Does not contain the secret, which could end up in a log.
    var description: String { "a token" }
}
