public import Bluetooth
import Logging

/// How long the next attempt to connect may take. Each failed attempt doubles it, since the device may advertise
/// rarely even if that was not heard.
struct AttemptLengths: Sendable {
    /// The limit for a device that is not known to need more, with the kernel's default timeout.
    static let usual = Duration.seconds(4)
    /// The limit of a first attempt while other requests wait.
    private static let shortest = Duration.milliseconds(1500)

    private(set) var limit = usual
    /// The limit while other requests wait. It exceeds `usual` only for a device that is known to need more.
    private(set) var share = shortest

    init(for needed: AdvertisingIntervals.ConnectionTime?) { allow(needed) }

    mutating func lengthen(for needed: AdvertisingIntervals.ConnectionTime?) {
        limit = min(limit * 2, AdvertisingIntervals.longestConnectionTime)
        share = min(share * 2, max(Self.usual, share))
        allow(needed)
    }

    private mutating func allow(_ needed: AdvertisingIntervals.ConnectionTime?) {
        guard let needed, needed.isLong else { return }
        limit = max(limit, needed.most)
        if needed.isConfirmed { share = max(share, needed.most) }
    }
}

extension KernelAdapter {
    func connectionTime(of peer: DeviceAddress) -> AdvertisingIntervals.ConnectionTime? {
        listeners.intervals.connectionTime(of: peer, at: time.now)
    }

    public func advertisingInterval(of peer: DeviceAddress) -> Duration? {
        listeners.intervals.interval(of: peer)
    }

    /// Sets the kernel's own timeout so that it outlasts an attempt of this length. Returns the length that is allowed,
    /// and the timeout to restore after the attempt; nil if there is none to restore.
    ///
    /// An attempt has to end before the kernel's timeout: Debian's 6.1 loses its list of channels when a socket is
    /// closed whose connection the kernel has given up (docs/decisions/0011). But the kernel waits until its timeout
    /// even if the attempt has ended, and makes no other connection meanwhile, so the timeout is hardly longer than the
    /// attempt. The lock of docs/decisions/0021 lets one program at a time connect with this controller, so a timeout
    /// of ours that is found here was left by a killed run.
    func raiseKernelTimeout(forAttemptOf length: Duration) async -> (Duration, restoring: ConnectionTimeout?)
    {
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
