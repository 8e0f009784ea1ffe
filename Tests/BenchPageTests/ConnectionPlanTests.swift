import Testing

@testable import BenchPage

@Suite struct `Connections to the page` {
    /// A plan with a thousand connections of strangers from `addresses`.
    private func crowded(_ plan: ConnectionPlan = ConnectionPlan(), addresses: Int) -> ConnectionPlan {
        var plan = plan
        for turn in 0..<1000 { _ = plan.arrive(from: "127.0.0.\(turn % addresses)") }
        return plan
    }

    @Test(arguments: [1, 7, 250, 1000]) func `of strangers are few, and the newest one stays`(addresses: Int)
    {
        var plan = crowded(addresses: addresses)
        #expect(plan.counts == (PageLimits.strangers, 0))
        let (number, leaving) = plan.arrive(from: "127.0.0.1")
        #expect(leaving != nil && leaving != number)
        #expect(plan.counts == (PageLimits.strangers, 0))
    }

    @Test(arguments: [1, 7, 250, 1000]) func `of those who have shown a code are not taken by strangers`(
        addresses: Int
    ) {
        var plan = ConnectionPlan()
        var known: Set<Int> = []
        for turn in 0..<PageLimits.connections {
            let number = plan.arrive(from: "127.0.0.1").number
            #expect(plan.seat(number, for: "session \(turn / PageLimits.connectionsOfOne)") == nil)
            known.insert(number)
        }
        for turn in 0..<1000 {
            let leaving = plan.arrive(from: "127.0.0.\(turn % addresses)").leaving
            #expect(leaving.map { !known.contains($0) } ?? true)
        }
        #expect(plan.counts == (PageLimits.strangers, PageLimits.connections))
    }

    @Test func `give way from the address that has most of them, the oldest first`() {
        var plan = ConnectionPlan()
        let alone = plan.arrive(from: "10.0.0.1").number
        let crowd = (1..<PageLimits.strangers).map { _ in plan.arrive(from: "10.0.0.2").number }
        for number in crowd { #expect(plan.arrive(from: "10.0.0.2").leaving == number) }
        // All the same one by one: then age decides.
        var even = ConnectionPlan()
        for turn in 0..<PageLimits.strangers { _ = even.arrive(from: "10.0.1.\(turn)") }
        #expect(even.arrive(from: "10.0.2.1").leaving == 1)
        #expect(plan.seat(alone, for: "session a") == nil)
    }

    @Test func `of a stranger who is told something are as short as others`() {
        var plan = ConnectionPlan()
        let first = plan.arrive(from: "10.0.0.1").number
        plan.note(first, isBusy: true)
        for _ in 1..<PageLimits.strangers { _ = plan.arrive(from: "10.0.0.1") }
        #expect(plan.arrive(from: "10.0.0.1").leaving == first)
    }

    @Test func `of one session are limited, and those that are idle go first`() {
        var plan = ConnectionPlan()
        let numbers = (0..<PageLimits.connectionsOfOne).map { _ in plan.arrive(from: "10.0.0.1").number }
        for number in numbers { #expect(plan.seat(number, for: "session a") == nil) }
        plan.note(numbers[0], isBusy: true)
        let next = plan.arrive(from: "10.0.0.1").number
        #expect(plan.seat(next, for: "session a") == numbers[1])
        // Shown again, it is the same seat.
        #expect(plan.seat(next, for: "session a") == nil)
    }

    @Test func `have five seconds for a head from strangers, and more from others`() {
        var plan = ConnectionPlan()
        let number = plan.arrive(from: "10.0.0.1").number
        #expect(plan.patience(of: number) == .seconds(5))
        #expect(plan.seat(number, for: "session a") == nil)
        #expect(plan.patience(of: number) == PageLimits.idle)
        plan.leave(number)
        #expect(plan.counts == (0, 0))
        #expect(plan.seat(number, for: "session a") == nil)
        #expect(plan.counts == (0, 0))
    }
}
