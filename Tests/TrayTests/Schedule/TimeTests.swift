import Testing
import UpdateModel

@testable import Tray

@Suite struct `A tray's time` {
    private static func tray(_ units: Int, links: Int? = nil, _ rules: ScheduleRules) -> TraySchedule {
        TraySchedule(units: units, over: [0: LinkSlots(permitted: links)], by: rules)
    }

    @Test func `shows which unit has made no progress for a second`() {
        var tray = Self.tray(2, ScheduleRules(hasGolden: false, hold: []))
        tray.hearEveryone()
        tray.apply(.wantsLink(0), .wantsLink(1), .connected(0), .connected(1), at: 1)
        tray.apply(.progressed(0), at: 5)
        #expect(tray.nextMoment == .seconds(6))
        #expect(tray.apply(.timePassed, at: 6) == [.stalled(0)])
        #expect(tray.stalled == [0])
        #expect(tray.apply(.timePassed, at: 7) == [])
        tray.apply(.progressed(0), at: 8)
        #expect(tray.stalled == [])
        tray.apply(.sentAll(0), at: 8.5)
        #expect(tray.apply(.timePassed, at: 60) == [])
    }

    @Test func `is not taken from others by a stalled unit if the controller has a free link`() {
        var tray = Self.tray(9, ScheduleRules(hasGolden: false, hold: []))
        tray.hearEveryone()
        for unit in 0..<4 {
            tray.apply(.wantsLink(UnitNumber(unit)), .connected(UnitNumber(unit)), at: 1)
            tray.apply(.progressed(UnitNumber(unit)), at: 1)
        }
        #expect(tray.apply(.timePassed, at: 3).count { if case .stalled = $0 { true } else { false } } == 4)
        #expect(tray.apply(.wantsLink(4), at: 4).connecting == [4])
    }

    @Test func `of one unit is limited from its first connect`() {
        var tray = Self.tray(2, links: 1, ScheduleRules(hasGolden: false, hold: [], unitTime: .seconds(40)))
        tray.hearEveryone()
        tray.apply(.wantsLink(0), .wantsLink(1), at: 10)
        tray.apply(.connected(0), at: 11)
        #expect(tray.nextMoment == .seconds(50))
        #expect(tray.apply(.timePassed, at: 50) == [.giveUp(0, .unitTime)])
        #expect(tray.apply(.timePassed, at: 51) == [])
        #expect(tray.apply(.finished(0, .aborted), at: 52).connecting == [1])
        #expect(tray.nextMoment == .seconds(92))
    }

    @Test func `is limited as a whole`() {
        var tray = Self.tray(3, links: 1, ScheduleRules(hasGolden: false, hold: [], trayTime: .seconds(60)))
        tray.apply(.heard(0, by: 0, dBm: nil), .wantsLink(0), at: 0)
        let steps = tray.apply(.timePassed, at: 60)
        #expect(
            Set(steps) == [
                .giveUp(0, .trayTime), .giveUp(1, .trayTime), .giveUp(2, .trayTime), .stopListening(0),
            ])
        tray.apply(.finished(0, .aborted), .finished(1, .aborted), .finished(2, .aborted), at: 61)
        #expect(tray.isOver && tray.nextMoment == nil)
    }

    @Test func `ends for units that were never heard when all others are done`() {
        var tray = Self.tray(2, ScheduleRules(hasGolden: false, hold: []))
        tray.apply(.heard(1, by: 0, dBm: -60), .wantsLink(1), .connected(1), at: 0)
        #expect(!tray.apply(.timePassed, at: 40).contains(.giveUp(0, .notHeard)))
        #expect(tray.apply(.finished(1, .passed), at: 41) == [.giveUp(0, .notHeard)])
    }

    @Test func `ends early for units that have not started when the run is stopped`() {
        var tray = Self.tray(4, links: 1, ScheduleRules(hasGolden: false, hold: []))
        tray.hearEveryone()
        tray.apply(.wantsLink(0), .wantsLink(1), .connected(0), at: 1)
        let steps = tray.apply(.stopped, at: 2)
        #expect(Set(steps) == [.giveUp(1, .stopped), .giveUp(2, .stopped), .giveUp(3, .stopped)])
        tray.apply(.disconnected(0), at: 3)
        #expect(tray.apply(.wantsLink(0), at: 4).connecting == [0])
    }
}

@Suite struct `Listening on a tray` {
    @Test func `continues while there are no links, and takes part of the time while there are`() {
        var tray = TraySchedule(
            units: 2, over: [0: LinkSlots()], by: ScheduleRules(hasGolden: false, hold: []))
        #expect(tray.apply(.timePassed, at: 0) == [.listen(0)])
        #expect(tray.apply(.timePassed, at: 8) == [])
        tray.apply(.heard(0, by: 0, dBm: -60), at: 8)
        #expect(tray.apply(.wantsLink(0), at: 9).contains(.stopListening(0)))
        #expect(tray.nextMoment == .seconds(12))
        #expect(tray.apply(.timePassed, at: 12) == [.listen(0)])
        #expect(tray.nextMoment == .seconds(15))
        #expect(tray.apply(.timePassed, at: 15) == [.stopListening(0)])
        #expect(tray.apply(.heard(1, by: 0, dBm: -60), at: 16).begun == [1])
        #expect(tray.apply(.timePassed, at: 24) == [])
    }
}
