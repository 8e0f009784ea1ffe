import Testing

@testable import Tray

@Suite struct `The interval of an adapter's links` {
    @Test(arguments: [(0, 10), (1, 10), (4, 10), (5, 20), (8, 20), (9, 40), (16, 40), (17, 80), (20, 80)])
    func `has time for an event of each`(links: Int, milliseconds: Int) {
        let interval = CommonInterval.interval(for: links)
        #expect(interval == .milliseconds(milliseconds))
        #expect(CommonInterval.event * links <= interval)
    }

    @Test func `depends on all expected links, and is shorter for the last ones`() {
        var tray = TraySchedule(
            units: 6, over: [0: LinkSlots(permitted: 8)], by: ScheduleRules(hasGolden: false, hold: []))
        tray.hearEveryone()
        #expect(tray.apply(.wantsLink(0), at: 1).intervals == [.milliseconds(20)])
        tray.apply(.connected(0), at: 2)
        #expect(tray.apply(.finished(5, .skipped), at: 3).intervals == [])
        #expect(tray.apply(.finished(4, .skipped), at: 3) == [.retune(0, interval: .milliseconds(10))])
        #expect(tray.apply(.wantsLink(1), at: 4).intervals == [.milliseconds(10)])
    }

    @Test func `is that of one link for a golden unit`() {
        var tray = TraySchedule(units: 20, over: [0: LinkSlots(permitted: 16)])
        tray.hearEveryone()
        #expect(tray.apply(.wantsLink(0), at: 1).intervals == [.milliseconds(10)])
        tray.apply(.connected(0), .finished(0, .passed), at: 2)
        #expect(tray.apply(.wantsLink(1), at: 3).intervals == [.milliseconds(40)])
    }
}
