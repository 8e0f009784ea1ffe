import TestSupport
import Testing
import Tray
import UpdateModel

@testable import BenchPage

@Suite struct `Access to the page` {
    private let own = "127.0.0.1:8080"

    private func head(_ change: (inout RequestHead) -> Void = { _ in }) -> RequestHead {
        var head = RequestHead()
        (head.host, head.origin, head.contentType) = (own, "http://\(own)", "application/json")
        change(&head)
        return head
    }

    private func code(_ body: () throws(PageRefusal) -> Void) -> String? {
        do throws(PageRefusal) { try body() } catch { return error.code.rawValue }
        return nil
    }

    private func access(isWall: Bool = false) -> PageAccess {
        PageAccess(isWall: isWall, hosts: HostRule(names: ["bench.lan"]), instance: "a")
    }

    private func signedIn(_ role: PageRole) throws -> (PageAccess, RequestHead) {
        var access = access()
        let token = access.newToken(for: role)
        let session = try access.signIn(token.text, name: "M", head(), at: .zero).session
        return (
            access,
            head {
                $0.session = session.id.text
                $0.csrf = session.csrf.text
            }
        )
    }

    @Test(arguments: [
        "127.0.0.1", "127.0.0.1:80", "localhost:8080", "LOCALHOST", "[::1]", "[::1]:8080", "bench.lan:8080",
    ])
    func `is under its own host names`(_ host: String) {
        #expect(HostRule(names: ["bench.lan"]).permits(host))
    }

