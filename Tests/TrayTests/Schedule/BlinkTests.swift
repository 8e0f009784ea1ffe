import Testing
import UpdateModel

@testable import Tray

@Suite struct `A blinking unit` {
    private static func tray(
        _ units: Int, links: Int = 4, adapters: Int = 1,
        rules: ScheduleRules = ScheduleRules(hasGolden: false, hold: [])
    ) -> TraySchedule {
        TraySchedule(
            units: units,
            over: Dictionary(
                uniqueKeysWithValues: (0..<adapters).map { (AdapterNumber($0), LinkSlots(permitted: links)) }),
            by: rules)
    }

    /// A tray whose only link is unit 0's; 1 has begun, and 2 and 3 wait.
    private static func full() -> TraySchedule {
        var tray = tray(4, links: 1)
        tray.hearEveryone()
        tray.apply(.wantsLink(0), .connected(0), at: 1)
        return tray
    }

    @Test func `needs a link like every other`() {
        var tray = Self.full()
        #expect(tray.apply(.blinkRequested(2), at: 2) == [.blink(2, on: 0)])
        #expect(tray.apply(.wantsLink(2), at: 2) == [])
        #expect(tray.apply(.finished(0, .passed), at: 3).connecting == [2])
        #expect(tray.links(over: 0) == [2])
        #expect(tray.apply(.connected(2), .wantsLink(1), at: 4).connecting == [])
        #expect(tray.links(over: 0) == [2])
        #expect(tray.apply(.disconnected(2), .blinkEnded(2), at: 9).connecting == [1])
        #expect(tray.links(over: 0) == [1])
    }

    @Test func `releases its link and its place in the connect queue, however it ends`() {
        for before in [[], [.connected(2)], [.notConnected(2, .noAnswer)]] as [[TrayFact]] {
            var tray = Self.full()
            tray.apply(.blinkRequested(2), .wantsLink(2), .wantsLink(1), at: 2)
            #expect(tray.apply(.finished(0, .passed), at: 3).connecting == [2])
            for fact in before { tray.apply(fact, at: 4) }
            let steps = tray.apply(.blinkEnded(2), .timePassed, at: 5)
            #expect(steps.connecting == [1] || before.count == 1 && tray.links(over: 0) == [1], "\(before)")
        }
    }

    @Test(
        arguments: [
            [], [.wantsLink(0)], [.wantsLink(0), .connected(0)],
            [.wantsLink(0), .connected(0), .progressed(0)],
            [.wantsLink(0), .connected(0), .disconnected(0)], [.wantsLink(0), .notConnected(0, .noAnswer)],
        ] as [[TrayFact]])
    func `is never one at work`(facts: [TrayFact]) {
        var tray = Self.tray(2)
        tray.hearEveryone()
        for fact in facts { tray.apply(fact, at: 1) }
        #expect(tray.apply(.blinkRequested(0), at: 1.5) == [.refuseBlink(0, .atWork)])
        #expect(tray.links(over: 0).count <= 1)
    }

    @Test(
        arguments: [
            .passed, .notNeeded, .failed(.device.linkLost), .benchError(.system.noAdapter),
            .unknown(.device.linkLost), .skipped,
        ] as [UnitVerdict])
    func `may have ended`(verdict: UnitVerdict) {
        var tray = Self.tray(2)
        tray.hearEveryone()
        tray.apply(.finished(0, verdict), at: 1)
        #expect(tray.apply(.blinkRequested(0), at: 2) == [.blink(0, on: 0)])
        #expect(tray.apply(.wantsLink(0), at: 2).connecting == [0])
        tray.apply(.connected(0), .disconnected(0), .blinkEnded(0), at: 9)
        #expect(tray.verdicts[0] == verdict)
    }

    @Test func `may wait on a held tray, which stays held`() {
        var tray = Self.tray(3)
        tray.apply(.paused, at: 0)
        tray.hearEveryone()
        #expect(tray.apply(.blinkRequested(1), at: 2) == [.blink(1, on: 0)])
        #expect(tray.apply(.wantsLink(1), at: 2).connecting == [1])
        #expect(tray.apply(.connected(1), .blinkEnded(1), at: 8).begun == [])
        #expect(tray.apply(.released, at: 9).begun == [0, 1, 2])
    }

