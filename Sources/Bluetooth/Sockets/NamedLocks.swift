import Glibc
import Synchronization

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