    @Test(arguments: [
        nil, "", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "localhost:",
        "localhost:99999",
        "[::1", "[::1]x", "::1", "127.0.0.1:80:80", "user@localhost", "bench.lan.", "0.0.0.0", "localhost:8٠",
    ])
    func `is refused under other host names that could resolve to it`(_ host: String?) {
        var access = access(isWall: true)
        #expect(!HostRule(names: ["bench.lan"]).permits(host))
        #expect(
            code { () throws(PageRefusal) in
                _ = try access.authorizeReading(head { $0.host = host }, at: .zero)
            }
                == "host-unknown")
    }

    @Test(arguments: ["https://evil.example", "null", "", "http://127.0.0.1:8081", "https://127.0.0.1:8080"])
    func `is refused for other sites, including for reading`(_ origin: String) throws {
        var wall = access(isWall: true)
        var (signed, request) = try signedIn(.approver)
        request.origin = origin
        let foreign = head { $0.origin = origin }
        #expect(
            code { () throws(PageRefusal) in _ = try wall.authorizeReading(foreign, at: .zero) }
                == "origin-foreign")
        #expect(
            code { () throws(PageRefusal) in _ = try signed.authorizeReading(request, at: .zero) }
                == "origin-foreign")
        // A request from the page itself reads without one.
        request.origin = nil
        #expect(code { () throws(PageRefusal) in _ = try signed.authorizeReading(request, at: .zero) } == nil)
    }

    @Test func `counts connections by session or by the token for figures`() throws {
        let (access, request) = try signedIn(.viewer)
        #expect(access.owner(request, from: "10.0.0.1", at: .zero) == "session \(request.session ?? "")")
        #expect(access.owner(request, from: "10.0.0.1", at: .seconds(13 * 3600)) == nil)
        #expect(access.owner(head(), from: "10.0.0.1", at: .zero) == nil)
        #expect(
            access.owner(head { $0.session = String(repeating: "0", count: 40) }, from: "10.0.0.1", at: .zero)
                == nil)
        let watched = PageAccess(
            hosts: HostRule(), instance: "a", metricsToken: "0123456789abcdef")
        #expect(
            watched.owner(
                head { $0.authorization = "Bearer 0123456789abcdef" }, from: "10.0.0.1", at: .zero)
                == "metrics")
        #expect(self.access(isWall: true).owner(head(), from: "10.0.0.1", at: .zero) == "address 10.0.0.1")
    }

    @Test func `needs a session`() throws {
        var access = access()
        #expect(
            code { () throws(PageRefusal) in _ = try access.authorizeReading(head(), at: .zero) }
                == "session-missing")
        var (signed, request) = try signedIn(.viewer)
        #expect(try signed.authorizeReading(request, at: .zero).role == .viewer)
        request.session = String(repeating: "0", count: 40)
        #expect(
            code { () throws(PageRefusal) in _ = try signed.authorizeReading(request, at: .zero) }
                == "session-missing")
    }

    @Test func `uses a token once`() throws {
        var access = access()
        let token = access.newToken(for: .worker)
        _ = try access.signIn(token.text.uppercased() + " ", name: nil, head(), at: .zero)
        #expect(
            code { () throws(PageRefusal) in _ = try access.signIn(token.text, name: nil, head(), at: .zero) }
                == "token-wrong")
    }

    @Test func `is by the latest token of a role only`() {
        var access = access()
        let old = access.newToken(for: .viewer)
        _ = access.newToken(for: .viewer)
        #expect(
            code { () throws(PageRefusal) in _ = try access.signIn(old.text, name: nil, head(), at: .zero) }
                == "token-wrong")
    }

    @Test func `allows ten wrong codes a minute`() {
        var access = access()
        _ = access.newToken(for: .viewer)
        for _ in 0..<10 {
            #expect(
                code { () throws(PageRefusal) in _ = try access.signIn("x", name: nil, head(), at: .zero) }
                    == "token-wrong")
        }
        #expect(
            code { () throws(PageRefusal) in
                _ = try access.signIn("x", name: nil, head(), at: .seconds(59))
            } == "tries-many")
        #expect(
            code { () throws(PageRefusal) in
                _ = try access.signIn("x", name: nil, head(), at: .seconds(61))
            } == "token-wrong")
    }

    @Test func `is not blocked by wrong codes of others`() {
        var access = access()
        let token = access.newToken(for: .viewer)
        for _ in 0..<20 { _ = try? access.signIn("x", name: nil, head(), at: .zero) }
        #expect(
            code { () throws(PageRefusal) in _ = try access.signIn(token.text, name: nil, head(), at: .zero) }
                == nil)
    }

    @Test func `ends at sign-out`() throws {
        var (access, request) = try signedIn(.viewer)
        let cookie = try access.signOut(request, at: .zero)
        #expect(cookie.hasPrefix("beacon-dfu-a=;") && cookie.hasSuffix("; Max-Age=0"))
        #expect(
            code { () throws(PageRefusal) in _ = try access.authorizeReading(request, at: .zero) }
                == "session-missing")
        var (other, forged) = try signedIn(.viewer)
        forged.csrf = nil
        #expect(
            code { () throws(PageRefusal) in _ = try other.signOut(forged, at: .zero) } == "csrf-missing")
    }

    @Test(
        arguments: [
            ("M. Ito", "M. Ito"), ("  M.\r\n Ito ", "M. Ito"), ("a\u{202E}b\u{0}\u{9B}c", "abc"),
            ("\u{200B}", nil), ("", nil),
            ("e" + String(repeating: "\u{301}", count: 500), "e" + String(repeating: "\u{301}", count: 127)),
        ] as [(String, String?)])
    func `shows a name of visible characters, up to the length that is kept`(_ given: String, _ kept: String?)
    {
        #expect(PageUser.name(given) == kept)
    }

    @Test func `to figures needs a token that is valid for nothing else`() throws {
        let watcher = "0123456789abcdef"
        var access = PageAccess(
            hosts: HostRule(), instance: "a", metricsToken: watcher)
        let shown = head { $0.authorization = "Bearer " + watcher }
        #expect(code { () throws(PageRefusal) in try access.authorizeMetrics(shown, at: .zero) } == nil)
        for wrong in ["Bearer 0123456789abcdeF", "Basic " + watcher, watcher, "Bearer", ""] {
            let head = head { $0.authorization = wrong }
            #expect(
                code { () throws(PageRefusal) in try access.authorizeMetrics(head, at: .zero) }
                    == "session-missing")
        }
        #expect(
            code { () throws(PageRefusal) in _ = try access.authorizeReading(shown, at: .zero) }
                == "session-missing")
        let foreign = head {
            $0.host = "evil.example"
            $0.authorization = "Bearer " + watcher
        }
        #expect(
            code { () throws(PageRefusal) in try access.authorizeMetrics(foreign, at: .zero) }
                == "host-unknown")
    }

    @Test func `ends twelve hours after the last use`() throws {
        var (access, request) = try signedIn(.viewer)
        #expect(
            code { () throws(PageRefusal) in _ = try access.authorizeReading(request, at: .seconds(12 * 3600))
            } == nil)
        #expect(
            code { () throws(PageRefusal) in _ = try access.authorizeReading(request, at: .seconds(25 * 3600))
            }
                == "session-missing")
    }

    /// The defect of a request that changes something, and the answer.
    static let flaws: [(String, @Sendable (inout RequestHead) -> Void)] = [
        ("host-unknown", { $0.host = "evil.example" }),
        ("origin-foreign", { $0.origin = "http://evil.example" }),
        ("origin-foreign", { $0.origin = nil }),
        ("origin-foreign", { $0.origin = "null" }),
        ("origin-foreign", { $0.origin = "http://127.0.0.1:9090" }),
        ("origin-foreign", { $0.origin = "https://127.0.0.1:8080" }),
        ("origin-foreign", { $0.fetchSite = "cross-site" }),
        ("origin-foreign", { $0.fetchSite = "same-site" }),
        ("origin-foreign", { $0.fetchSite = "none" }),
        ("not-json", { $0.contentType = "text/plain" }),
        ("not-json", { $0.contentType = "application/x-www-form-urlencoded" }),
        ("not-json", { $0.contentType = nil }),
        ("csrf-missing", { $0.csrf = nil }),
        ("csrf-missing", { $0.csrf = "0" }),
        ("session-missing", { $0.session = nil }),
    ]

    @Test(arguments: flaws.indices) func `for a change is only from the page itself`(_ index: Int) throws {
        let (expected, change) = Self.flaws[index]
        var (access, request) = try signedIn(.approver)
        #expect(
            code { () throws(PageRefusal) in
                _ = try access.authorizeAction(request, needs: .approver, at: .zero)
            }
                == nil)
        change(&request)
        #expect(
            code { () throws(PageRefusal) in
                _ = try access.authorizeAction(request, needs: .approver, at: .zero)
            }
                == expected)
    }

    @Test(arguments: PageRole.allCases, BenchAction.Kind.allCases)
    func `is limited by the role`(_ role: PageRole, _ kind: BenchAction.Kind) throws {
        var (access, request) = try signedIn(role)
        let may =
            code { () throws(PageRefusal) in
                _ = try access.authorizeAction(request, needs: kind.role, at: .zero)
            }
            == nil
        #expect(may == (role == .approver || (role == .worker && kind != .release)))
    }

    @Test func `of a wall display lets anyone read and refuses every action`() {
        var access = access(isWall: true)
        let token = access.newToken(for: .approver)
        #expect(code { () throws(PageRefusal) in _ = try access.authorizeReading(head(), at: .zero) } == nil)
        #expect(
            code { () throws(PageRefusal) in _ = try access.signIn(token.text, name: nil, head(), at: .zero) }
                == "watching-only")
        #expect(
            code { () throws(PageRefusal) in _ = try access.authorizeAction(head(), needs: .viewer, at: .zero)
            }
                == "watching-only")
    }

    @Test func `never logs its token`() { #expect("\(PageToken.random())" == "a token") }

    @Test func `uses a cookie that scripts cannot read and other sites cannot send`() throws {
        var plain = access()
        let token = plain.newToken(for: .viewer)
        let cookie = try plain.signIn(token.text, name: nil, head(), at: .zero).cookie
        #expect(cookie.hasPrefix("beacon-dfu-a=") && cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        var secure = PageAccess(hosts: HostRule(isSecure: true), instance: "a")
        let another = secure.newToken(for: .viewer)
        let safe = try secure.signIn(
            another.text, name: nil, head { $0.origin = "https://127.0.0.1:8080" }, at: .zero)
        #expect(
            safe.cookie.hasPrefix("__Host-beacon-dfu-a=")
                && safe.cookie.hasSuffix("; SameSite=Strict; Secure"))
        let id = plain.session(inCookies: "x=1; \(cookie.prefix { $0 != ";" }); y=2")
        #expect(id == String(cookie.dropFirst("beacon-dfu-a=".count).prefix { $0 != ";" }))
    }
}

