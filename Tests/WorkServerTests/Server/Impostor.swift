import Bluetooth
import Foundation

/// A server at a port that sends every client the same bytes.
final class Impostor: Sendable {
    struct Failure: Error {}
    private let listener: Int32
    let port: Int

    init(_ answer: [UInt8]) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isListening else { throw Failure() }
        self.listener = listener
        port = Int(UInt16(bigEndian: address.sin_port))
        try DetachedThread.start {
            while true {
                let caller = accept(listener, nil, nil)
                guard caller >= 0 else { return }
                var request = [UInt8](repeating: 0, count: 1024)
                _ = recv(caller, &request, request.count, 0)
                _ = send(caller, answer, answer.count, Int32(MSG_NOSIGNAL))
                // It keeps the connection: a client that waits for more has a deadline.
            }
        }
    }

    func close() { shutdown(listener, Int32(SHUT_RDWR)) }
}
