import Tray
package import UpdateModel

/// Where a page is served, and its access.
package struct BenchServerOptions: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// On 127.0.0.1 and ::1; port 0 for any that is free.
        case loopback(port: Int)
        /// On an address that other machines can reach.
        case network(host: String, port: Int)
        /// On a Unix socket that only its owner can use.
        case socket(path: String)
    }

    package struct TLS: Hashable, Sendable {
        /// The path of the certificate in PEM, followed by its chain, and the path of its key.
        package var certificate: String
        package var key: String

        package init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
    }

    package var place: Place
    package var tls: TLS?
    /// Accepted host names, in addition to those of the loopback and the address itself.
    package var names: [String] = []
    /// Whether to serve on a network without TLS. The page is then visible without sign-in, and without actions.
    package var isInsecureNetworkAllowed = false
    /// Whether the page is a wall screen: visible without sign-in, without actions.
    package var isWall = false

    /// Whether to use any free port if the requested one is taken.
    package var takesAnyPort = false
    /// The token of a program that reads only metrics; nil for none.
    package var metricsToken: String?

    package init(_ place: Place) { self.place = place }

    func access() throws(BenchServerError) -> (isWall: Bool, hosts: HostRule) {
        guard case .network(let host, _) = place else {
            return (isWall, HostRule(names: names, isSecure: tls != nil))
        }
        guard tls != nil || isInsecureNetworkAllowed else { throw .insecureNetwork(host) }
        let shown = host.contains(":") ? "[\(host)]" : host
        let own = host == "0.0.0.0" || host == "::" ? [] : [shown]
        return (isWall || tls == nil, HostRule(names: names + own, isSecure: tls != nil))
    }
}

package struct BenchServerError: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: FailureCode
    package let message: String
    package let nextStep: String

    init(_ code: FailureCode, _ message: String, next nextStep: String) {
        (self.code, self.message, self.nextStep) = (code, message, nextStep)
    }

    package var description: String { "\(code): \(message)" }

    static func insecureNetwork(_ host: String) -> BenchServerError {
        BenchServerError(
            .station.networkInsecure, "\(host) is reachable from other machines, but there is no certificate",
            next: "give a certificate and its key, or permit an insecure page without sign-in and actions")
    }

    static func tls(_ error: any Error) -> BenchServerError {
        BenchServerError(
            .station.certificateUnusable, "the certificate or its key cannot be used: \(error)",
            next: "give both as PEM, the server's certificate first")
    }

    static func listening(_ place: String, _ reason: String) -> BenchServerError {
        BenchServerError(
            .station.listenFailed, "cannot listen on \(place): \(reason)",
            next: "choose another port or address")
    }
}

package struct ServedPage: Hashable, Sendable {
    /// Its addresses, without a token.
    package let addresses: [String]
    package let isWall: Bool
    package let socket: String?

    /// The sign-in for `token`: a link whose fragment stays in the browser; for a socket, which browsers cannot open
    /// directly, the code alone. Nil without sign-in.
    package func link(signingInWith token: String) -> String? {
        isWall ? nil : socket != nil ? token : addresses.first.map { $0 + "#token=" + token }
    }
}
