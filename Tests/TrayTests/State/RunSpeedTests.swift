import Testing
import Tray

@Suite struct `The speed of a run` {
    private static func speed(_ steps: [(unit: Int, sent: Int, at: Double)]) -> RunSpeed {
        var speed = RunSpeed()
        for step in steps {
            speed.note(UnitNumber(step.unit), sent: step.sent, at: .milliseconds(Int(step.at * 1000)))
        }
        return speed
    }

    @Test func `is that of the second before, all units together`() {
        var speed = Self.speed([(0, 0, 0.1), (1, 0, 0.2), (0, 1000, 0.5), (1, 500, 0.9), (0, 1200, 1.1)])
        #expect(speed.bytesPerSecond(at: .milliseconds(1200)) == 1500)
        #expect(speed.bytesPerSecond(at: .seconds(2)) == 200)
        #expect(speed.bytesPerSecond(at: .seconds(3)) == 0 && speed.most == 1500)
    }

    /// The speed of a tenth of a second is not extrapolated.
    @Test func `of a burst is the amount sent in its second`() {
        var speed = Self.speed([(0, 0, 0.1), (0, 8270, 0.2)])
        #expect(speed.most == 8270 && speed.bytesPerSecond(at: .seconds(1)) == 8270)
    }

    @Test func `counts nothing twice, and nothing that the beacon had before`() {
        var speed = Self.speed([(0, 4096, 0.1), (0, 5000, 0.2), (0, 4500, 0.3), (0, 5000, 0.4)])
        #expect(speed.bytesPerSecond(at: .seconds(1)) == 904 + 500)
        speed.forget(UnitNumber(0))
        speed.note(UnitNumber(0), sent: 9000, at: .milliseconds(1100))
        #expect(speed.bytesPerSecond(at: .seconds(2)) == 0)
    }

    @Test func `is never shown above the maximum reported at the end`() {
        var speed = RunSpeed()
        var random = SystemRandomNumberGenerator()
        var (moment, sent, shown) = (0.0, [0, 0, 0], 0)
        for _ in 0..<2000 {
            moment += Double.random(in: 0...0.3, using: &random)
            let unit = Int.random(in: 0..<3, using: &random)
            sent[unit] += Int.random(in: 0...5000, using: &random)
            let at = Duration.milliseconds(Int(moment * 1000))
            speed.note(UnitNumber(unit), sent: sent[unit], at: at)
            shown = max(shown, speed.bytesPerSecond(at: at))
        }
        #expect(shown <= speed.most && shown > 0)
    }
}
