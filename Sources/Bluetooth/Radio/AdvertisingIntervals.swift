import Synchronization

/// How rarely the devices nearby advertise, as far as an adapter's reports show, and how long a link to one may
/// therefore take.
///
/// A kernel connects in two steps: it listens until it has heard the device, then its controller waits for the
/// next advertisement (docs/decisions/0011). So a link may take two advertising intervals.
package struct AdvertisingIntervals: Sendable {
    package struct ConnectionTime: Equatable, Sendable {
        package let most: Duration
        /// Whether two reports confirm it. A device that was heard once may be one that advertises often, but was
        /// switched on late or is hardly in range.
        package let isConfirmed: Bool

        /// Whether the device advertises too rarely for the kernel's own timeout. Shorter estimates may come from an
        /// adapter that was busy, and ordinary limits are enough for them.
        package var isLong: Bool { most > AdvertisingIntervals.ordinary }

        /// The limit for a caller that allows `limit`. A caller with a short limit, such as a tray, has other devices
        /// to serve: its limit is extended only for a device whose interval is confirmed.
        package func extending(_ limit: Duration) -> Duration {
            isLong && (isConfirmed || limit > AdvertisingIntervals.shortLimit) ? max(limit, most) : limit
        }
    }

    private struct ReportTimes: Sendable {
        var last: Duration
        /// The shortest time between two reports; a time above `longest` counts as several equal intervals.
        var shortestGap: Duration?
        /// The longest time of uninterrupted listening without a report, which is part of one interval.
        var longestSilence: Duration?

        /// An upper estimate of the interval. After one report it is `longest`, since a device that starts advertises
        /// at once. The longest of several silences is in most cases longer than a quarter of the interval.
        var estimate: Duration {
            guard let shortestGap else { return AdvertisingIntervals.longest }
            return min(shortestGap, longestSilence.map { $0 * 4 } ?? AdvertisingIntervals.longest)
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
    /// The connection time for which the kernel's own timeout, 4 s, is enough: two intervals of 4.5 s and `allowance`.
    /// An estimate of 4.5 s may belong to a device that advertises once a second, since it can be four times too long.
    private static let ordinary = Duration.seconds(10)
    /// The time that a link takes besides the advertising intervals.
    private static let allowance = Duration.seconds(1)
    /// How long connecting to a device with the longest interval may take.
    package static let longestConnectionTime = longest * 2 + allowance

    private var reportTimes: [DeviceAddress: ReportTimes] = [:]

    package init() {}

    /// Notes a report that arrived at `moment`. The adapter has listened without a break since `begin`; nil if unknown.
    package mutating func hear(_ peer: DeviceAddress, at moment: Duration, since begin: Duration?) {
        guard var times = reportTimes[peer] else {
            if reportTimes.count >= SightingMemory.most {
                reportTimes = reportTimes.filter { $0.value.last >= moment - Self.memory }
            }
            guard reportTimes.count < SightingMemory.most else { return }
            reportTimes[peer] = ReportTimes(last: moment, longestSilence: begin.map { moment - $0 })
            return
        }
        let gap = moment - times.last
        guard gap >= Self.sameEvent else { return }
        // A gap above `longest` is at least two intervals.
        let interval = gap / (gap / Self.longest).rounded(.up)
        times.shortestGap = min(interval, times.shortestGap ?? interval)
        if let begin {
            times.longestSilence = max(moment - max(begin, times.last), times.longestSilence ?? .zero)
        }
        times.last = moment
        reportTimes[peer] = times
    }

    /// Notes that each device whose last report is older than `begin` was silent from `begin` to `end`.
    package mutating func noteSilence(from begin: Duration, to end: Duration) {
        for peer in reportTimes.keys {
            guard let times = reportTimes[peer], times.last < begin else { continue }
            reportTimes[peer]?.longestSilence = max(end - begin, times.longestSilence ?? .zero)
        }
    }

    /// Forgets the interval of `peer`: after a restart its program may have another one.
    package mutating func forget(_ peer: DeviceAddress) { reportTimes[peer] = nil }

    /// How long connecting to `peer` may take; nil if it was not heard in the last 30 s.
    package func connectionTime(of peer: DeviceAddress, at now: Duration) -> ConnectionTime? {
        guard let times = reportTimes[peer], now - times.last <= Self.memory else { return nil }
        return ConnectionTime(
            most: times.estimate * 2 + Self.allowance, isConfirmed: times.shortestGap != nil)
    }

    package func interval(of peer: DeviceAddress) -> Duration? {
        guard let times = reportTimes[peer], let gap = times.shortestGap, gap == times.estimate else {
            return nil
        }
        return gap
    }
}

/// The time that a listener has waited for its adapter, which was away or starting to listen. Silence during it
/// tells nothing about a beacon.
public final class ListeningGaps: Sendable {
    /// How often a search starts to scan. An adapter is rarely plugged in more often within one search. The limit ends
    /// a search on an adapter whose scope has ended: its reports end at once every time.
    package static let mostScans = 8

    private let gaps = Mutex(Stopwatch())
    private let time: Timekeeper

    public init(of adapter: some Adapter) { time = adapter.time }

    /// Added to the total while a gap is in progress: a caller whose deadline includes the total then checks it only
    /// once per step.
    private static let step = Duration.milliseconds(100)

    /// The total length of the gaps so far, plus a step while one is in progress.
    public var total: Duration {
        gaps.withLock { $0.length(at: time.now) + ($0.isRunning ? Self.step : .zero) }
    }

    /// The reports of `adapter` once it is available; throws if it does not return.
    public func reports(from adapter: some Adapter) async throws(AdapterError) -> AsyncStream<Advertisement> {
        gaps.withLock { $0.begin(at: time.now) }
        defer { gaps.withLock { $0.end(at: time.now) } }
        return try await adapter.advertisements()
    }
}
