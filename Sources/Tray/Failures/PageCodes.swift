package import UpdateModel

package struct PageCodes: FailureCodeGroup {
    package static let topic = FailureTopic("The page of benches")

    package let hostUnknown = FailureCode(
        "host-unknown", .failed,
        "The page was requested under a name that is not its own. Another site can point its own name at "
            + "this machine, so other names are refused.",
        next: "open the address that the program printed, or give the name with `view --name`")
    package let originForeign = FailureCode(
        "origin-foreign", .failed, "The request came from another page, which may neither read nor act here.",
        next: "work on the page itself")
    package let csrfMissing = FailureCode(
        "csrf-missing", .failed, "The request lacks the session's X-CSRF-Token.",
        next: "load the page again; a program sends the `csrf` from the answer to GET /session")
    package let notJSON = FailureCode(
        "not-json", .failed, "The body of a request to the page is not application/json.",
        next: "send JSON, with its Content-Type")
    package let sessionMissing = FailureCode(
        "session-missing", .noPermission, "This browser is not signed in, or its session is over.",
        next: "type the code that the program printed")
    package let tokenWrong = FailureCode(
        "token-wrong", .noPermission, "The code for the page is wrong or was used before: each works once.",
        next: "type the code that the program shows now")
    package let triesMany = FailureCode(
        "tries-many", .tryAgain, "Too many wrong codes were typed within a minute. A right code still works.",
        next: "type the code that the program shows now")
    package let roleMissing = FailureCode(
        "role-missing", .noPermission, "The code used to sign in does not allow this.",
        next: "have a person sign in with the code of the role that the message names")
    package let watchingOnly = FailureCode(
        "watching-only", .failed,
        "The page is read-only: it is a wall display, a past run, or `view --bench`.",
        next: "work at the bench itself, or at the page of its run (`--view`)")
    package let bodyLarge = FailureCode(
        "body-large", .failed, "The body of a request to the page has more than 64 KiB.", next: "send less")
    package let requestMalformed = FailureCode(
        "request-malformed", .failed, "The page does not understand the request.",
        next: "see the reason in the message, and docs/formats/bench-page.md")
    package let requestSlow = FailureCode(
        "request-slow", .tryAgain, "The body of a request to the page did not arrive in time.",
        next: "send it again")
    package let methodUnknown = FailureCode(
        "method-unknown", .failed, "The page has this address, but the request's method does nothing there.",
        next: "see the header Allow, and docs/formats/bench-page.md")
    package let notFound = FailureCode("not-found", .failed, "The page has no such address.", next: "open /")
    package let holdChanged = FailureCode(
        "hold-changed", .failed, "The hold that was to be released has ended, or was replaced by another.",
        next: "check why the bench is held now")
    package let streamsMany = FailureCode(
        "streams-many", .tryAgain, "The maximum number of pages is open, in total or in one browser.",
        next: "close one, here or elsewhere")
    package let keyReused = FailureCode(
        "key-reused", .failed,
        "The Idempotency-Key was already used for another request, or by another person.",
        next: "make a new key for each request")
    package let keyBusy = FailureCode(
        "key-busy", .tryAgain, "The same request is in progress.", next: "wait for its answer")
    package let sourceSilent = FailureCode(
        "source-silent", .tryAgain, "The bench or the work server did not answer the page in time.",
        next: "look at the bench; the same request can be sent again with its key")
    package let runBusy = FailureCode(
        "run-busy", .tryAgain, "The run cannot take requests from its page at the moment.", next: "try again")
    package let runOver = FailureCode(
        "run-over", .failed, "The run no longer takes requests from its page.",
        next: "see whether it has ended")
    package let benchUnknown = FailureCode(
        "bench-unknown", .failed, "The page has no such bench with a current order.",
        next: "load the page again")
}

extension FailureCode { package static let page = PageCodes() }
