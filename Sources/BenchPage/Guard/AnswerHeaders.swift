/// The headers that every answer has.
public enum AnswerHeaders {
    /// Names and values. There is none of CORS: no other page may read anything.
    public static let all: [(name: String, value: String)] =
        [
            (
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                    + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
            ),
            ("X-Content-Type-Options", "nosniff"), ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ]

    /// That of answers over TLS: for 30 days browsers ask this name by TLS only.
    public static let secure = (name: "Strict-Transport-Security", value: "max-age=2592000")
}
