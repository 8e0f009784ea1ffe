import Testing
import UpdateModel

@testable import Nordic

@Suite struct `The time of an object` {
    private var timing = ConversationTiming()

    private mutating func exchange(from start: Int, to end: Int) {
        let times = CommandTimes(
            started: .milliseconds(start), acknowledged: .milliseconds(start + 10), ended: .milliseconds(end))
        _ = timing.note(times)
        timing.noteAnswer()
    }

    @Test mutating func `runs from sending Create to the response to Execute`() {
        #expect(timing.objectTime == nil)
        exchange(from: 100, to: 130)
        timing.noteCreate(isMeasured: true)
        exchange(from: 200, to: 230)
        timing.noteArrival()
        exchange(from: 230, to: 260)
        #expect(timing.objectTime == .milliseconds(160))
    }

    @Test mutating func `is unknown if Create was repeated`() {
        exchange(from: 100, to: 130)
        timing.noteCreate(isMeasured: true)
        exchange(from: 200, to: 230)
        timing.noteCreate(isMeasured: false)
        exchange(from: 300, to: 330)
        #expect(timing.objectTime == nil)
    }

    @Test mutating func `is unknown after a missing response`() {
        exchange(from: 100, to: 130)
        timing.noteCreate(isMeasured: true)
        timing.noteSilence()
        exchange(from: 200, to: 230)
        #expect(timing.objectTime == nil)
    }
}
