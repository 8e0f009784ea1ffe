/// All reports of one device combined, advertisements and scan responses.
public struct Sighting: Equatable, Sendable {
    public let address: DeviceAddress
    /// When the first report arrived, by the adapter's clock.
    public let firstSeen: Duration
    public private(set) var lastSeen: Duration
    public private(set) var reports = 0
    public private(set) var strength = SignalStrength()
    /// Whether the device is connectable; nil until a report says so.
    public private(set) var isConnectable: Bool?
    public private(set) var data = AdvertisingData()
    /// The packets of the latest report that names them; nil until then.
    public private(set) var packets: AdvertisingPackets?
    /// Whether a separate scan response was heard.
    public private(set) var hasScanResponse = false
    private var arrivals: IntervalEstimate?

    /// A name may be in the scan response only, and among many beacons a scanner's requests and the responses
    /// are often lost. A device without a name this long after it was first heard is assumed to have none.
    public static let nameTimeout = Duration.seconds(5)

    /// The first report of a device, at `moment`. `isComplete`: the adapter reports every advertisement, so
    /// that the time between two is meaningful.
    public init(_ report: Advertisement, at moment: Duration, isComplete: Bool = false) {
        address = report.address
        arrivals = isComplete ? IntervalEstimate() : nil
        firstSeen = moment
        lastSeen = moment
        add(report, at: moment)
    }

    public mutating func add(_ report: Advertisement, at moment: Duration) {
        lastSeen = moment
        reports += 1
        strength.add(report.rssi)
        hasScanResponse = hasScanResponse || report.isConnectable == nil
        isConnectable = Advertisement.merged(connectable: isConnectable, report.isConnectable)
        data = data.merged(with: report.data)
        packets = report.packets ?? packets
        arrivals?.add(at: moment)
    }

    public var advertisingInterval: Duration? { arrivals?.value }

    /// Whether the device may have a name that was not heard yet: no scan response, and less than `nameTimeout` so far.
    public var mayHaveName: Bool {
        data.name == nil && !hasScanResponse && lastSeen - firstSeen < Self.nameTimeout
    }

    /// The sighting as a single report.
    public var report: Advertisement {
        Advertisement(
            address: address, rssi: strength.last, isConnectable: isConnectable, data: data, packets: packets)
    }
}

/// The received signal strength of a device, in dBm.
public struct SignalStrength: Hashable, Sendable {
    public private(set) var last: Int8?
    public private(set) var maximum: Int8?
    private var sum = 0
    private var count = 0

    public init() {}

    public mutating func add(_ rssi: Int8?) {
        guard let rssi else { return }
        last = rssi
        maximum = max(maximum ?? rssi, rssi)
        sum += Int(rssi)
        count += 1
    }

    /// The mean of the dBm values; nil when no report has one.
    public var average: Double? { count > 0 ? Double(sum) / Double(count) : nil }
}

/// How often a device advertises, estimated from the times of its reports.
///
/// The gaps between reports are multiples of the interval, because some reports are missed. A short gap is the
/// first guess. Each gap is divided by the nearest number of guessed intervals; the median of the results is the
/// estimate. If too many gaps are no multiples of it, there is no estimate.
///
/// It works only on an adapter that reports every advertisement. The estimate includes the random delay of 0 to
/// 10 ms that every advertising event has (Vol 6, Part B, 4.4.2.2.1).
struct IntervalEstimate: Hashable, Sendable {
    /// Reports closer together are one event: the advertisement, its scan response, the other channels. Two events are
    /// at least 20 ms apart.
    private static let sameEvent = Duration.milliseconds(15)
    private static let fewestGaps = 5
    private static let mostGaps = 64
    /// A gap of more intervals than this tells nothing: any length is near some multiple of a short interval.
    private static let mostMissed = 8.0
    /// How far a gap may be from a multiple, in intervals, in addition to the random delay.
    private static let tolerance = 0.15
    private static let randomDelay = Duration.milliseconds(10)

    private var gaps: [Duration] = []
    private var last: Duration?

    mutating func add(at moment: Duration) {
        guard let before = last else { return last = moment }
        guard moment - before >= Self.sameEvent else { return }
        last = moment
        gaps.append(moment - before)
        if gaps.count > Self.mostGaps { gaps.removeFirst() }
    }

    /// The time from one advertising event to the next; nil if it cannot be estimated.
    var value: Duration? {
        guard gaps.count >= Self.fewestGaps else { return nil }
        let sorted = gaps.sorted()
        let guess = refined(refined(sorted[sorted.count / 4]))
        let near = gaps.filter { gap in
            let count = multiple(of: guess, in: gap)
            let miss = gap - guess * count
            let isNear = max(miss, .zero - miss) <= max(guess * Self.tolerance, Self.randomDelay)
            return count >= 1 && count <= Self.mostMissed && isNear
        }
        guard near.count * 5 >= gaps.count * 4 else { return nil }
        return guess
    }

    private func refined(_ guess: Duration) -> Duration {
        let shares = gaps.compactMap { gap -> Duration? in
            let count = multiple(of: guess, in: gap)
            return count >= 1 && count <= Self.mostMissed ? gap / count : nil
        }
        return shares.isEmpty ? guess : shares.sorted()[shares.count / 2]
    }

    private func multiple(of interval: Duration, in gap: Duration) -> Double {
        max(1, (gap / interval).rounded())
    }
}

/// The devices that were heard, by address. It is bounded, so that changing or forged addresses do not fill
/// memory: the device that was silent for the longest time is removed first.
public struct SightingMemory: Sendable {
    public static let most = 4096

    public private(set) var sightings: [DeviceAddress: Sighting] = [:]

    private static let candidates = most / 4
    /// The longest silent devices at the last search, the longest silent last.
    private var silent: [(address: DeviceAddress, lastSeen: Duration)] = []
    private let isComplete: Bool

    /// An empty memory. `isComplete`: the adapter reports every advertisement.
    public init(isComplete: Bool = false) { self.isComplete = isComplete }

    /// Adds a report that arrived at `moment`; returns what is known of its sender, and the device that was
    /// removed to make space.
    @discardableResult public mutating func add(
        _ report: Advertisement, at moment: Duration
    ) -> (sighting: Sighting, forgotten: DeviceAddress?) {
        guard let known = sightings.index(forKey: report.address) else {
            let forgotten = sightings.count < Self.most ? nil : forgetOldest()
            let new = Sighting(report, at: moment, isComplete: isComplete)
            sightings[report.address] = new
            return (new, forgotten)
        }
        // Changed in place: copying the device's data at every report would dominate the cost.
        sightings.values[known].add(report, at: moment)
        return (sightings.values[known], nil)
    }

    /// Adds the devices that only `other` has heard.
    public mutating func join(_ other: SightingMemory) {
        sightings.merge(other.sightings) { known, _ in known }
    }

    public mutating func forget(before moment: Duration) {
        sightings = sightings.filter { $0.value.lastSeen >= moment }
    }

    /// Removes the device that was silent for the longest time. All are searched only once in `candidates` times: a
    /// device that was among the longest silent then and was not heard since is still the longest silent.
    private mutating func forgetOldest() -> DeviceAddress? {
        while !sightings.isEmpty {
            while let candidate = silent.popLast() {
                guard sightings[candidate.address]?.lastSeen == candidate.lastSeen else { continue }
                sightings[candidate.address] = nil
                return candidate.address
            }
            silent = sightings.values.map { ($0.address, $0.lastSeen) }
                .sorted { $0.lastSeen > $1.lastSeen }.suffix(Self.candidates)
        }
        return nil
    }
}
