import BenchPage
import NIOSSL

/// Where a page is served, and how open it is.
public struct BenchServerOptions: Hashable, Sendable {
    /// Where it listens.
    public enum Place: Hashable, Sendable {
        /// On 127.0.0.1 and ::1; port 0 for any that is free.
        case loopback(port: Int)
        /// On an address that others reach.
        case network(host: String, port: Int)
        /// On a socket of the file system, which only its owner can use.
        case socket(path: String)
    }

    /// Files for TLS, in PEM.
    public struct TLS: Hashable, Sendable {
        /// The certificate, with those that lead to its root.
        public var certificate: String
        /// Its key.
        public var key: String

        /// Files as named.
        public init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }

        /// With forward secrecy only: who records today and gets the key tomorrow reads nothing. TLS 1.3 has no other ciphers.
        var configuration: TLSConfiguration {
            get throws(BenchServerError) {
                do {
                    let chain = try NIOSSLCertificate.fromPEMFile(certificate)
                    let own = try NIOSSLPrivateKey(file: key, format: .pem)
                    var configuration = TLSConfiguration.makeServerConfiguration(
                        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(own))
                    configuration.minimumTLSVersion = .tlsv12
                    configuration.cipherSuiteValues = Self.ciphers
                    _ = try NIOSSLContext(configuration: configuration)
                    return configuration
                } catch {
                    throw .tls(error)
                }
            }
        }

        /// Of TLS 1.2.
        private static let ciphers: [NIOTLSCipher] = [
            .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
            .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
            .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
        ]
    }

    /// Where it listens.
    public var place: Place
    /// For TLS; nil for none.
    public var tls: TLS?
    /// Names by which it may be asked, beside those of the loopback and the address itself.
    public var names: [String] = []
    /// Whether a network without TLS will do. Whoever reaches the page looks then, and nobody acts.
    public var isInsecureNetworkAllowed = false
    /// Whether nobody acts, and anybody who reaches the page looks: a screen on the wall.
    public var isWall = false

    /// Whether any free port will do where the one that was asked for is taken.
    public var takesAnyPort = false
    /// What a program shows that reads figures and nothing else; nil for no such program.
    public var metricsToken: String?

    /// A page at `place`.
    public init(_ place: Place) { self.place = place }

    /// How open the page is, and by which names it is asked.
    func access() throws(BenchServerError) -> (mode: PageAccess.Mode, hosts: HostRule) {
        guard case .network(let host, _) = place else {
            return (isWall ? .wall : .signedIn, HostRule(names: names, isSecure: tls != nil))
        }
        guard tls != nil || isInsecureNetworkAllowed else { throw .insecureNetwork(host) }
        let shown = host.contains(":") ? "[\(host)]" : host
        let own = host == "0.0.0.0" || host == "::" ? [] : [shown]
        return (isWall || tls == nil ? .wall : .signedIn, HostRule(names: names + own, isSecure: tls != nil))
    }
}
