import Testing
import UpdateModel

@testable import Tray

@Suite struct `Units are spread over adapters` {
    private static let both: [AdapterNumber] = [0, 1]

    private static func advantage(of adapter: AdapterNumber, _ zero: Int8?, _ one: Int8?) -> Int? {
        var signals = SignalMap()
        if let zero { signals.note(zero, by: 0, at: .zero) }
        if let one { signals.note(one, by: 1, at: .zero) }
        return signals.advantage(of: adapter, over: both)
    }

    @Test(
        arguments: [
            (-60, -60, 0), (-60, -64, 0), (-60, -66, 1), (-60, -80, 3), (-80, -60, -3), (-86, -60, nil),
            (-90, -95, 0),
            (-90, nil, .max), (nil, -60, nil), (nil, nil, nil), (127, -128, 42), (-128, -128, 0),
        ] as [(Int8?, Int8?, Int?)])
    func `by signal strength, if the difference exceeds fading`(
        zero: Int8?, one: Int8?, advantage: Int?
    ) {
        #expect(Self.advantage(of: 0, zero, one) == advantage)
    }

    @Test func `and by the load of each adapter`() {
        var tray = TraySchedule(
            units: 9, over: [0: LinkSlots(permitted: 2), 1: LinkSlots(permitted: 4)],
            by: ScheduleRules(hasGolden: false, hold: []))
        let steps = tray.hearEveryone()
        #expect(steps.count { if case .begin(_, on: 0) = $0 { true } else { false } } == 3)
        #expect(steps.count { if case .begin(_, on: 1) = $0 { true } else { false } } == 5)
    }

    @Test func `once both adapters have had the time to hear them`() {
        var tray = TraySchedule(
            units: 2, over: [0: LinkSlots(), 1: LinkSlots()], by: ScheduleRules(hasGolden: false, hold: []))
        #expect(tray.apply(.heard(0, by: 0, dBm: -80), .heard(1, by: 0, dBm: -50), at: 0).begun == [])
        #expect(tray.apply(.heard(0, by: 1, dBm: -50), at: 0.1).contains(.begin(0, on: 1)))
        #expect(tray.nextMoment == .milliseconds(300))
        #expect(tray.apply(.timePassed, at: 0.3).contains(.begin(1, on: 0)))
    }

    @Test func `and stay where they began`() {
        var tray = TraySchedule(
            units: 1, over: [0: LinkSlots(), 1: LinkSlots()], by: ScheduleRules(hasGolden: false, hold: []))
        tray.apply(.heard(0, by: 0, dBm: -80), at: 0)
        tray.apply(.timePassed, at: 1)
        tray.apply(.heard(0, by: 1, dBm: -40), at: 2)
        guard case .connect(let plan)? = tray.apply(.wantsLink(0), at: 3).first else {
            Issue.record("it does not connect")
            return
        }
        #expect(plan.adapter == 0)
    }

    @Test func `and are heard again if their adapter is removed before they begin`() {
        var tray = TraySchedule(
            units: 3, over: [0: LinkSlots(), 1: LinkSlots()], by: ScheduleRules(hold: []))
        tray.apply(.heard(0, by: 0, dBm: -50), .heard(1, by: 0, dBm: -50), at: 0)
        #expect(tray.apply(.timePassed, at: 0.3).begun == [0])
        tray.apply(.adapter(0, isThere: false), .finished(0, .benchError(.system.noAdapter)), at: 1)
        #expect(tray.apply(.timePassed, at: 2).begun == [])
        #expect(tray.nextMoment == .seconds(30))
        #expect(tray.apply(.heard(1, by: 1, dBm: -70), at: 3).contains(.begin(1, on: 1)))
    }

    @Test func `and start over with another if theirs is removed in the middle`() {
        var tray = TraySchedule(
            units: 2, over: [0: LinkSlots(), 1: LinkSlots()], by: ScheduleRules(hasGolden: false, hold: []))
        tray.apply(.heard(0, by: 0, dBm: -50), at: 0)
        #expect(tray.apply(.timePassed, at: 0.3).begun == [0])
        tray.apply(.wantsLink(0), at: 1)
        tray.apply(.connected(0), at: 1.1)
        tray.apply(.adapter(0, isThere: false), .disconnected(0), at: 2)
        #expect(tray.apply(.wantsLink(0), at: 11).contains(.refuse(0)))
        // A listener learns that it is back.
        #expect(!tray.apply(.adapterLost(0), at: 12).contains(.stopListening(0)))
        #expect(tray.verdicts == [nil, nil])
        #expect(tray.apply(.heard(0, by: 1, dBm: -70), at: 13).contains(.begin(0, on: 1)))
        // A fact of the attempt that is over.
        #expect(tray.apply(.adapterLost(1), at: 14).isEmpty)
    }

    @Test func `and end with the last adapter, unless it comes back`() {
        var tray = TraySchedule(units: 2, over: [0: LinkSlots()], by: ScheduleRules(hold: []))
        let begun = tray.apply(.heard(0, by: 0, dBm: -50), .heard(1, by: 0, dBm: -50), at: 0).begun
        #expect(begun == [0])
        tray.apply(.adapter(0, isThere: false), .adapterLost(0), at: 20)
        #expect(tray.apply(.heard(0, by: 0, dBm: -50), .heard(1, by: 0, dBm: -50), at: 21).isEmpty)
        #expect(tray.nextMoment == .seconds(50))
        var other = tray
        #expect(
            Set(tray.apply(.timePassed, at: 50)) == [.giveUp(0, .noAdapter), .giveUp(1, .noAdapter)])
        other.apply(.adapter(0, isThere: true), at: 40)
        #expect(other.nextMoment == .seconds(70))
        #expect(other.apply(.heard(0, by: 0, dBm: -50), .heard(1, by: 0, dBm: -50), at: 41).begun == [0])
    }
}
