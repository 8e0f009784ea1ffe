import Bluetooth
import Synchronization
import UpdateModel

/// Reports speeds at fixed moments while firmware is under way, by a timer, so that senders need not check the time.
final class SpeedTicker: Sendable {
    private struct State: Sendable {
        var speeds = SteadySpeeds()
        /// Bytes sent but not yet accepted.
        var open = 0
        var next: Duration?
        var alarm: Alarm?
        /// The number of the current run, to recognise a timer of an earlier run that fires while it is cancelled.
        var run = 0
    }

    private let time: Timekeeper
    private let report: @Sendable (UpdateEvent) -> Void
    private let state = Mutex(State())

    init(time: Timekeeper, report: @escaping @Sendable (UpdateEvent) -> Void) {
        (self.time, self.report) = (time, report)
    }

    /// Records `count` sent bytes; with `isAccepted` they count as accepted, because no confirmation will follow.
    func sent(_ count: Int, isAccepted: Bool) {
        let run = state.withLock { state -> Int? in
            let isFirst = state.next == nil
            if isFirst {
                let now = time.now
                state.run += 1
                state.next = now + SteadySpeeds.interval
                state.speeds.begin(at: now)
            }
            if isAccepted { state.speeds.accepted(count) } else { state.open += count }
            return isFirst ? state.run : nil
        }
        if let run { arm(run) }
    }

    func noteAcceptance() {
        state.withLock {
            $0.speeds.accepted($0.open)
            $0.open = 0
        }
    }

    /// Records that the bytes not yet accepted will be sent again.
    func noteLoss() { state.withLock { $0.open = 0 } }

    func pause() {
        let alarm = state.withLock { state in
            defer { (state.next, state.alarm) = (nil, nil) }
            return state.alarm
        }
        alarm?.stop()
    }

    private func arm(_ run: Int) {
        guard let next = state.withLock({ $0.run == run ? $0.next : nil }) else { return }
        let alarm = time.alarm(after: next - time.now) { [self] in ring(run) }
        let isWanted = state.withLock { state in
            guard state.run == run, state.next == next else { return false }
            state.alarm = alarm
            return true
        }
        if !isWanted { alarm.stop() }
    }

    private func ring(_ run: Int) {
        let sample = state.withLock { state -> SteadySpeeds.Sample? in
            guard state.run == run, let moment = state.next else { return nil }
            state.next = moment + SteadySpeeds.interval
            return state.speeds.sample(at: moment)
        }
        guard let sample else { return }
        report(.steadySpeed(sample.speeds))
        if let rate = sample.lastSecond { report(.currentSpeed(rate)) }
        arm(run)
    }
}
