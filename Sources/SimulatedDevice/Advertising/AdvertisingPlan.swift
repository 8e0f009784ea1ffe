public import BluetoothTypes

/// Which frames a beacon sends when, and whether it can be connected to: a value that is asked for a moment.
///
/// Frames without a period of their own take turns, one every `period`; telemetry among them comes in place of every
/// `telemetryEvery`th. Each that has a period of its own goes its own way.
public struct AdvertisingPlan: Sendable {
    /// A frame of the plan.
    public struct Slot: Hashable, Sendable {
        /// What is sent.
        public enum Content: Hashable, Sendable {
            /// What the advertiser says as this frame.
            case frame(FrameName)
            /// These bytes, whatever they are.
            case raw([UInt8])
        }

        /// What is sent.
        public var content: Content
        /// How often, where it does not take turns with others.
        public var period: Duration?
        /// What is wrong with it.
        public var damage = FrameDamage()
        /// Whether it invites connections; nil where that is the same for all frames.
        public var isConnectable: Bool?

        /// A frame that takes turns, or comes every `period`.
        public init(_ content: Content, every period: Duration? = nil) {
            self.content = content
            self.period = period
        }
    }

    /// Who sends.
    public var advertiser: any Advertiser
    /// The frames.
    public var slots: [Slot]
    /// How often one of those that take turns is sent.
    public var period = Duration.seconds(1)
    /// When the first one is.
    public var phase = Duration.zero
    /// Which of them is telemetry; nil where that takes turns like all others.
    public var telemetryEvery: Int?
    /// Whether it answers who asks for more.
    public var answersScans = true
    /// Of so many advertisements in a row only the last is answered. In a crowd scanners' requests collide.
    public var answersEvery = 1
    /// What is wrong with that answer.
    public var scanResponseDamage = FrameDamage()
    /// When it takes connections.
    public var window = ConnectableWindow()
    /// When the beacon came up.
    public var start = Duration.zero

    /// The usual frames of `advertiser`.
    public init(_ advertiser: any Advertiser) {
        self.advertiser = advertiser
        slots = advertiser.usualFrames.map { Slot(.frame($0)) }
        telemetryEvery = advertiser.telemetryEvery
        window = ConnectableWindow(advertiser.connectable)
    }

    /// Whether somebody is let in at `now`: by the frame that was sent last, where that says.
    public func isConnectable(at now: Duration) -> Bool {
        lastEvent(at: now)?.slot.isConnectable ?? window.isOpen(now - start)
    }

    /// What is sent after `earlier` and not after `now`, in order: advertisements, each with its scan response. Of more
    /// than 64 of a kind the latest.
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
            // Of a scan response by itself nobody can tell whether its sender takes connections.
            let data = AdvertisingData(scanResponseDamage.bytes(of: answer))
            return [heard, Advertisement(address: address, rssi: rssi, isConnectable: nil, data: data)]
        }
    }

    /// What was sent last by `now`; nil for nothing.
    public func latest(at now: Duration, from address: DeviceAddress, rssi: Int8) -> Advertisement? {
        guard let last = lastEvent(at: now), let payload = bytes(of: last.slot, at: moment(of: last)) else {
            return nil
        }
        return Advertisement(
            address: address, rssi: rssi, isConnectable: isConnectable(at: now),
            data: AdvertisingData(payload))
    }

    /// When something is sent next after `now`; nil for never.
    public func nextReport(after now: Duration) -> Duration? {
        lanes.map { $0.timeline.moment($0.timeline.count(through: now - start)) + start }.min()
    }

    /// What is sent in `slot` then; nil for nothing.
    func bytes(of slot: Slot, at moment: AdvertisingMoment) -> [UInt8]? {
        switch slot.content {
        case .raw(let bytes): bytes
        case .frame(let name):
            advertiser.payload(of: name, at: moment).map(slot.damage.bytes(of:))
        }
    }
}

extension AdvertisingPlan {
    /// A frame at its time.
    private struct Event {
        let elapsed: Duration
        let slot: Slot
        let turn: Int
    }

    /// Frames that are sent one after another.
    private struct Lane {
        let timeline: AdvertisingTimeline
        let slot: @Sendable (Int) -> (slot: Slot, turn: Int)?

        func event(_ index: Int) -> Event? {
            guard index >= 0, let (slot, turn) = slot(index) else { return nil }
            return Event(elapsed: timeline.moment(index), slot: slot, turn: turn)
        }
    }

    private static let mostAtOnce = 64

    private var lanes: [Lane] {
        var lanes = slots.compactMap { slot in
            slot.period.map { Lane(timeline: AdvertisingTimeline(period: $0, phase: phase)) { (slot, $0) } }
        }
        let turns = FrameRotation(slots.filter { $0.period == nil }, telemetryEvery: telemetryEvery)
        if !turns.isEmpty {
            lanes.append(
                Lane(timeline: AdvertisingTimeline(period: period, phase: phase), slot: { turns.slot($0) }))
        }
        return lanes
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
            event.elapsed, sent: max(0, sent - 1), turn: event.turn,
            isConnectable: event.slot.isConnectable ?? window.isOpen(event.elapsed))
    }
}