    @Test func `blinks once at a time`() {
        var tray = Self.full()
        #expect(tray.apply(.paused, .blinkRequested(2), at: 2).shown == [2: 0])
        for facts in [[.timePassed], [.wantsLink(2)], [.finished(0, .passed)], [.connected(2)]]
            as [[TrayFact]]
        {
            for fact in facts { tray.apply(fact, at: 3) }
            #expect(tray.apply(.blinkRequested(2), at: 3) == [.refuseBlink(2, .alreadyBlinking)])
        }
        #expect(tray.apply(.blinkEnded(2), .blinkRequested(2), at: 9).shown == [2: 0])
    }

    @Test func `does not begin its update meanwhile, and others do`() {
        var tray = Self.tray(4, links: 1)
        tray.apply(.heard(0, by: 0, dBm: -60), at: 0)
        tray.apply(.heard(2, by: 0, dBm: -60), at: 0)
        #expect(tray.apply(.heard(3, by: 0, dBm: -60), .blinkRequested(3), at: 0).shown == [3: 0])
        tray.apply(.wantsLink(0), .connected(0), .finished(0, .passed), at: 1)
        tray.apply(.wantsLink(2), .connected(2), .finished(2, .passed), at: 1)
        #expect(tray.apply(.heard(1, by: 0, dBm: -60), at: 2).begun == [1])
        #expect(tray.apply(.finished(1, .passed), .timePassed, at: 20).begun == [])
        #expect(tray.apply(.blinkEnded(3), at: 21).begun == [3])
    }

    @Test func `comes after units that had a link, and before those that had none`() {
        var tray = Self.tray(5, links: 2)
        tray.hearEveryone()
        tray.apply(.wantsLink(0), .connected(0), at: 1)
        tray.apply(.wantsLink(1), .disconnected(0), .blinkRequested(4), .wantsLink(4), .wantsLink(2), at: 2)
        tray.apply(.wantsLink(0), at: 3)
        #expect(tray.apply(.notConnected(1, .noAnswer), at: 4).connecting == [0])
        #expect(tray.apply(.connected(0), at: 5).connecting == [4])
        #expect(tray.apply(.connected(4), at: 6).connecting == [])
        #expect(tray.apply(.blinkEnded(4), at: 9).connecting == [2])
    }

    @Test func `waits while the only link is reserved for a unit that restarts`() {
        var tray = Self.full()
        tray.apply(.blinkRequested(2), .wantsLink(2), .disconnected(0), at: 2)
        #expect(tray.apply(.wantsLink(0), at: 4).connecting == [0])
        #expect(tray.apply(.connected(0), .disconnected(0), at: 5).connecting == [])
        // It is lent after five seconds, as to others.
        #expect(tray.apply(.timePassed, at: 10).connecting == [2])
    }

    @Test func `ends when the run does, and does not blink again`() {
        var tray = Self.full()
        tray.apply(.blinkRequested(2), .blinkRequested(3), at: 2)
        let steps = tray.apply(.stopped, at: 3)
        #expect(steps.contains(.endBlink(2)) && steps.contains(.endBlink(3)))
        tray.apply(.blinkEnded(2), .blinkEnded(3), at: 4)
        #expect(tray.apply(.blinkRequested(2), at: 5) == [.refuseBlink(2, .stopped)])
    }

    @Test func `delays the end of the run`() {
        var tray = Self.tray(1)
        tray.hearEveryone()
        tray.apply(.finished(0, .passed), .blinkRequested(0), .wantsLink(0), .connected(0), at: 1)
        #expect(!tray.isOver)
        tray.apply(.blinkEnded(0), at: 7)
        #expect(tray.isOver && tray.nextMoment == nil)
    }

    @Test(
        arguments: [
            // The adapter with the best signal, of those with a good one.
            ([-60, -80], [], 0), ([-80, -60], [], 1), ([-90, -60], [1], 1), ([-60, -60], [], 0),
            // The adapter with a free link.
            ([-60, -80], [0], 1), ([-60, -60], [0], 1), ([-60, -60], [0, 1], 0),
        ] as [([Int8], [Int], Int)])
    func `uses an adapter that hears it and has a free link`(
        strengths: [Int8], full: [Int], adapter: Int
    ) {
        var tray = Self.tray(3, links: 1, adapters: 2)
        for number in full {
            let other = AdapterNumber(number)
            tray.apply(.heard(UnitNumber(number), by: other, dBm: -40), at: 0)
            tray.apply(.heard(UnitNumber(number), by: AdapterNumber(1 - number), dBm: -70), at: 0)
            tray.apply(.wantsLink(UnitNumber(number)), .connected(UnitNumber(number)), at: 0)
        }
        for (number, dBm) in strengths.enumerated() {
            tray.apply(.paused, .heard(2, by: AdapterNumber(number), dBm: dBm), at: 1)
        }
        #expect(tray.apply(.blinkRequested(2), at: 2).shown == [2: AdapterNumber(adapter)])
    }

