/// How rarely the devices nearby advertise, as far as an adapter's reports tell, and how long a link to one may
/// therefore take.
///
/// A kernel connects in two steps: it listens until it has heard the device, then its controller waits for the
/// next advertisement (docs/decisions/0011). So a link may take two advertising intervals.
package struct AdvertisingPaces: Sendable {
    package struct ConnectionTime: Equatable, Sendable {
        package let most: Duration
        /// Whether two reports confirm it. A device that was heard once may be one that advertises often, but was
        /// switched on late or is hardly in range.
        package let isConfirmed: Bool

        /// Whether the device advertises more rarely than a kernel waits for by itself. Shorter estimates may come
        /// from an adapter that was busy, and ordinary limits are enough for them.
        package var isLong: Bool { most > AdvertisingPaces.ordinary }

        /// The limit for a caller that gives `limit`. One that gives little has others to serve, as a tray has: it
        /// waits longer only for a device whose interval is confirmed.
        package func extending(_ limit: Duration) -> Duration {
            isLong && (isConfirmed || limit > AdvertisingPaces.shortLimit) ? max(limit, most) : limit
        }
    }

    private struct Pace: Sendable {
        var last: Duration
        /// The longest interval of which the times between reports are multiples, as far as one alone tells.
        var shortestGap: Duration?
        /// The longest time without interruption and without a report, which is part of an interval.
        var longestSilence: Duration?

        /// An upper estimate of the interval. One report tells nothing: a device that starts advertises at once. Of
        /// several silences, the longest is in most cases longer than a quarter of it.
        var estimate: Duration {
            guard let shortestGap else { return AdvertisingPaces.longest }
            return min(shortestGap, longestSilence.map { $0 * 4 } ?? AdvertisingPaces.longest)
        }
    }

    /// The longest interval of connectable advertisements, with the random delay: 10.24 s and 10 ms (Vol 6, Part B,
    /// 4.4.2.2.1).
    private static let longest = Duration.milliseconds(10_250)
    /// Reports closer together are one event: an advertisement and its scan response.
    private static let sameEvent = Duration.milliseconds(15)
    /// How long the last report of a device counts: nothing is heard during a link.
    private static let memory = Duration.seconds(30)
    private static let shortLimit = Duration.seconds(5)
    /// Two intervals of a device that a kernel still connects to by itself, with its timeout of 4 s: 4.5 s each, since
    /// the estimate for one that advertises once a second can be four times too long.
    private static let ordinary = Duration.seconds(10)
    /// The time that a link takes besides the advertising intervals.
    private static let allowance = Duration.seconds(1)
    /// How long a link to a device that advertises most rarely may take.
    package static let longestConnectionTime = longest * 2 + allowance

    private var paces: [DeviceAddress: Pace] = [:]

    package init() {}

    /// Notes a report that arrived at `moment`. Since `begin` the adapter would have reported it; nil if that is not known.
    package mutating func hear(_ peer: DeviceAddress, at moment: Duration, since begin: Duration?) {
        guard var pace = paces[peer] else {
            if paces.count >= SightingMemory.most {
                paces = paces.filter { $0.value.last >= moment - Self.memory }
            }
            guard paces.count < SightingMemory.most else { return }
            paces[peer] = Pace(last: moment, longestSilence: begin.map { moment - $0 })
            return
        }
        let gap = moment - pace.last
        guard gap >= Self.sameEvent else { return }
        // A longer one is at least two intervals.
        let interval = gap / (gap / Self.longest).rounded(.up)
        pace.shortestGap = min(interval, pace.shortestGap ?? interval)
        if let begin {
            pace.longestSilence = max(moment - max(begin, pace.last), pace.longestSilence ?? .zero)
        }
        pace.last = moment
        paces[peer] = pace
    }

    /// Notes that what was not heard from `begin` to `end` was silent.
    package mutating func noteSilence(from begin: Duration, to end: Duration) {
        for peer in paces.keys {
            guard let pace = paces[peer], pace.last < begin else { continue }
            paces[peer]?.longestSilence = max(end - begin, pace.longestSilence ?? .zero)
        }
    }

    /// Another program of the device may advertise at another pace.
    package mutating func forget(_ peer: DeviceAddress) { paces[peer] = nil }

    /// How long a link to `peer` may take; nil if it was not heard lately.
    package func connectionTime(of peer: DeviceAddress, at now: Duration) -> ConnectionTime? {
        guard let pace = paces[peer], now - pace.last <= Self.memory else { return nil }
        return ConnectionTime(most: pace.estimate * 2 + Self.allowance, isConfirmed: pace.shortestGap != nil)
    }

    package func interval(of peer: DeviceAddress) -> Duration? {
        guard let pace = paces[peer], let gap = pace.shortestGap, gap == pace.estimate else { return nil }
        return gap
    }
}
