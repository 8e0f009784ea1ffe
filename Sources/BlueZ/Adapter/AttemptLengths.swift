public import Bluetooth
import Logging

/// How long the next attempt to connect may take. Each failed one doubles it, for a device that advertises rarely and
/// was not heard doing so.
struct AttemptLengths: Sendable {
    /// The limit for a device that was not heard to need more, with the kernel's default timeout.
    static let usual = Duration.seconds(4)
    /// The minimum of a first attempt while others wait.
    private static let shortest = Duration.milliseconds(1500)

    private(set) var limit = usual
    /// The limit while others wait. It exceeds the usual one only for a device that was heard to need it.
    private(set) var share = shortest

    init(for needed: AdvertisingPaces.ConnectionTime?) { respect(needed) }

    mutating func double(for needed: AdvertisingPaces.ConnectionTime?) {
        limit = min(limit * 2, AdvertisingPaces.longestConnectionTime)
        share = min(share * 2, max(Self.usual, share))
        respect(needed)
    }

    private mutating func respect(_ needed: AdvertisingPaces.ConnectionTime?) {
        guard let needed, needed.isLong else { return }
        limit = max(limit, needed.most)
        if needed.isConfirmed { share = max(share, needed.most) }
    }
}

extension KernelAdapter {
    func connectionTime(of peer: DeviceAddress) -> AdvertisingPaces.ConnectionTime? {
        listeners.paces.connectionTime(of: peer, at: time.now)
    }

    public func advertisingInterval(of peer: DeviceAddress) -> Duration? {
        listeners.paces.interval(of: peer)
    }

    /// Has the kernel not end an attempt of this length by itself; returns the length that is allowed, and what has to
    /// be restored after it.
    ///
    /// An attempt has to end before the kernel's own: Debian's 6.1 loses its list of channels when a socket is closed
    /// whose connection the kernel has given up (docs/decisions/0011). But a kernel that was told to wait does so even
    /// when the attempt has ended, and connects to nobody else meanwhile, so it waits no longer than this attempt may
    /// take. Only one program at a time connects with this controller, by the lock of docs/decisions/0021, so none finds
    /// another one's value, except for one that a killed run has left.
    func allowAttempt(of length: Duration) async -> (Duration, restoring: ConnectionTimeout?) {
        await uncancelled { [self] in
            do throws(ManagementError) {
                let before = try await management.ask(
                    .readDefaults, of: index, ConnectionTimeout.init(parsing:))
                let usual = before.isOurs ? .usual : before
                let wanted = length <= AttemptLengths.usual ? .usual : ConnectionTimeout(outlasting: length)
                guard before.isOurs || usual < wanted else { return (length, nil) }
                try await perform(.setDefault(wanted))
                return (length, usual == wanted ? nil : usual)
            } catch {
                log.debug("attempts to connect take at most \(AttemptLengths.usual): \(error)")
                return (min(length, AttemptLengths.usual), nil)
            }
        }
    }

    func restore(_ before: ConnectionTimeout) async {
        await uncancelled { [self] in _ = try? await perform(.setDefault(before)) }
    }
}
