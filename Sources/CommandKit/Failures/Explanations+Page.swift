extension Explanation {
    /// Refusals that the page of benches sends to a browser or a program (docs/formats/bench-page.md).
    package static let page = [
        Explanation(
            "host-unknown", .failed,
            "The page was requested under a name that is not its own. Another site can point its own name at "
                + "this machine, so other names are refused.",
            next: "open the address that the program printed, or give the name with `view --name`"),
        Explanation(
            "origin-foreign", .failed,
            "The request came from another page, which may neither read nor act here.",
            next: "work on the page itself"),
        Explanation(
            "csrf-missing", .failed,
            "The request lacks the session's X-CSRF-Token.",
            next: "load the page again; a program repeats the `csrf` that GET /session answers"),
        Explanation(
            "not-json", .failed, "The body of a request to the page is not application/json.",
            next: "send JSON, with its Content-Type"),
        Explanation(
            "session-missing", .noPermission,
            "This browser is not signed in, or its session is over.",
            next: "type the code that the program printed"),
        Explanation(
            "token-wrong", .noPermission,
            "The code for the page is wrong or was used before: each works once.",
            next: "type the code that the program shows now"),
        Explanation(
            "tries-many", .tryAgain,
            "Too many wrong codes were typed within a minute. A right code still works.",
            next: "type the code that the program shows now"),
        Explanation(
            "role-missing", .noPermission, "The code used to sign in does not allow this.",
            next: "have a person sign in with the code of the role that the message names"),
        Explanation(
            "watching-only", .failed,
            "The page is read-only: it is a wall display, a past run, or `view --bench`.",
            next: "work at the bench itself, or at the page of its run (`--view`)"),
        Explanation(
            "body-large", .failed, "The body of a request to the page has more than 64 KiB.",
            next: "send less"),
        Explanation(
            "request-malformed", .failed,
            "The page does not understand the request.",
            next: "see the reason in the message, and docs/formats/bench-page.md"),
        Explanation(
            "request-slow", .tryAgain,
            "The body of a request to the page did not arrive in time.",
            next: "send it again"),
        Explanation(
            "method-unknown", .failed,
            "The page has this address, but the request's method does nothing there.",
            next: "see the header Allow, and docs/formats/bench-page.md"),
        Explanation("not-found", .failed, "The page has no such address.", next: "open /"),
        Explanation(
            "hold-changed", .failed,
            "The hold that was to be released has ended, or was replaced by another.",
            next: "check why the bench is held now"),
        Explanation(
            "streams-many", .tryAgain,
            "The maximum number of pages is open, in total or in one browser.",
            next: "close one, here or elsewhere"),
        Explanation(
            "key-reused", .failed,
            "The Idempotency-Key was already used for another request, or by another person.",
            next: "make a new key for each request"),
        Explanation(
            "key-busy", .tryAgain,
            "The same request is in progress.", next: "wait for its answer"),
        Explanation(
            "source-silent", .tryAgain,
            "The bench or the work server did not answer the page in time.",
            next: "look at the bench; the same request can be sent again with its key"),
        Explanation(
            "run-busy", .tryAgain,
            "The run cannot take requests from its page at the moment.",
            next: "try again"),
        Explanation(
            "run-over", .failed,
            "The run no longer takes requests from its page.",
            next: "see whether it has ended"),
        Explanation(
            "bench-unknown", .failed,
            "The page has no such bench with a current order.",
            next: "load the page again"),
    ]
}
