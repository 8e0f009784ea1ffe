package import Bytes
import Tray
package import UpdateModel

package struct PageRefusal: Error, Hashable, Sendable {
    package let status: Int
    package let code: FailureCode
    package let message: String
    package let nextStep: String

    /// The allowed methods; nil if the method is not the problem.
    package private(set) var allowed: String?

    package init(_ status: Int, _ code: FailureCode, _ message: String, next nextStep: String) {
        (self.status, self.code, self.message, self.nextStep) = (status, code, message, nextStep)
    }

    package var json: JSONValue {
        .members([
            "schema": .integer(1), "code": .text(code.rawValue), "message": .text(message),
            "next_step": .text(nextStep),
        ])
    }

    static let foreignHost = PageRefusal(
        421, .page.hostUnknown, "this server does not answer to that name",
        next: "open the address that the program has printed, or start it with this name as well")
    static let foreignOrigin = PageRefusal(
        403, .page.originForeign, "the request comes from another page", next: "use the page itself")
    static let missingCSRF = PageRefusal(
        403, .page.csrfMissing, "the request does not show that it comes from the page",
        next: "reload the page")
    static let notJSON = PageRefusal(
        415, .page.notJSON, "the body has to be application/json", next: "send JSON")
    static let noSession = PageRefusal(
        401, .page.sessionMissing, "not signed in, or the session has expired",
        next: "type the code that the program has printed")
    static let wrongToken = PageRefusal(
        401, .page.tokenWrong, "the code is wrong or was used before",
        next: "type the code that the program shows now")
    static let tooManyTries = PageRefusal(
        429, .page.triesMany, "too many wrong codes",
        next: "wait a minute, then type the code that the program shows now")
    package static func role(_ role: PageRole) -> PageRefusal {
        PageRefusal(
            403, .page.roleMissing, "this requires the role \(role.rawValue)",
            next: "ask a user with that role to do it")
    }

    package static let readOnly = PageRefusal(
        403, .page.watchingOnly, "this page is read-only", next: "work at the bench itself")
    package static let bodyTooLarge = PageRefusal(
        413, .page.bodyLarge, "the body has more than \(PageLimits.bodyBytes) bytes", next: "send less")
    static let headTooLarge = PageRefusal(
        431, .page.requestMalformed,
        "the head has more than \(PageLimits.headBytes) bytes or too many fields", next: "send less")
    package static func malformed(_ what: String) -> PageRefusal {
        PageRefusal(400, .page.requestMalformed, what, next: "see docs/formats/bench-page.md")
    }
    package static let slowBody = PageRefusal(
        408, .page.requestSlow, "the body did not arrive within \(PageLimits.body.components.seconds) s",
        next: "send it again")
    /// The bench is not held, or has a different hold from the one that the user saw.
    package static let changedHold = PageRefusal(
        409, .page.holdChanged, "that hold has ended or been replaced",
        next: "check why the bench is held now")
    /// The path exists but not this method; `allowed` lists the possible ones.
    package static func method(allowed: String) -> PageRefusal {
        var refusal = PageRefusal(
            405, .page.methodUnknown, "this method is not supported here",
            next: "see docs/formats/bench-page.md")
        refusal.allowed = allowed
        return refusal
    }
    /// A session, or on a wall screen an address, has its maximum number of streams.
    package static let tooManyOwnStreams = PageRefusal(
        503, .page.streamsMany, "\(PageLimits.streamsOfOne) streams are already open here",
        next: "close a window of this page")
    package static let tooManyStreams = PageRefusal(
        503, .page.streamsMany, "\(PageLimits.streams) pages are already open",
        next: "close one, here or elsewhere")
    package static let notFound = PageRefusal(404, .page.notFound, "there is no such page", next: "open /")
    static let noOrders = PageRefusal(
        409, .page.watchingOnly, "orders are decided on the page of the work server",
        next: "open the page of `beacon-dfu-station view`")
    static let keyReused = PageRefusal(
        422, .page.keyReused, "the idempotency key was already used for another request, or by another user",
        next: "use a new key for each request")
    static let keyBusy = PageRefusal(
        409, .page.keyBusy, "the same request is in progress", next: "wait for its answer")
}
