import Testing

@testable import Bluetooth

@Suite struct `Running time` {
    private func passed(_ steps: [(Int, RunningTime.Pause)]) -> Duration {
        var time = RunningTime()
        var present = Duration.zero
        for (milliseconds, pause) in steps {
            present = time.pass(to: .milliseconds(milliseconds), after: pause)
        }
        return present
    }

    @Test func `passes as the clock does while the process runs`() {
        #expect(
            passed([
                (1, .work), (10_001, .sleep(limit: .seconds(10), wasWoken: false)), (11_900, .work),
                (20_000, .sleep(limit: .seconds(30), wasWoken: true)),
            ]) == .seconds(20))
    }

    @Test func `stands still after a sleep was overrun, however it ended`() {
        for wasWoken in [true, false] {
            #expect(
                passed([(1000, .work), (16_000, .sleep(limit: .seconds(10), wasWoken: wasWoken))])
                    == .seconds(1))
        }
        // A loaded machine is late too.
        #expect(
            passed([(1000, .work), (12_900, .sleep(limit: .seconds(10), wasWoken: false))])
                == .milliseconds(12_900))
    }

    @Test func `stands still if a process was continued before its deadline`() {
        #expect(
            passed([(1000, .work), (9000, .sleep(limit: .seconds(10), wasWoken: false))]) == .seconds(1))
    }

    @Test func `stands still if a process was stopped while it worked`() {
        #expect(passed([(1000, .work), (41_000, .work), (42_000, .work)]) == .seconds(2))
    }

    @Test func `passes if no task waits for a deadline`() {
        #expect(passed([(60_000, .sleep(limit: nil, wasWoken: true))]) == .seconds(60))
    }
}
