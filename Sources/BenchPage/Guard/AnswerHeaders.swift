/// The headers of every answer.
public enum AnswerHeaders {
    /// Names and values. There are no CORS headers: no other page may read anything.
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

    /// The header of answers over TLS: for 30 days browsers use only TLS for this name.
    public static let secure = (name: "Strict-Transport-Security", value: "max-age=2592000")
}
