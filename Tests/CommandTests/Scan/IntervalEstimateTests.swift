import TestSupport
import Testing

@testable import Bluetooth

/// Numbers that look random and are the same in every run (Knuth's MMIX generator).
private struct Dice: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 11 | state << 53
    }
}

@Suite struct `An estimate of the advertising interval` {
    /// Reports of a device that advertises every `interval` milliseconds, with the delay of 0 to 10 ms, of which `lost`
    /// percent are missed.
    static func estimate(_ interval: Double, lost: Int, count: Int = 60, seed: UInt64) -> Double? {
        var dice = Dice(state: seed)
        var estimate = IntervalEstimate()
        var moment = 0.0
        for _ in 0..<count {
            moment += interval + Double.random(in: 0...10, using: &dice)
            if Int.random(in: 0..<100, using: &dice) >= lost { estimate.add(at: .milliseconds(1) * moment) }
        }
        return estimate.value.map { $0 / .milliseconds(1) }
    }

    @Test(arguments: [20.0, 100, 152.5, 1000, 10240], [0, 20, 50])
    func `is right in spite of delays and missed reports`(_ interval: Double, _ lost: Int) throws {
        for seed: UInt64 in 1...50 {
            let found = try #require(
                Self.estimate(interval, lost: lost, seed: seed), "\(interval), \(lost), \(seed)")
            #expect(
                found >= interval * 0.97 && found <= interval * 1.03 + 10, "\(interval), \(seed): \(found)")
        }
    }

    @Test func `is not made from few reports`() {
        var estimate = IntervalEstimate()
        for number in 0..<5 { estimate.add(at: .milliseconds(100) * number) }
        #expect(estimate.value == nil)
        estimate.add(at: .milliseconds(500))
        #expect(estimate.value == .milliseconds(100))
    }

    @Test func `does not count a scan response as an event`() {
        var estimate = IntervalEstimate()
        for number in 0..<20 {
            estimate.add(at: .milliseconds(100) * number)
            estimate.add(at: .milliseconds(100) * number + .milliseconds(2))
        }
        #expect(estimate.value == .milliseconds(100))
    }

    /// A device that is heard by chance only.
    @Test func `is mostly absent if there is no rhythm`() {
        let found = (1...200).count { seed in
            var dice = Dice(state: UInt64(seed))
            var estimate = IntervalEstimate()
            var moment = 0.0
            for _ in 0..<40 {
                moment += Double.random(in: 100...3000, using: &dice)
                estimate.add(at: .milliseconds(1) * moment)
            }
            return estimate.value != nil
        }
        #expect(found <= 4, "\(found) of 200")
    }

    @Test func `follows a device that changes its interval`() {
        var estimate = IntervalEstimate()
        for number in 0..<50 { estimate.add(at: .milliseconds(100) * number) }
        for number in 0..<70 { estimate.add(at: .seconds(10) + .milliseconds(300) * number) }
        #expect(estimate.value == .milliseconds(300))
    }

    @Test func `survives a clock that stops or goes back`() {
        var estimate = IntervalEstimate()
        for moment in [0, 0, 5, 3, 3, 1, 9, 0] { estimate.add(at: .seconds(moment)) }
        _ = estimate.value
    }
}
