/// Why a page cannot be served.
public struct BenchServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its stable code.
    public let code: String
    /// The cause in one line.
    public let message: String
    /// Advice for the user.
    public let nextStep: String

    init(_ code: String, _ message: String, next nextStep: String) {
        (self.code, self.message, self.nextStep) = (code, message, nextStep)
    }

    /// Code and cause.
    public var description: String { "\(code): \(message)" }

    static func insecureNetwork(_ host: String) -> BenchServerError {
        BenchServerError(
            "network-insecure", "\(host) is reachable from other machines, but there is no certificate",
            next: "give a certificate and its key, or permit an insecure page without sign-in and actions")
    }

    static func tls(_ error: any Error) -> BenchServerError {
        BenchServerError(
            "certificate-unusable", "the certificate or its key cannot be used: \(error)",
            next: "give both as PEM, the server's certificate first")
    }

    static func listening(_ place: String, _ error: any Error) -> BenchServerError {
        listening(place, "\(error)")
    }

    static func listening(_ place: String, _ reason: String) -> BenchServerError {
        BenchServerError(
            "listen-failed", "cannot listen on \(place): \(reason)", next: "choose another port or address"
        )
    }
}
