extension Explanation {
    /// What the page of benches answers to a browser or a program. (docs/formats/bench-page.md)
    static let page = [
        Explanation(
            "host-unknown", .failed,
            "The page was asked for by a name that is not its own. Somebody else's site can point its own name at this machine, so other names are refused.",
            next: "open the address that the program has printed, or give the name with `view --name`"),
        Explanation(
            "origin-foreign", .failed,
            "The request came from another page, which may neither read nor act here.",
            next: "work on the page itself"),
        Explanation(
            "csrf-missing", .failed, "The request does not show the session's X-CSRF-Token.",
            next: "load the page again; a program repeats the `csrf` that GET /session answers"),
        Explanation(
            "not-json", .failed, "The body of a request to the page is not application/json.",
            next: "send JSON, with its Content-Type"),
        Explanation(
            "session-missing", .noPermission,
            "Nobody has signed in over this browser, or the session is over.",
            next: "type the code that the program has printed"),
        Explanation(
            "token-wrong", .noPermission,
            "The code for the page is wrong or was used before: each is good once.",
            next: "type the code that the program shows now"),
        Explanation(
            "tries-many", .tryAgain,
            "Too many wrong codes were typed within a minute. A right one is good all the same.",
            next: "type the code that the program shows now"),
        Explanation(
            "role-missing", .noPermission, "The code used to sign in does not allow this.",
            next: "have a person sign in with the code of the role that the message names"),
        Explanation(
            "watching-only", .failed,
            "The page only shows what goes on: it is a wall's, a past run's, or `view --bench`.",
            next: "work at the bench itself, or at the page of its run (`--view`)"),
        Explanation(
            "body-large", .failed, "The body of a request to the page has more than 64 KiB.",
            next: "send less"),
        Explanation(
            "request-malformed", .failed, "The page does not understand the request.",
            next: "read why in the message, and docs/formats/bench-page.md"),
        Explanation(
            "request-slow", .tryAgain, "The body of a request to the page did not come in time.",
            next: "send it again"),
        Explanation(
            "method-unknown", .failed,
            "The page has this address, and nothing that the request's method could do there.",
            next: "see the header Allow, and docs/formats/bench-page.md"),
        Explanation("not-found", .failed, "The page has no such address.", next: "open /"),
        Explanation(
            "hold-changed", .failed,
            "The hold that was to be released has ended, or another has taken its place.",
            next: "look at why the bench is held now"),
        Explanation(
            "streams-many", .tryAgain, "As many pages are open as there may be, in all or in one browser.",
            next: "close one, here or elsewhere"),
        Explanation(
            "key-reused", .failed,
            "The Idempotency-Key was already used for another request, or by somebody else.",
            next: "make a new key for each wish"),
        Explanation(
            "key-busy", .tryAgain, "The same wish is under way.", next: "wait for its answer"),
        Explanation(
            "source-silent", .tryAgain, "The bench or the engine has not answered the page in time.",
            next: "look at the bench; the same wish can be sent again with its key"),
        Explanation(
            "run-busy", .tryAgain, "The run does not take what people want at its page just now.",
            next: "try again"),
        Explanation(
            "run-over", .failed, "The run does not take what people want at its page any more.",
            next: "see whether it has ended"),
        Explanation(
            "bench-unknown", .failed, "The page shows no such bench with an order now.",
            next: "load the page again"),
    ]
}
