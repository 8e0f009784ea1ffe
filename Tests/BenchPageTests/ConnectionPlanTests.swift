import Bytes
import Testing

@testable import BenchPage

@Suite struct `Connections to the page` {
    /// Accepts a connection from `address` at `moment`; returns its number and that of the connection to close for it.
    private func arrive(
        _ plan: inout ConnectionPlan, from address: String, at moment: Duration
    ) -> (number: Int, leaving: Int?) {
        let number = plan.add(from: address, at: moment)
        let leaving = plan.nextToClose(at: moment).map(\.number)
        if let leaving { plan.remove(leaving) }
        return (number, leaving)
    }

    @Test(arguments: [1, 7, 250, 1000]) func `of strangers are few, and the newest one stays`(addresses: Int)
    {
        var plan = ConnectionPlan()
        for turn in 0..<1000 {
            let (number, leaving) = arrive(
                &plan, from: "127.0.0.\(turn % addresses)", at: .milliseconds(turn))
            #expect(leaving != number)
        }
        #expect(plan.counts == (PageLimits.strangers - 1, 0))
        #expect(plan.hasRoom)
    }

    @Test(arguments: [1, 7, 250, 1000]) func `of signed-in users are not displaced by strangers`(
        addresses: Int
    ) {
        var plan = ConnectionPlan()
        var known: Set<Int> = []
        for turn in 0..<PageLimits.connections {
            let number = plan.add(from: "127.0.0.1", at: .zero)
            #expect(plan.assign(number, to: "session \(turn / PageLimits.connectionsOfOne)") == nil)
            known.insert(number)
        }
        for turn in 0..<1000 {
            let leaving = arrive(&plan, from: "127.0.0.\(turn % addresses)", at: .milliseconds(turn)).leaving
            #expect(leaving.map { !known.contains($0) } ?? true)
        }
        #expect(plan.counts == (PageLimits.strangers - 1, PageLimits.connections))
    }

    @Test func `are closed first from the address with the most of them, oldest first`() {
        var plan = ConnectionPlan()
        _ = plan.add(from: "10.0.0.1", at: .zero)
        let crowd = (2..<PageLimits.strangers).map { _ in plan.add(from: "10.0.0.2", at: .zero) }
        for number in crowd { #expect(arrive(&plan, from: "10.0.0.2", at: .seconds(1)).leaving == number) }
        // Every address has the same number: then age decides.
        var even = ConnectionPlan()
        for turn in 1..<PageLimits.strangers { _ = even.add(from: "10.0.1.\(turn)", at: .zero) }
        #expect(arrive(&even, from: "10.0.2.1", at: .seconds(1)).leaving == 1)
    }

    @Test func `of strangers have a tenth of a second each before another is let in`() {
        var plan = ConnectionPlan()
        for _ in 0..<PageLimits.strangers {
            #expect(plan.hasRoom)
            _ = plan.add(from: "10.0.0.1", at: .seconds(1))
        }
        #expect(!plan.hasRoom)
        let first = plan.nextToClose(at: .milliseconds(1010))
        #expect(first?.number == 1 && first?.due == .milliseconds(1100))
        #expect(plan.nextToClose(at: .seconds(3))?.due == .seconds(3))
        plan.mark(1, isClosing: true)
        #expect(plan.hasRoom)
        #expect(plan.nextToClose(at: .seconds(3)) == nil)
    }

    @Test func `of a stranger stay for two seconds while an answer is sent, and no longer`() {
        var plan = ConnectionPlan()
        let first = plan.add(from: "10.0.0.1", at: .zero)
        plan.begin(first, at: .seconds(1))
        for _ in 1..<PageLimits.strangers { _ = plan.add(from: "10.0.0.1", at: .zero) }
        #expect(plan.nextToClose(at: .seconds(2))?.number == first + 1)
        #expect(plan.nextToClose(at: .seconds(4))?.number == first)
        // All of them are being answered: the first one keeps its time.
        for number in first + 1..<first + PageLimits.strangers { plan.begin(number, at: .seconds(2)) }
        #expect(plan.nextToClose(at: .milliseconds(2500))?.number == first)
        #expect(plan.nextToClose(at: .milliseconds(2500))?.due == .seconds(3))
    }

    @Test func `of strangers that send repeatedly are protected no longer than those that send once`() {
        var plan = ConnectionPlan()
        let busy = plan.add(from: "10.0.0.1", at: .zero)
        for _ in 1..<PageLimits.strangers { _ = plan.add(from: "10.0.0.1", at: .zero) }
        for turn in 0..<100 {
            let moment = Duration.milliseconds(turn * 100)
            plan.begin(busy, at: moment)
            let isSpared = moment < PageLimits.strangersAnswer
            #expect(plan.isBusy(busy, at: moment) == isSpared)
            #expect((plan.nextToClose(at: moment)?.number == busy) == !isSpared)
            plan.end(busy)
            #expect(plan.nextToClose(at: moment)?.number == busy)
        }
    }

    @Test
    func `of strangers that are all being answered are closed first from the address with the most of them`()
    {
        var plan = ConnectionPlan()
        let alone = plan.add(from: "10.0.0.1", at: .zero)
        plan.begin(alone, at: .zero)
        let crowd = (1..<PageLimits.strangers).map { _ in plan.add(from: "10.0.0.2", at: .zero) }
        for number in crowd { plan.begin(number, at: .seconds(1)) }
        let next = plan.nextToClose(at: .milliseconds(1500))
        #expect(next?.number == crowd[0] && next?.due == .seconds(3))
    }

    @Test func `of one session are limited, and idle ones are closed first`() {
        var plan = ConnectionPlan()
        let numbers = (0..<PageLimits.connectionsOfOne).map { _ in plan.add(from: "10.0.0.1", at: .zero) }
        for number in numbers { #expect(plan.assign(number, to: "session a") == nil) }
        plan.begin(numbers[0], at: .zero)
        let next = plan.add(from: "10.0.0.1", at: .zero)
        #expect(plan.assign(next, to: "session a") == numbers[1])
        // Presented again, it keeps the same slot.
        #expect(plan.assign(next, to: "session a") == nil)
    }

    @Test func `have five seconds for a head from strangers, and more from others`() {
        var plan = ConnectionPlan()
        let number = plan.add(from: "10.0.0.1", at: .zero)
        #expect(plan.timeout(of: number) == .seconds(5))
        #expect(plan.assign(number, to: "session a") == nil)
        #expect(plan.timeout(of: number) == PageLimits.idle)
        plan.remove(number)
        #expect(plan.counts == (0, 0))
        #expect(plan.assign(number, to: "session a") == nil)
        #expect(plan.counts == (0, 0))
    }

    @Test func `from one IPv6 network count together, and IPv4 addresses one by one`() throws {
        func place(_ hex: String) throws -> String {
            ConnectionPlan.countingKey(ofIPv6: try HexText.decode(hex))
        }
        let first = try place("20010DB8000100020000000000000001")
        #expect(try place("20010DB800010002FFFFFFFFFFFFFFFF") == first)
        #expect(try place("20010DB8000100030000000000000001") != first)
        #expect(try place("00000000000000000000FFFFC0000207") == "192.0.2.7")
        #expect(try place("00000000000000000000FFFFC0000208") == "192.0.2.8")
        #expect(try place("00000000000000000000000000000001") == "0000000000000000/64")
    }
}
