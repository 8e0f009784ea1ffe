import Testing
import UpdateModel

@testable import Tray

@Suite struct `Hold rules` {
    private static let lost = UnitVerdict.failed(.device.linkLost)
    private static let mute = UnitVerdict.failed(.device.noAnswer)

    private static func holding(_ rules: [HoldRule], after verdicts: [UnitVerdict]) -> [HoldReason?] {
        var window = OutcomeWindow()
        return verdicts.map { window.note($0, rules) }
    }

    @Test func `count consecutive failures`() {
        #expect(
            Self.holding(
                [.consecutive(2)], after: [Self.lost, .passed, Self.lost, .notNeeded, .skipped, Self.mute])
                == [nil, nil, nil, nil, nil, .consecutive(2)])
    }

    @Test func `count failures among the last units`() {
        let rules = [HoldRule.share(failures: 2, ofLast: 3)]
        #expect(
            Self.holding(
                rules, after: [Self.lost, .passed, .passed, Self.lost, .passed, .unknown(.device.linkLost)])
                == [nil, nil, nil, nil, nil, .share(failures: 2, ofLast: 3)])
    }

    @Test func `count failures of one cause, including errors of the bench`() {
        #expect(
            Self.holding(
                [.sameCause(2)],
                after: [.benchError(.system.noAdapter), Self.lost, .passed, .benchError(.system.noAdapter)])
                == [nil, nil, nil, .sameCause(.system.noAdapter, 2)])
    }

    @Test func `do not count an error of the bench as a failure of the unit`() {
        let faults = Array(repeating: UnitVerdict.benchError(.system.noAdapter), count: 9)
        #expect(
            Self.holding([.consecutive(1), .share(failures: 1, ofLast: 9)], after: faults)
                .allSatisfy { $0 == nil })
    }

    @Test func `with invalid limits hold nothing that has not failed`() {
        #expect(
            Self.holding(
                [.consecutive(0), .share(failures: 0, ofLast: -1), .sameCause(0)], after: [.passed, .aborted])
                == [nil, nil])
    }

    @Test func `let no unit start until they are released, while started ones continue`() {
        var tray = TraySchedule(
            units: 5, over: [0: LinkSlots()], by: ScheduleRules(hasGolden: false, hold: [.consecutive(1)]))
        tray.hearEveryone()
        tray.apply(.wantsLink(0), .wantsLink(1), .wantsLink(2), at: 1)
        tray.apply(.connected(0), at: 2)
        tray.apply(.connected(1), .disconnected(1), at: 2.5)
        tray.apply(.notConnected(2, .noAnswer), .wantsLink(2), .finished(2, .failed(.device.linkLost)), at: 3)
        #expect(tray.hold == .consecutive(1))
        #expect(tray.apply(.wantsLink(3), at: 4).connecting == [])
        #expect(tray.apply(.wantsLink(1), at: 5).connecting == [1])
        tray.apply(.connected(1), at: 6)
        #expect(tray.apply(.released, at: 7).connecting == [3])
        #expect(tray.hold == nil)
    }

    /// It may be in its bootloader.
    @Test(arguments: [TrayFact.paused, .stopped])
    func `let a unit continue that had a link before its adapter was lost`(_ end: TrayFact) {
        var tray = TraySchedule(
            units: 2, over: [0: LinkSlots(), 1: LinkSlots()], by: ScheduleRules(hasGolden: false))
        tray.hearEveryone()
        tray.apply(.wantsLink(0), .connected(0), at: 1)
        tray.apply(end, .adapterLost(0), .adapterLost(1), at: 2)
        let steps = tray.apply(.heard(0, by: 0, dBm: -60), .heard(0, by: 1, dBm: -60), at: 3)
        #expect(steps.begun == [0])
        #expect(tray.apply(.wantsLink(0), at: 4).connecting == [0])
        #expect(
            tray.apply(.heard(1, by: 0, dBm: -60), .heard(1, by: 1, dBm: -60), at: 5).begun == [])
    }

    @Test func `are reported once, and the first reason stays`() {
        var tray = TraySchedule(
            units: 3, over: [0: LinkSlots()], by: ScheduleRules(hasGolden: false, hold: [.consecutive(1)]))
        #expect(tray.apply(.paused, at: 0).contains(.hold(.paused)))
        #expect(
            !tray.apply(.finished(0, Self.lost), at: 1).contains {
                if case .hold = $0 { true } else { false }
            }
        )
        #expect(tray.hold == .paused)
    }

    @Test func `start over when they are released`() {
        var tray = TraySchedule(
            units: 5, over: [0: LinkSlots()], by: ScheduleRules(hasGolden: false, hold: [.consecutive(2)]))
        tray.apply(.finished(0, Self.lost), .finished(1, Self.lost), at: 1)
        #expect(tray.hold == .consecutive(2))
        tray.apply(.released, .finished(2, Self.lost), at: 2)
        #expect(tray.hold == nil)
        tray.apply(.finished(3, Self.lost), at: 3)
        #expect(tray.hold == .consecutive(2))
    }
}

@Suite struct `A golden unit` {
    private static func tray(_ units: Int = 4) -> TraySchedule {
        var tray = TraySchedule(units: units, over: [0: LinkSlots(), 1: LinkSlots()])
        tray.hearEveryone()
        return tray
    }

    @Test func `is alone until it has passed`() {
        var tray = Self.tray()
        tray.apply(.wantsLink(0), .connected(0), .disconnected(0), at: 1)
        #expect(tray.apply(.wantsLink(0), .connected(0), .sentAll(0), .disconnected(0), at: 9).begun == [])
        #expect(tray.apply(.finished(0, .passed), at: 12).begun == [1, 2, 3])
    }

    @Test func `is the tray's first, even if others were heard before it`() {
        var tray = TraySchedule(units: 3, over: [0: LinkSlots()])
        #expect(tray.apply(.heard(2, by: 0, dBm: -40), .heard(1, by: 0, dBm: -50), at: 3).begun == [])
        #expect(tray.nextMoment == .seconds(5))
        #expect(tray.apply(.heard(0, by: 0, dBm: -60), at: 4.9).begun == [0])
    }

    @Test func `is the next one if the tray's first was not heard two seconds later`() {
        var tray = TraySchedule(units: 3, over: [0: LinkSlots()])
        #expect(tray.apply(.heard(2, by: 0, dBm: -40), .heard(1, by: 0, dBm: -50), at: 3).begun == [])
        #expect(tray.apply(.timePassed, at: 5).begun == [1])
    }

    @Test(arguments: [UnitVerdict.failed(.device.linkLost), .unknown(.device.linkLost)])
    func `that fails holds the tray, and after a release another is the golden one`(verdict: UnitVerdict) {
        var tray = Self.tray()
        let steps = tray.apply(.finished(0, verdict), at: 5)
        #expect(steps.contains(.hold(.goldenFailed(0, .device.linkLost))))
        #expect(steps.begun == [])
        #expect(tray.apply(.released, at: 6).begun == [1])
    }

    @Test(arguments: [UnitVerdict.notNeeded, .benchError(.system.noAdapter), .skipped, .aborted])
    func `that was not tried is replaced by the next`(verdict: UnitVerdict) {
        var tray = Self.tray()
        #expect(tray.apply(.finished(0, verdict), at: 5).begun == [1])
        #expect(tray.hold == nil)
    }
}
