import Testing
import UpdateModel

@Suite struct `Steady speeds` {
    @Test func `are those of each half second, and of each whole one`() {
        var speeds = SteadySpeeds()
        speeds.begin(at: .seconds(3))
        speeds.accepted(400)
        speeds.accepted(100)
        let first = speeds.sample(at: .milliseconds(3500))
        #expect(first.speeds.current == 1000 && first.speeds.average == 1000)
        #expect(first.lastSecond == nil)
        speeds.accepted(100)
        let second = speeds.sample(at: .seconds(4))
        #expect(second.speeds.current == 200)
        #expect(second.speeds.max == 1000 && second.speeds.min == 200)
        #expect(second.speeds.average == 600)
        #expect(second.lastSecond == 600)
    }

    @Test func `show a standstill`() {
        var speeds = SteadySpeeds()
        speeds.begin(at: .zero)
        speeds.accepted(500)
        let looks = (1...4).map { speeds.sample(at: SteadySpeeds.interval * $0) }
        #expect(looks.map(\.speeds.current) == [1000, 0, 0, 0])
        #expect(looks.map(\.lastSecond) == [nil, 500, nil, 0])
        #expect(looks.map(\.speeds.average) == [1000, 500, 500 / 1.5, 250])
        #expect(looks.last?.speeds.min == 0)
    }

    @Test func `begin a new second with a new link, and keep earlier ones`() {
        var speeds = SteadySpeeds()
        speeds.begin(at: .zero)
        speeds.accepted(500)
        _ = speeds.sample(at: .milliseconds(500))
        speeds.accepted(300)
        speeds.begin(at: .seconds(9))
        speeds.accepted(200)
        let look = speeds.sample(at: .milliseconds(9500))
        #expect(look.speeds.current == 400 && look.lastSecond == nil)
        #expect(look.speeds.max == 1000)
        #expect(look.speeds.average == 1000 / 9.5)
    }
}
