public import Bluetooth

/// When a beacon sends which frames, and whether it is connectable, as a pure value of time.
///
/// Frames without a period of their own rotate, one every `period`; telemetry replaces every `telemetryEvery`th of
/// them. A frame with a period of its own is sent independently.
public struct AdvertisingPlan: Sendable {
    public struct Slot: Hashable, Sendable {
        public enum Content: Hashable, Sendable {
            case frame(FrameName)
            case raw([UInt8])
        }

        public var content: Content
        /// The time between two transmissions; nil if the frame rotates with others.
        public var period: Duration?
        var damage = FrameDamage()
        /// Whether the advert is connectable; nil to use the window of the plan.
        public var isConnectable: Bool?

        public init(_ content: Content, every period: Duration? = nil) {
            (self.content, self.period) = (content, period)
        }

        fileprivate var isTelemetry: Bool {
            if case .frame(let name) = content { name.isTelemetry } else { false }
        }
    }

    public var advertiser: any Advertiser
    public var slots: [Slot]
    /// The time between two rotating frames.
    public var period = Duration.seconds(1)
    /// The time from the start until the first frame is sent.
    public var phase = Duration.zero
    /// Telemetry replaces every n-th rotating frame; nil if telemetry rotates like all other frames.
    public var telemetryEvery: Int?
    public var answersScans = true
    /// A scan response follows only the last of this many adverts in a row, as when requests of many scanners collide.
    public var answersEvery = 1
    var scanResponseDamage = FrameDamage()
    public var window = ConnectableWindow()
    /// When the beacon started.
    public var start = Duration.zero

    public init(_ advertiser: any Advertiser) {
        self.advertiser = advertiser
        slots = advertiser.usualFrames.map { Slot(.frame($0)) }
        telemetryEvery = advertiser.telemetryEvery
        window = ConnectableWindow(advertiser.connectable)
    }

    /// Whether a connection is accepted at `now`; the last frame sent decides if it specifies that.
    public func isConnectable(at now: Duration) -> Bool {
        lastEvent(at: now)?.slot.isConnectable ?? window.isOpen(now - start)
    }

    /// The adverts after `earlier` and by `now`, in order, with scan responses: at most the 64 latest of each schedule.
    public func reports(
        after earlier: Duration, through now: Duration, from address: DeviceAddress, rssi: Int8
    ) -> [Advertisement] {
        events(after: earlier - start, through: now - start).flatMap { event in
            let moment = moment(of: event)
            guard let payload = bytes(of: event.slot, at: moment) else { return [Advertisement]() }
            let heard = Advertisement(
                address: address, rssi: rssi, isConnectable: moment.isConnectable,
                data: AdvertisingData(payload))
            guard answersScans, (moment.sent + 1).isMultiple(of: answersEvery),
                let answer = advertiser.scanResponse(at: moment)
            else { return [heard] }
            // A scan response alone does not reveal whether its sender is connectable.
            let data = AdvertisingData(scanResponseDamage.bytes(of: answer))
            return [heard, Advertisement(address: address, rssi: rssi, isConnectable: nil, data: data)]
        }
    }

    public func latest(at now: Duration, from address: DeviceAddress, rssi: Int8) -> Advertisement? {
        guard let last = lastEvent(at: now), let payload = bytes(of: last.slot, at: moment(of: last)) else {
            return nil
        }
        return Advertisement(
            address: address, rssi: rssi, isConnectable: isConnectable(at: now),
            data: AdvertisingData(payload))
    }

    public func nextReport(after now: Duration) -> Duration? {
        lanes.map { $0.timeline.moment($0.timeline.count(through: now - start)) + start }.min()
    }

    func bytes(of slot: Slot, at moment: AdvertisingMoment) -> [UInt8]? {
        switch slot.content {
        case .raw(let bytes): bytes
        case .frame(let name): advertiser.payload(of: name, at: moment).map(slot.damage.bytes(of:))
        }
    }

    private struct Event {
        let elapsed: Duration
        let slot: Slot
        let turn: Int
    }

