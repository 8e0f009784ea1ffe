import Bytes
import CMicrohttpd
import Glibc

struct ListeningSocket: Sendable {
    /// The socket's descriptor, which the server that gets it closes.
    let descriptor: Int32
    /// The port that it listens on; nil for a Unix socket.
    let port: Int?

    /// Listens on an address of this machine; port 0 for any that is free.
    init(host: String, port: Int) throws(HTTPFailure) {
        var hints = addrinfo()
        hints.ai_protocol = Int32(IPPROTO_TCP)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let first = found else {
            throw HTTPFailure(description: String(cString: gai_strerror(code)))
        }
        defer { freeaddrinfo(found) }
        var failure = HTTPFailure("socket", code: EADDRNOTAVAIL)
        for entry in sequence(first: first, next: { $0.pointee.ai_next }) {
            guard let address = entry.pointee.ai_addr else { continue }
            do throws(HTTPFailure) {
                descriptor = try Self.listen(entry.pointee.ai_family, address, entry.pointee.ai_addrlen)
            } catch {
                failure = error
                continue
            }
            self.port = Self.port(of: descriptor)
            return
        }
        throw failure
    }

    init(path: String) throws(HTTPFailure) {
        guard var address = sockaddr_un(path: path) else { throw HTTPFailure("bind", code: ENAMETOOLONG) }
        descriptor = try withGeneralAddress(&address) { address, length throws(HTTPFailure) in
            try Self.listen(AF_UNIX, address, length)
        }
        port = nil
    }

    private static func listen(
        _ family: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t
    ) throws(HTTPFailure) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw HTTPFailure("socket") }
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout.size(ofValue: yes)))
        guard bind(descriptor, address, length) == 0, Glibc.listen(descriptor, Int32(PageLimits.backlog)) == 0
        else {
            let failure = HTTPFailure("bind")
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    private static func port(of descriptor: Int32) -> Int? {
        var storage = sockaddr_storage()
        return withGeneralAddress(&storage) { address, length in
            guard getsockname(descriptor, address, &length) == 0 else { return nil }
            // sockaddr_in and sockaddr_in6 have the port at the same place.
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(UInt16(bigEndian: $0.pointee.sin_port))
            }
        }
    }
}

/// Calls `body` with `address` in the general form that system calls take, and its length.
func withGeneralAddress<Address, Value, Failure: Error>(
    _ address: inout Address,
    _ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) throws(Failure) -> Value
) throws(Failure) -> Value {
    var length = socklen_t(MemoryLayout<Address>.size)
    return try withUnsafeMutablePointer(to: &address) { pointer throws(Failure) in
        try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general throws(Failure) in
            try body(general, &length)
        }
    }
}

extension sockaddr_un {
    /// The address of the socket at `path`; nil if the path is too long.
    init?(path: String) {
        self.init()
        sun_family = sa_family_t(AF_UNIX)
        let bytes = PathText.bytes(of: path)
        guard bytes.count < MemoryLayout.size(ofValue: sun_path) else { return nil }
        withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: bytes) }
    }
}

/// Accepts the connections of one socket, as its plan allows.
final class HTTPListener {
    struct Arrival {
        let descriptor: Int32
        /// The key by which the connections of one client are counted.
        let client: String
        let address: sockaddr_storage
        let length: socklen_t
    }

    private static let pauseLength = Duration.milliseconds(100)

    let descriptor: Int32
    var plan: ConnectionPlan
    /// The connections by their numbers in the plan.
    var connections: [Int: HTTPConnection] = [:]
    /// When a stranger has to be closed for the next connection; nil while there is room.
    var alarm: Duration?
    /// Until when it accepts no connection, because descriptors or memory ran out; nil while it accepts them.
    var pause: Duration?

    init(_ socket: ListeningSocket, _ plan: ConnectionPlan) {
        (descriptor, self.plan) = (socket.descriptor, plan)
    }

    func accept(at now: Duration) -> Arrival? {
        while true {
            var storage = sockaddr_storage()
            let (new, length) = withGeneralAddress(&storage) { address, length in
                (http_accept(descriptor, address, &length), length)
            }
            if new >= 0 {
                let client = Self.client(&storage)
                return Arrival(descriptor: new, client: client, address: storage, length: length)
            }
            switch errno {
            case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                pause = now + Self.pauseLength
                return nil
            case EINTR, ECONNABORTED, EPROTO, EPERM: continue
            default: return nil
            }
        }
    }

    private static func client(_ storage: inout sockaddr_storage) -> String {
        let family = Int32(storage.ss_family)
        return withUnsafeBytes(of: &storage) { bytes in
            // Where sockaddr_in and sockaddr_in6 have the address.
            switch family {
            case AF_INET: bytes[4..<8].map(String.init).joined(separator: ".")
            case AF_INET6: ConnectionPlan.countingKey(ofIPv6: Array(bytes[8..<24]))
            default: "socket"
            }
        }
    }
}
