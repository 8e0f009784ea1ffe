import Testing

@testable import SimulatedRadio

@Suite struct `Connection events` {
    /// 247 bytes and the L2CAP header fill one data packet: 2088 + 80 + 300 µs.
    static let large = Duration.microseconds(2468)

    @Test func `carry three large packets each`() {
        var events = ConnectionEvents(LinkModel())
        let arrivals = (0..<7).map { _ in events.arrival(of: 247, readyAt: .zero) }
        let expected = (0..<7).map { Duration.milliseconds(15) * ($0 / 3) + Self.large * ($0 % 3 + 1) }
        #expect(arrivals == expected)
    }

    @Test func `begin anew after a gap`() {
        var events = ConnectionEvents(LinkModel())
        #expect(events.arrival(of: 247, readyAt: .zero) == Self.large)
        // Ready while the event still runs: it joins; ready after it ended: it waits for the next.
        #expect(events.arrival(of: 247, readyAt: .milliseconds(2)) == Self.large * 2)
        #expect(events.arrival(of: 247, readyAt: .milliseconds(5)) == .milliseconds(15) + Self.large)
        #expect(events.arrival(of: 247, readyAt: .milliseconds(61)) == .milliseconds(75) + Self.large)
    }

    @Test func `begin where a packet becomes ready on the dot, however late`() {
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

    @Test func `carry a packet that is larger than an event, and the next behind it`() {
        var model = LinkModel()
        model.interval = .milliseconds(1)
        model.eventLength = .milliseconds(1)
        model.dataLength = 27
        var events = ConnectionEvents(model)
        let first = events.arrival(of: 517, readyAt: .zero)
        #expect(first == model.exchange(packet: 517))
        #expect(first > .milliseconds(10))
        var last = first
        for _ in 0..<10 {
            let next = events.arrival(of: 20, readyAt: .zero)
            #expect(next > last)
            last = next
        }
    }

    @Test(arguments: [1, 20, 23, 244, 247, 517])
    func `never carry a packet before it is ready or before the one ahead`(_ count: Int) {
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
