import Testing
import UpdateModel

@testable import Tray

@Suite struct `An adapter's link slots` {
    @Test(arguments: [
        (nil, nil, 4, 20), (8, nil, 8, 8), (1, 7, 1, 1), (nil, 7, 7, 20), (nil, 99, 20, 20), (0, 0, 1, 1),
        (-3, nil, 1, 1), (nil, -1, 1, 20),
    ])
    func `begin with the known number`(permitted: Int?, remembered: Int?, limit: Int, ceiling: Int) {
        let slots = LinkSlots(permitted: permitted, remembered: remembered)
        #expect(slots.limit == limit && slots.ceiling == ceiling)
    }

    @Test func `grow by a successful link if all are taken and a unit waits`() {
        var slots = LinkSlots()
        slots.succeeded(taken: 3, isWaitedFor: true)
        slots.succeeded(taken: 4, isWaitedFor: false)
        #expect(slots.limit == 4)
        slots.succeeded(taken: 4, isWaitedFor: true)
        #expect(slots.limit == 5)
    }

    @Test func `never grow beyond the limit of the tray`() {
        var slots = LinkSlots(permitted: 2)
        slots.succeeded(taken: 2, isWaitedFor: true)
        #expect(slots.limit == 2)
    }

    @Test func `stay at the number that a controller was found to hold`() {
        var slots = LinkSlots(remembered: 9)
        slots.refused(held: 7)
        slots.succeeded(taken: 7, isWaitedFor: true)
        #expect(slots.limit == 7 && slots.ceiling == 7)
        slots.refused(held: 5)
        #expect(slots.limit == 5)
        slots.refused(held: 0)
        #expect(slots.limit == 1)
    }

    @Test(arguments: [(0, 4), (3, 1), (4, 0), (9, 0)]) func `are free while they are not taken`(
        taken: Int, free: Int
    ) {
        #expect(LinkSlots().free(taken: taken) == free)
    }

    @Test func `are filled at once by an adapter that makes several links at the same time`() {
        var tray = TraySchedule(
            units: 6, over: [0: LinkSlots(permitted: 4)], connecting: [0: 3],
            by: ScheduleRules(hasGolden: false, hold: []))
        tray.hearEveryone()
        let wants = (0..<6).map { TrayFact.wantsLink(UnitNumber($0)) }
        #expect(Set(wants.flatMap { tray.apply($0, at: 1).connecting }) == [0, 1, 2])
        #expect(tray.apply(.connected(1), at: 2).connecting == [3])
        // Three are connecting, and with the one link all four slots are taken.
        #expect(tray.apply(.connected(0), at: 2).connecting == [])
        #expect(tray.apply(.disconnected(1), .finished(1, .init(.passed)), at: 9).connecting == [4])
    }

    /// The links that are being made beside it do not count: the controller may not hold them either.
    @Test func `stay at the links that stood when one of several was refused`() {
        var tray = TraySchedule(
            units: 6, over: [0: LinkSlots(permitted: 4)], connecting: [0: 4],
            by: ScheduleRules(hasGolden: false, hold: []))
        tray.hearEveryone()
        for unit in 0..<4 { tray.apply(.wantsLink(UnitNumber(unit)), at: 1) }
        tray.apply(.connected(0), .notConnected(1, .tooManyLinks), at: 2)
        #expect(tray.slots(of: 0)?.ceiling == 1)
    }

    /// Two seconds in the model; a bootloader that is not heard again is searched for much longer.
    @Test func `are reserved for a unit that restarts, and lent to others when it stays away`() {
        var tray = TraySchedule(
            units: 3, over: [0: LinkSlots(permitted: 1)], by: ScheduleRules(hasGolden: false, hold: []))
        tray.hearEveryone()
        tray.apply(.wantsLink(0), .wantsLink(1), .connected(0), at: 1)
        #expect(tray.apply(.disconnected(0), at: 2).connecting == [])
        #expect(tray.nextMoment == .seconds(7))
        #expect(tray.apply(.timePassed, at: 7).connecting == [1])
        // Once back, it waits only for the link that was lent.
        #expect(tray.apply(.wantsLink(0), .wantsLink(2), .connected(1), at: 8).connecting == [])
        #expect(tray.apply(.disconnected(1), at: 9).connecting == [0])
    }

    @Test func `are lowered by a refusal that does not count against the unit`() {
        var tray = TraySchedule(
            units: 5, over: [0: LinkSlots()], by: ScheduleRules(hasGolden: false, hold: [.sameCause(1)]))
        tray.hearEveryone()
        tray.apply(.wantsLink(0), .wantsLink(1), .wantsLink(2), .wantsLink(3), at: 1)
        tray.apply(.connected(0), at: 2)
        tray.apply(.connected(1), at: 3)
        #expect(tray.apply(.notConnected(2, .tooManyLinks), at: 4).connecting == [])
        #expect(tray.slots(of: 0)?.limit == 2)
        #expect(tray.hold == nil)
        #expect(tray.apply(.timePassed, at: 7).connecting == [])
        tray.apply(.disconnected(0), at: 8)
        #expect(tray.apply(.finished(0, .passed), at: 9).connecting == [2])
        #expect(tray.apply(.connected(2), at: 10).connecting == [])
    }

    /// The kernel keeps a released link for two seconds.
    @Test func `count links that ended a moment ago as in use`() {
        var tray = TraySchedule(
            units: 5, over: [0: LinkSlots()], by: ScheduleRules(hasGolden: false, hold: []))
        tray.hearEveryone()
        tray.apply(.wantsLink(0), .wantsLink(1), .wantsLink(2), .wantsLink(3), at: 1)
        tray.apply(.connected(0), at: 2)
        tray.apply(.connected(1), at: 3)
        tray.apply(.connected(2), at: 4)
        tray.apply(.disconnected(0), .finished(0, .passed), at: 4.5)
        tray.apply(.notConnected(3, .tooManyLinks), at: 5)
        #expect(tray.slots(of: 0)?.limit == 3)
        #expect(tray.nextMoment == .seconds(7))
        #expect(tray.apply(.timePassed, at: 7).connecting == [3])
    }
}
