import Testing

@testable import Tray

@Suite struct `A tray's connect queue` {
    private static let plain = ScheduleRules(hasGolden: false, hold: [])

    private static func tray(_ units: Int, links: Int = 4, adapters: Int = 1) -> TraySchedule {
        TraySchedule(
            units: units,
            over: Dictionary(
                uniqueKeysWithValues: (0..<adapters).map { (AdapterNumber($0), LinkSlots(permitted: links)) }),
            by: plain)
    }

    @Test func `is for one unit at a time`() {
        var tray = Self.tray(3)
        #expect(tray.hearEveryone().begun == [0, 1, 2])
        #expect(tray.apply(.wantsLink(1), .wantsLink(0), .wantsLink(2), at: 1).connecting == [1])
        #expect(tray.apply(.connected(1), at: 2).connecting == [0])
        #expect(tray.apply(.notConnected(0, .noAnswer), at: 5).connecting == [2])
        #expect(tray.links(over: 0) == [1, 2])
    }

    @Test func `serves a unit first that comes back from a jump`() {
        var tray = Self.tray(4)
        tray.hearEveryone()
        tray.apply(.wantsLink(0), .wantsLink(1), .wantsLink(2), at: 1)
        tray.apply(.connected(0), .disconnected(0), at: 2)
        tray.apply(.wantsLink(0), at: 3)
        let steps = tray.apply(.connected(1), at: 4)
        #expect(steps.connecting == [0])
        #expect(
            steps.contains(
                .connect(
                    ConnectionPlan(
                        unit: 0, adapter: 0, interval: .milliseconds(10), limit: .seconds(3), isFirst: false))
            ))
    }

    @Test func `lets a unit that did not answer try again after the others, and for longer`() {
        var tray = Self.tray(3)
        tray.hearEveryone()
        tray.apply(.wantsLink(0), .wantsLink(1), .wantsLink(2), at: 1)
        tray.apply(.notConnected(0, .noAnswer), at: 4)
        tray.apply(.wantsLink(0), at: 4.5)
        #expect(tray.apply(.connected(1), at: 5).connecting == [2])
        #expect(
            tray.apply(.connected(2), at: 6) == [
                .connect(
                    ConnectionPlan(
                        unit: 0, adapter: 0, interval: .milliseconds(10), limit: .seconds(4), isFirst: true))
            ])
    }

    @Test func `exists once for each adapter`() {
        var tray = Self.tray(2, adapters: 2)
        let steps = tray.hearEveryone()
        #expect(
            steps == [
                .listen(0), .listen(1), .begin(0, on: 0), .stopListening(0), .stopListening(1),
                .begin(1, on: 1),
            ])
        #expect(tray.apply(.wantsLink(0), .wantsLink(1), at: 1).connecting == [0, 1])
    }

    @Test func `does not wait for a unit whose update never requests a link`() {
        var tray = Self.tray(4, links: 1)
        #expect(tray.hearEveryone().begun == [0, 1])
        tray.apply(.wantsLink(0), at: 1)
        #expect(tray.apply(.connected(0), at: 2).begun == [])
        #expect(tray.nextMoment == .seconds(5))
        #expect(tray.apply(.timePassed, at: 5).begun == [2])
    }

    @Test func `moves on when the unit's attempt ends meanwhile`() {
        var tray = Self.tray(2)
        tray.hearEveryone()
        tray.apply(.wantsLink(0), .wantsLink(1), at: 1)
        #expect(tray.apply(.finished(0, .aborted), at: 2).connecting == [1])
        #expect(tray.apply(.connected(0), at: 3) == [])
        #expect(tray.links(over: 0) == [1])
    }

    @Test func `of a removed adapter serves no unit`() {
        var tray = Self.tray(3, links: 1, adapters: 2)
        tray.apply(.heard(0, by: 0, dBm: -50), .heard(1, by: 0, dBm: -50), at: 0)
        tray.apply(.timePassed, at: 0.3)
        tray.apply(.adapter(0, isThere: false), at: 1)
        let steps = tray.apply(.wantsLink(0), .wantsLink(1), at: 2)
        #expect(steps.connecting == [] && steps.contains(.refuse(0)))
        #expect(tray.apply(.adapter(0, isThere: true), at: 3).connecting == [])
        #expect(tray.apply(.wantsLink(0), at: 4).connecting == [0])
    }
}