@Suite struct `A request from the page` {
    private let user = PageUser(.worker)

    private func code(_ body: () throws(PageRefusal) -> Void) -> String? {
        do throws(PageRefusal) { try body() } catch { return error.code.rawValue }
        return nil
    }

    @Test func `is carried out once when it is sent twice`() throws {
        var ledger = RequestOutcomes()
        let retry = PageRequest.bench(try #require(BenchAction(.retry, bench: "b", slot: "A1")))
        #expect(try ledger.begin("key-12345", retry, for: user))
        #expect(
            code { () throws(PageRefusal) in _ = try ledger.begin("key-12345", retry, for: user) }
                == "key-busy")
        ledger.end("key-12345", nil)
        #expect(try !ledger.begin("key-12345", retry, for: user))
    }

    @Test func `has a key of its own`() throws {
        var ledger = RequestOutcomes()
        let retry = PageRequest.bench(try #require(BenchAction(.retry, bench: "b", slot: "A1")))
        let skip = PageRequest.bench(try #require(BenchAction(.skip, bench: "b", slot: "A1")))
        _ = try ledger.begin("key-12345", retry, for: user)
        #expect(
            code { () throws(PageRefusal) in _ = try ledger.begin("key-12345", skip, for: user) }
                == "key-reused")
        #expect(
            code { () throws(PageRefusal) in
                _ = try ledger.begin("key-12345", retry, for: PageUser(.approver))
            } == "key-reused")
        for key in [nil, "", "short", String(repeating: "x", count: 129)] {
            #expect(
                code { () throws(PageRefusal) in _ = try ledger.begin(key, skip, for: user) }
                    == "request-malformed")
        }
    }

    @Test func `is refused again after a refusal`() throws {
        var ledger = RequestOutcomes()
        let stop = PageRequest.bench(try #require(BenchAction(.stop, bench: "b", slot: nil)))
        _ = try ledger.begin("key-12345", stop, for: user)
        ledger.end("key-12345", .readOnly)
        #expect(
            code { () throws(PageRefusal) in _ = try ledger.begin("key-12345", stop, for: user) }
                == "watching-only")
    }

    @Test func `may be repeated after a temporary failure`() throws {
        var ledger = RequestOutcomes()
        let stop = PageRequest.bench(try #require(BenchAction(.stop, bench: "b", slot: nil)))
        _ = try ledger.begin("key-12345", stop, for: user)
        ledger.end("key-12345", PageRefusal(503, "run-busy", "busy", next: "again"))
        #expect(try ledger.begin("key-12345", stop, for: user))
        #expect(
            code { () throws(PageRefusal) in _ = try ledger.begin("key-12345", stop, for: user) }
                == "key-busy")
    }

    @Test func `names the hold that it releases, and no other request does`() {
        let since = RecordedTime(milliseconds: 1)
        #expect(BenchAction(.release, bench: "b", slot: nil, since: since)?.since == since)
        #expect(BenchAction(.hold, bench: "b", slot: nil, since: since) == nil)
    }

    @Test func `is recorded as one from the page`() {
        #expect(PageUser(.approver, name: "M. Ito").recordedName == "M. Ito (page, approver)")
        #expect(PageUser(.worker).recordedName == "page (operator)")
    }

    @Test func `names a slot if it concerns a unit, and none otherwise`() {
        for kind in BenchAction.Kind.allCases {
            let text = kind == .scan ? "F0:0D:BE:AC:01:00" : nil
            #expect((BenchAction(kind, bench: "b", slot: "A1", text: text) != nil) == kind.isOfUnit)
            #expect((BenchAction(kind, bench: "b", slot: nil, text: text) != nil) == !kind.isOfUnit)
        }
    }

    @Test(
        arguments: [
            (.scan, "A1 F0:0D:BE:AC:01:00", true), (.scan, "", true), (.scan, "倉庫", true),
            (.scan, nil, false),
            (.scan, "a\nb", false), (.scan, "a\u{1B}[2J", false), (.hold, "x", false),
            (.scan, String(repeating: "x", count: 1024), true),
            (.scan, String(repeating: "x", count: 1025), false),
        ] as [(BenchAction.Kind, String?, Bool)])
    func `has a line of text if it is a scan`(_ kind: BenchAction.Kind, _ text: String?, _ isPossible: Bool) {
        #expect((BenchAction(kind, bench: "b", slot: nil, text: text) != nil) == isPossible)
    }
}
