import CMicrohttpd
import Glibc

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
