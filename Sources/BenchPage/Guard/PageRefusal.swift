/// Why somebody does not get what was asked for.
public struct PageRefusal: Error, Hashable, Sendable {
    /// The status of HTTP.
    public let status: Int
    /// Its stable code.
    public let code: String
    /// The cause in one line.
    public let message: String
    /// What a person can do next.
    public let nextStep: String

    /// The methods that there are; nil where the method is not what is wrong.
    public private(set) var allowed: String?

    /// A refusal as described.
    public init(_ status: Int, _ code: String, _ message: String, next nextStep: String) {
        (self.status, self.code, self.message, self.nextStep) = (status, code, message, nextStep)
    }

    /// As it is answered.
    public var json: PageValue {
        .members([
            "schema": .integer(1), "code": .text(code), "message": .text(message),
            "next_step": .text(nextStep),
        ])
    }
}

extension PageRefusal {
    static let foreignHost = PageRefusal(
        421, "host-unknown", "this server does not answer to that name",
        next: "open the address that the program has printed, or have it answer to this one, too")
    static let foreignOrigin = PageRefusal(
        403, "origin-foreign", "the request comes from another page", next: "work on the page itself")
    static let missingCSRF = PageRefusal(
        403, "csrf-missing", "the request does not prove that it comes from the page", next: "reload the page"
    )
    static let notJSON = PageRefusal(
        415, "not-json", "the body has to be application/json", next: "send JSON")
    static let noSession = PageRefusal(
        401, "session-missing", "nobody has signed in here, or the session is over",
        next: "type the code that the program has printed")
    static let wrongToken = PageRefusal(
        401, "token-wrong", "the code is wrong or was used before",
        next: "type the code that the program shows now")
    static let tooManyTries = PageRefusal(
        429, "tries-many", "too many wrong codes",
        next: "wait a minute, then type the code that the program shows now")
    /// The role does not allow it.
    public static func role(_ role: PageRole) -> PageRefusal {
        PageRefusal(
            403, "role-missing", "only somebody signed in as \(role.rawValue) may do this",
            next: "have a person with that role do it")
    }

    /// Nothing can be done on this page, whoever asks.
    public static let watchingOnly = PageRefusal(
        403, "watching-only", "this page only shows what goes on", next: "work at the bench itself")
    /// A body is too long.
    public static let bodyTooLarge = PageRefusal(
        413, "body-large", "the body has more than \(PageLimits.bodyBytes) bytes", next: "send less")
    /// A request that says nothing that is understood.
    public static func malformed(_ what: String) -> PageRefusal {
        PageRefusal(400, "request-malformed", what, next: "see docs/formats/bench-page.md")
    }
    /// A body that does not come.
    public static let slowBody = PageRefusal(
        408, "request-slow", "the body did not arrive within \(PageLimits.body.components.seconds) s",
        next: "send it again")
    /// The bench is not held, or for another reason than who wished has seen.
    public static let changedHold = PageRefusal(
        409, "hold-changed", "that hold has ended or been replaced",
        next: "look at why the bench is held now")
    /// There is something, but nothing that `method` could do; `allowed` can.
    public static func method(allowed: String) -> PageRefusal {
        var refusal = PageRefusal(
            405, "method-unknown", "that cannot be done here", next: "see docs/formats/bench-page.md")
        refusal.allowed = allowed
        return refusal
    }
    /// A session, or on a wall an address, has as many streams as it may have.
    public static let tooManyOwnStreams = PageRefusal(
        503, "streams-many", "\(PageLimits.streamsOfOne) streams are open already here",
        next: "close a window of this page")
    /// There are as many streams as there may be.
    public static let tooManyStreams = PageRefusal(
        503, "streams-many", "\(PageLimits.streams) pages are open already",
        next: "close one, here or elsewhere")
    /// There is nothing there.
    public static let notFound = PageRefusal(404, "not-found", "there is no such page", next: "open /")
    /// The wish was made before with another content.
    static let keyReused = PageRefusal(
        422, "key-reused", "the idempotency key was already used for another request, or by somebody else",
        next: "make a new key for each wish")
    /// The wish was made before and is under way.
    static let keyBusy = PageRefusal(
        409, "key-busy", "the same wish is under way", next: "wait for its answer")
}
