import Testing

@testable import Simulation

@Suite struct `Connection events` {
    /// 247 bytes and the L2CAP header fill one data packet: 2088 + 80 + 300 µs.
    static let large = Duration.microseconds(2468)

    @Test func `carry three large packets each`() {
        var events = ConnectionEvents(LinkModel())
        let arrivals = (0..<7).map { _ in events.arrival(of: 247, readyAt: .zero) }
        let expected = (0..<7).map { Duration.milliseconds(15) * ($0 / 3) + Self.large * ($0 % 3 + 1) }
        #expect(arrivals == expected)
    }

    @Test func `start over after a gap`() {
        var events = ConnectionEvents(LinkModel())
        #expect(events.arrival(of: 247, readyAt: .zero) == Self.large)
        // Ready while the event still runs: it joins; ready after it ended: it waits for the next.
        #expect(events.arrival(of: 247, readyAt: .milliseconds(2)) == Self.large * 2)
        #expect(events.arrival(of: 247, readyAt: .milliseconds(5)) == .milliseconds(15) + Self.large)
        #expect(events.arrival(of: 247, readyAt: .milliseconds(61)) == .milliseconds(75) + Self.large)
    }

    @Test func `include a packet that becomes ready exactly at their start, however late`() {
        for interval in [Duration.microseconds(7500), .milliseconds(15), .microseconds(11_250)] {
            var model = LinkModel()
            model.interval = interval
            for number in stride(from: 0, through: 5_000_000, by: 9973) {
                var events = ConnectionEvents(model)
                let start = interval * number
                #expect(events.arrival(of: 247, readyAt: start) == start + Self.large)
            }
        }
    }

    @Test func `carry a packet that is larger than an event in several, and the next after it`() {
        var model = LinkModel()
        model.interval = .milliseconds(1)
        model.eventLength = .milliseconds(1)
        model.dataLength = 27
        var events = ConnectionEvents(model)
        // 521 octets are 19 packets of 27 and one of 8, one per event.
        let first = events.arrival(of: 517, readyAt: .zero)
        #expect(first == .milliseconds(19) + model.exchange(octets: 8))
        var last = first
        for _ in 0..<10 {
            let next = events.arrival(of: 20, readyAt: .zero)
            #expect(next > last)
            last = next
        }
    }

    @Test func `carry a data packet longer than an event, which also takes the time of later ones`() {
        var model = LinkModel()
        model.interval = .milliseconds(1)
        model.eventLength = .milliseconds(1)
        var events = ConnectionEvents(model)
        #expect(events.arrival(of: 247, readyAt: .zero) == Self.large)
        #expect(events.arrival(of: 247, readyAt: .zero) == .milliseconds(3) + Self.large)
    }

    @Test func `end where their packets are counted`() {
        var model = LinkModel()
        model.packetsPerEvent = 2
        var events = ConnectionEvents(model)
        let arrivals = (0..<5).map { _ in events.arrival(of: 247, readyAt: .zero) }
        let expected = (0..<5).map { Duration.milliseconds(15) * ($0 / 2) + Self.large * ($0 % 2 + 1) }
        #expect(arrivals == expected)
    }

    /// The arrival of each of a hundred packets.
    private func arrivals(_ loss: Double, _ seed: UInt64) -> [Duration] {
        var model = LinkModel()
        model.loss = loss
        model.seed = seed
        var events = ConnectionEvents(model)
        return (0..<100).map { _ in events.arrival(of: 247, readyAt: .zero) }
    }

    @Test func `lose the same packets with the same seed, and others with another`() {
        #expect(arrivals(0.1, 1) == arrivals(0.1, 1))
        #expect(arrivals(0.1, 1) != arrivals(0.1, 2))
        #expect(arrivals(0, 1) == arrivals(0, 2))
    }

    @Test(arguments: [0.01, 0.1, 0.3, 0.9, 1])
    func `carry every packet in order, eventually, and later than without losses`(_ loss: Double) {
        let whole = arrivals(0, 0)
        let lossy = arrivals(loss, 5)
        #expect(zip(lossy, lossy.dropFirst()).allSatisfy { $0 < $1 })
        #expect(zip(whole, lossy).allSatisfy { $0 <= $1 })
        #expect(whole != lossy)
    }

    @Test func `lose about the configured share`() {
        // One data packet per event: a lost one costs an event, whether it was received or not, or nothing if it was
        // received and the event has time for its repetition.
        var model = LinkModel()
        model.eventLength = .milliseconds(3)
        model.loss = 0.25
        var events = ConnectionEvents(model)
        for _ in 0..<10_000 { _ = events.arrival(of: 247, readyAt: .zero) }
        #expect((13_000...13_700).contains(events.event))
    }

    @Test func `end with a packet that was not received`() {
        // For any seed: a packet that arrives later than without losses, but in the same event, was damaged; if the
        // event ended, the packet is first in the next one.
        var model = LinkModel()
        model.loss = 0.5
        var fates: Set<Duration> = []
        for seed in 0..<64 as Range<UInt64> {
            model.seed = seed
            var events = ConnectionEvents(model)
            fates.insert(events.arrival(of: 247, readyAt: .zero))
        }
        #expect(fates.contains(Self.large) && fates.contains(Self.large * 2))
        #expect(fates.contains(.milliseconds(15) + Self.large))
    }

    @Test(arguments: [1, 20, 23, 244, 247, 517])
    func `never carry a packet before it is ready or before the previous one`(_ count: Int) {
        for interval in [1, 7, 15, 4000] {
            var model = LinkModel()
            model.interval = .milliseconds(interval)
            model.eventLength = min(model.eventLength, model.interval)
            var events = ConnectionEvents(model)
            var last = Duration.zero
            for number in 0..<200 {
                let ready = Duration.microseconds(number * number * 37)
                let arrival = events.arrival(of: count, readyAt: ready)
                #expect(arrival > ready && arrival > last)
                last = arrival
            }
        }
    }
}