    /// Frames that share one schedule: they rotate, with telemetry less often than the others.
    private struct Lane {
        let timeline: AdvertisingTimeline
        private let frequent: [Slot]
        private let seldom: [Slot]
        private let every: Int

        /// `slots` in rotation; telemetry replaces every `telemetryEvery`th frame, nil for no replacement.
        init(_ slots: [Slot], _ timeline: AdvertisingTimeline, telemetryEvery: Int? = nil) {
            self.timeline = timeline
            let telemetry = slots.filter(\.isTelemetry)
            if let telemetryEvery, telemetryEvery > 1, !telemetry.isEmpty, telemetry.count < slots.count {
                (frequent, seldom, every) = (slots.filter { !$0.isTelemetry }, telemetry, telemetryEvery)
            } else {
                (frequent, seldom, every) = (slots, [], .max)
            }
        }

        func event(_ index: Int) -> Event? {
            guard index >= 0 else { return nil }
            let (rounds, place) = index.quotientAndRemainder(dividingBy: every)
            let isSeldom = place == every - 1
            let slots = isSeldom ? seldom : frequent
            let turn = isSeldom ? rounds : seldom.isEmpty ? index : index - rounds
            guard !slots.isEmpty else { return nil }
            return Event(
                elapsed: timeline.moment(index), slot: slots[turn % slots.count], turn: turn / slots.count)
        }
    }

    private static let mostAtOnce = 64

    private var lanes: [Lane] {
        let lanes = slots.compactMap { slot in
            slot.period.map { Lane([slot], AdvertisingTimeline(period: $0, phase: phase)) }
        }
        let rotating = slots.filter { $0.period == nil }
        guard !rotating.isEmpty else { return lanes }
        let timeline = AdvertisingTimeline(period: period, phase: phase)
        return lanes + [Lane(rotating, timeline, telemetryEvery: telemetryEvery)]
    }

    private func events(after earlier: Duration, through now: Duration) -> [Event] {
        lanes.flatMap { lane in
            let end = lane.timeline.count(through: now)
            let first = max(lane.timeline.count(through: earlier), end - Self.mostAtOnce)
            return (min(first, end)..<end).compactMap(lane.event)
        }.sorted { $0.elapsed < $1.elapsed }
    }

    private func lastEvent(at now: Duration) -> Event? {
        lanes.compactMap { $0.event($0.timeline.count(through: now - start) - 1) }
            .max { $0.elapsed < $1.elapsed }
    }

    private func moment(of event: Event) -> AdvertisingMoment {
        let sent = lanes.reduce(0) { $0 + $1.timeline.count(through: event.elapsed) }
        return AdvertisingMoment(
            elapsed: event.elapsed, sent: max(0, sent - 1), turn: event.turn,
            isConnectable: event.slot.isConnectable ?? window.isOpen(event.elapsed))
    }
}

/// Periodic moments: `phase`, and every `period` after it.
struct AdvertisingTimeline: Hashable, Sendable {
    let period: Duration
    let phase: Duration
}

extension AdvertisingTimeline {
    /// A moment every `period`. The phase depends on the address, so that beacons do not all send at once.
    init(every period: Duration, at address: DeviceAddress) {
        // FNV-1a (Fowler, Noll, Vo).
        let hash = address.bytes.reduce(into: 0xCBF2_9CE4_8422_2325 as UInt64) {
            $0 = ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        let length = UInt64(clamping: max(1, period.nanoseconds))
        self.init(period: period, phase: .nanoseconds(Int64(clamping: hash % length)))
    }

    /// Whether a moment of the timeline is after `earlier` and not after `now`.
    func comes(after earlier: Duration, through now: Duration) -> Bool {
        count(through: now) > count(through: earlier)
    }

    func next(after now: Duration) -> Duration { moment(count(through: now)) }

    /// The number of moments up to and including `moment`.
    func count(through moment: Duration) -> Int {
        guard moment >= phase, period > .zero else { return 0 }
        return Int(clamping: (moment - phase).nanoseconds / max(1, period.nanoseconds)) + 1
    }

    func moment(_ index: Int) -> Duration { phase + period * index }
}

extension Duration {
    /// The duration in whole nanoseconds, the resolution of clocks.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000
    }
}
