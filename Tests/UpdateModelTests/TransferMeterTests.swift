import Testing
import UpdateModel

@Suite struct `A transfer meter` {
    @Test func `measures a block from its first packet to its acceptance`() throws {
        var meter = TransferMeter()
        meter.sent(500, at: .seconds(1))
        meter.sent(500, at: .milliseconds(1200))
        let firstSpeeds = meter.blockAccepted(at: .seconds(2))
        let first = try #require(firstSpeeds)
        #expect(first.current == 1000)
        meter.sent(1000, at: .seconds(3))
        let secondSpeeds = meter.blockAccepted(at: .milliseconds(3500))
        let second = try #require(secondSpeeds)
        #expect(second.current == 2000)
        #expect(second.max == 2000)
        #expect(second.min == 1000)
        #expect(second.average == 800)
        #expect(meter.elapsed == .milliseconds(2500))
    }

    @Test func `ends with the last of several answers`() {
        var meter = TransferMeter()
        meter.sent(500, at: .zero)
        meter.sent(500, at: .zero)
        #expect(meter.blockAccepted(at: .seconds(1))?.average == 1000)
        #expect(meter.blockAccepted(at: .seconds(2)) == nil)
        #expect(meter.elapsed == .seconds(2) && meter.average == 500)
    }

    @Test func `does not count what was lost`() throws {
        var meter = TransferMeter()
        meter.sent(1000, at: .zero)
        meter.blockLost()
        meter.sent(1000, at: .seconds(1))
        let speedsSpeeds = meter.blockAccepted(at: .seconds(2))
        let speeds = try #require(speedsSpeeds)
        #expect(speeds.current == 1000)
        #expect(speeds.average == 500)
    }

    @Test func `has the rate of the last second only`() {
        var meter = TransferMeter()
        for tenth in 0..<30 { meter.sent(100, at: .milliseconds(tenth * 100)) }
        let rate = meter.recentRate(at: .milliseconds(2999))
        #expect(rate == 1000)
        let later = meter.recentRate(at: .seconds(10))
        #expect(later == 0)
    }

    @Test func `has no speed for a block without packets or without time`() {
        var meter = TransferMeter()
        let early = meter.blockAccepted(at: .seconds(1))
        #expect(early == nil)
        meter.sent(10, at: .seconds(1))
        let timeless = meter.blockAccepted(at: .seconds(1))
        #expect(timeless == nil)
    }
}
