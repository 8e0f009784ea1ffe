import Bytes
import CLinux
import Glibc
import Synchronization

/// A name that one program of this machine holds at a time, whichever user runs it: a listening socket of that
/// name in the abstract namespace (unix(7)).
///
/// The kernel frees the name when the descriptor closes, even if the process is killed, so nothing is left over. It
/// knows the listening process, and disconnects connected peers when the name becomes free (docs/decisions/0021).
public final class NamedLock: Sendable {
    /// The program that holds a name.
    public struct Owner: Error, Hashable, Sendable {
        /// The process id; nil if the kernel does not report it.
        public let process: Int32?
        /// The printable ASCII characters of the process name; nil if there are none.
        public let program: String?
    }

    enum Attempt: Sendable {
        case done(NamedLock)
        /// Another program has the name; `link` is disconnected when the name becomes free, nil without a connection.
        case taken(Owner, link: OwnedDescriptor?)
    }

    /// Not private: tests copy it.
    let socket: OwnedDescriptor

    private init(_ socket: OwnedDescriptor) { self.socket = socket }

    /// Stops listening. A child that is being started has copies of all descriptors until its exec, and with them the
    /// name; until then, programs that want the name find no listener, so they do not take us for its owner.
    deinit { _ = shutdown(socket.number, Int32(SHUT_RDWR)) }

    /// Takes the name, if it is free.
    static func attempt(_ name: String) throws(SocketError) -> Attempt {
        let socket = try OwnedDescriptor.packetSocket()
        if call(socket, name, bind) == 0 {
            guard listen(socket.number, mostWaiting) == 0 else {
                throw SocketError(call: "listen", errno: errno)
            }
            return .done(NamedLock(socket))
        }
        guard errno == EADDRINUSE else { throw SocketError(call: "bind", errno: errno) }
        let link = try OwnedDescriptor.packetSocket()
        // Refused if the name has just become free or is about to, or if its owner does not listen yet.
        guard call(link, name, connect) == 0 else {
            return .taken(Owner(process: nil, program: nil), link: nil)
        }
        let process = peer_process(link.number)
        return .taken(Owner(process: process), link: link)
    }

    /// Takes the name; throws its owner. Nil if the machine does not support such sockets.
    public static func take(_ name: String) throws(Owner) -> NamedLock? {
        try take(name, pause: pauseBetweenAttempts)
    }

    static func pauseBetweenAttempts() { usleep(1_000) }

    /// Like ``take(_:)``, with a given `pause` between two attempts at a name without a listener.
    static func take(_ name: String, pause: () -> Void) throws(Owner) -> NamedLock? {
        for _ in 0..<mostAttempts {
            switch try? attempt(name) {
            case .done(let lock)?: return lock
            case .taken(let owner, link: .some)?: throw owner
            case .taken(_, link: nil)?: pause()
            case nil: return nil
            }
        }
        throw Owner(process: nil, program: nil)
    }

    /// Waits at most `limit` for the name, then throws its owner.
    ///
    /// Nil if the machine does not support such sockets: the lock is advisory, and nothing fails without it.
    public static func take(
        _ name: String, within limit: Duration, by time: Timekeeper, readiness: any DescriptorReadiness
    ) async throws(Owner) -> NamedLock? {
        let deadline = time.now + limit
        while !Task.isCancelled {
            guard let attempt = try? attempt(name) else { return nil }
            guard case .taken(let owner, let link) = attempt else {
                if case .done(let lock) = attempt { return lock }
                continue
            }
            let left = deadline - time.now
            guard left > .zero else { throw owner }
            if let link {
                _ = try? await time.within(left) { await readiness.wait(for: .readable, of: link.number) }
            } else {
                sched_yield()
                try? await time.sleep(for: min(left, pause))
            }
        }
        return nil
    }

    /// How many programs may wait for one name; further ones get no link, and retry after each `pause`.
    private static let mostWaiting: Int32 = 1024
    /// The time between two attempts at a name without a link.
    private static let pause = Duration.milliseconds(20)
    /// A name without a listener was taken some microseconds ago, or was freed while a program is being
    /// started: that program has a copy of the descriptor until it executes, on a busy machine for some
    /// hundredths of a second. With the pauses, the attempts take about one second.
    private static let mostAttempts = 1_000

    /// Calls `body` with the abstract address of `name`, which begins with a zero byte and has no file.
    private static func call(
        _ socket: OwnedDescriptor, _ name: String,
        _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8.prefix(MemoryLayout.size(ofValue: address.sun_path) - 1))
        withUnsafeMutableBytes(of: &address.sun_path) { $0[1...].copyBytes(from: bytes) }
        let length = MemoryLayout<sockaddr_un>.offset(of: \.sun_path).map { $0 + 1 + bytes.count } ?? 0
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(socket.number, $0, socklen_t(length))
            }
        }
    }
}

extension NamedLock.Owner: CustomStringConvertible {
    init(process: Int32) {
        guard process > 0 else {
            self.init(process: nil, program: nil)
            return
        }
        self.init(process: process, program: Self.name(of: process))
    }

    /// The printable part of the process's name, which the process chooses itself, of at most 15 bytes (proc(5)).
    private static func name(of process: Int32) -> String? {
        let bytes = FileBytes.contents(of: "/proc/\(process)/comm", atMost: 64) ?? []
        let plain = bytes.filter { (0x20...0x7E).contains($0) }
        return plain.isEmpty ? nil : String(decoding: plain, as: UTF8.self)
    }

    /// `beacon-dfu (process 4711)`.
    public var description: String {
        switch (program, process) {
        case (let program?, let process?): "\(program) (process \(process))"
        case (nil, let process?): "process \(process)"
        default: "another program"
        }
    }
}

extension OwnedDescriptor {
    fileprivate static func packetSocket() throws(SocketError) -> OwnedDescriptor {
        let number = socket(AF_UNIX, packet_socket_type, 0)
        guard number >= 0 else { throw SocketError(call: "socket", errno: errno) }
        return OwnedDescriptor(number)
    }
}

/// The names that this process holds: each is taken once for all its users in the process, and freed with the
/// last of them.
public final class NamedLocks: Sendable {
    public final class Share: Sendable {
        private let end: @Sendable () -> Void
        init(_ end: @escaping @Sendable () -> Void) { self.end = end }
        deinit { end() }
    }

    /// Names that all copies of this program on a machine share.
    public static let machine = NamedLocks(prefix: "beacon-dfu/")

    /// Names that nothing else shares, not even the names of another call of this function.
    public static func unshared() -> NamedLocks {
        NamedLocks(
            prefix:
                "beacon-dfu-apart/\(getpid())/\(lastUnshared.wrappingAdd(1, ordering: .relaxed).newValue)/")
    }

    private static let lastUnshared = Atomic<UInt64>(0)

    /// The prefix of each name in the kernel's list, for `ss -xl`.
    public let prefix: String
    private let held = Mutex<[String: (lock: NamedLock?, shares: Int)]>([:])

    public init(prefix: String) { self.prefix = prefix }

    /// A share in `name`; throws the other program that has it.
    public func share(in name: String) throws(NamedLock.Owner) -> Share {
        try held.withLock { (held) throws(NamedLock.Owner) in
            if held[name] != nil {
                held[name]?.shares += 1
            } else {
                held[name] = (try NamedLock.take(prefix + name), 1)
            }
        }
        return Share { [self] in release(name) }
    }

    private func release(_ name: String) {
        held.withLock { held in
            guard let entry = held[name], entry.shares > 1 else {
                held[name] = nil
                return
            }
            held[name]?.shares -= 1
        }
    }
}