    @Test func `is refused if no adapter hears it`() {
        var tray = Self.tray(2, adapters: 2)
        tray.apply(.paused, .heard(1, by: 0, dBm: -60), at: 0)
        #expect(tray.apply(.blinkRequested(0), at: 1) == [.refuseBlink(0, .notHeard)])
        tray.apply(.adapter(0, isThere: false), at: 2)
        #expect(tray.apply(.blinkRequested(1), at: 3) == [.refuseBlink(1, .notHeard)])
        #expect(tray.apply(.blinkRequested(7), at: 3) == [])
    }

    /// The unit's update has ended, and its earlier signals still count.
    @Test func `does not use its former adapter if that was removed`() {
        var tray = Self.tray(1, adapters: 2)
        tray.apply(.heard(0, by: 0, dBm: -60), at: 0)
        tray.apply(.timePassed, at: 1)
        tray.apply(.finished(0, .passed), .adapter(0, isThere: false), at: 2)
        #expect(tray.apply(.blinkRequested(0), at: 3) == [.refuseBlink(0, .notHeard)])
        tray.apply(.heard(0, by: 1, dBm: -80), at: 4)
        #expect(tray.apply(.blinkRequested(0), at: 5).shown == [0: 1])
    }

    @Test func `gets no link of a removed adapter`() {
        var tray = Self.full()
        tray.apply(.blinkRequested(2), .wantsLink(2), at: 2)
        #expect(tray.apply(.adapter(0, isThere: false), at: 3).contains(.refuse(2)))
        #expect(tray.apply(.blinkEnded(2), .adapter(0, isThere: true), at: 4).connecting == [])
    }

    @Test func `lowers the slots by a refusal, and waits for its place`() {
        var tray = Self.tray(4, links: 3)
        tray.hearEveryone()
        tray.apply(.wantsLink(0), .connected(0), .blinkRequested(3), .wantsLink(3), at: 1)
        #expect(tray.apply(.notConnected(3, .tooManyLinks), at: 2).connecting == [])
        #expect(tray.slots(of: 0)?.limit == 1)
        #expect(tray.apply(.disconnected(0), .finished(0, .passed), at: 8).connecting == [3])
    }

    @Test func `has the interval of all links, and counts once for that`() {
        var tray = Self.tray(5, links: 8)
        tray.apply(.paused, at: 0)
        tray.hearEveryone()
        #expect(tray.apply(.blinkRequested(4), .wantsLink(4), at: 1).intervals == [.milliseconds(20)])
        tray.apply(.connected(4), at: 2)
        #expect(tray.apply(.finished(0, .skipped), at: 3) == [.retune(0, interval: .milliseconds(10))])
    }

    @Test func `delays no other unit if its link is never requested`() {
        var tray = Self.tray(3, links: 1)
        tray.apply(.paused, at: 0)
        tray.hearEveryone()
        tray.apply(.blinkRequested(2), at: 0)
        #expect(tray.apply(.released, at: 1).begun == [0])
        #expect(tray.nextMoment == .seconds(5))
        #expect(tray.apply(.timePassed, at: 5).begun == [1])
    }

    /// The unit's own end is unrelated to the link for its blinking.
    @Test func `may be skipped or retried meanwhile`() {
        var tray = Self.tray(4, links: 2)
        #expect(tray.hearEveryone().begun == [0, 1, 2])
        tray.apply(.blinkRequested(3), .wantsLink(3), .wantsLink(1), at: 2)
        #expect(tray.apply(.finished(3, .skipped), at: 3).connecting == [])
        #expect(tray.links(over: 0) == [3])
        tray.apply(.connected(3), .retried(3), .heard(3, by: 0, dBm: -60), at: 4)
        tray.apply(.finished(0, .passed), .finished(1, .passed), .finished(2, .passed), at: 5)
        #expect(tray.links(over: 0) == [3])
        #expect(tray.apply(.blinkEnded(3), at: 9).begun == [3])
    }
}
