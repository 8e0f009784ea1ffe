import Sessions
import Synchronization
package import Tray
package import UpdateCore

/// An attempt's record, as its events come.
package final class AttemptNotes: Sendable {
    fileprivate struct State: Sendable {
        var record: AttemptRecord
        var sent = 0
        var isTransferring = false
        var installs = false
        /// The application has said what it is.
        var hasHeardFacts = false
        /// The unit was sent firmware.
        var hasBeenSent = false
        var retries = 0
        /// The first and the last time at which firmware was sent, in seconds after the attempt's begin.
        var transferred: ClosedRange<Double>?
        /// When passing packets are told of again.
        var nextNews = Duration.zero
        /// The version before, as it was written down.
        var written: String?
        /// Since when so much had been sent, for the next speed; nil before anything was.
        var mark: (at: Double, sent: Int)?
    }

    private let state: Mutex<State>
    private let begin: Duration

    /// Notes on `record`, which begins at `moment`.
    package init(_ record: AttemptRecord, at moment: Duration) {
        state = Mutex(State(record: record, written: record.versionBefore))
        begin = moment
    }

    package var record: AttemptRecord { state.withLock { $0.record } }

    /// Whether the unit's application was asked in the attempt, or came up after it.
    var hasSeenApplication: Bool {
        state.withLock { state in
            state.hasHeardFacts
                || [Verification.version, .reappeared].contains { $0.rawValue == state.record.verified }
        }
    }

    /// Whether the unit was told to install what it was sent.
    var installs: Bool { state.withLock { $0.installs } }

    func noteInstalling() { state.withLock { $0.installs = true } }

    /// Whether the unit was sent firmware, after which nothing that it was told to install before can come up.
    var hasBeenSent: Bool { state.withLock { $0.hasBeenSent } }

    /// Whether firmware has left in the attempt.
    var hasSentBytes: Bool { state.withLock { $0.sent > 0 } }

    func noteSending() { state.withLock { ($0.hasBeenSent, $0.installs) = (true, false) } }

    func change(_ body: (inout AttemptRecord) -> Void) { state.withLock { body(&$0.record) } }

    /// Notes an event; returns what the schedule has to know of it.
    @discardableResult
    package func note(_ event: UpdateEvent, of unit: UnitNumber, at moment: Duration) -> TrayFact? {
        let at = (moment - begin) / .seconds(1)
        return state.withLock { state in
            switch event {
            case .phase(let phase):
                state.record.phases.append(AttemptRecord.Phase(phase.rawValue, at: at))
                state.isTransferring = phase == .transferring
                if state.isTransferring, state.transferred == nil { state.transferred = at...at }
                return phase == .activating || phase == .rebooting ? .sentAll(unit) : nil
            case .progress(let sent, let total, _):
                defer { state.sent = sent }
                state.transferred = (state.transferred?.lowerBound ?? at)...at
                state.noteSpeed(at: at, sent: sent, isLast: sent == total)
                if sent == total {
                    state.isTransferring = false
                    return .sentAll(unit)
                }
                return sent != state.sent ? .progressed(unit) : nil
            case .retry:
                state.retries += 1
                return nil
            case .warning(let code, let message):
                state.record.warnings.append(AttemptRecord.Warning(code.rawValue, message))
                return nil
            default: return nil
            }
        }
    }

    /// Packets have passed; returns what the schedule has to know of it.
    func packetsPassed(of unit: UnitNumber, at moment: Duration) -> TrayFact? {
        state.withLock { state in
            guard state.isTransferring, moment >= state.nextNews else { return nil }
            state.nextNews = moment + .milliseconds(200)
            return .progressed(unit)
        }
    }

    /// Notes what the application says of itself before anything is done to it.
    package func note(_ facts: ApplicationFacts) {
        state.withLock {
            $0.record.versionBefore = facts.version ?? $0.record.versionBefore
            $0.hasHeardFacts = true
        }
    }

    /// The record, where it has a version before that was not written down yet: a kill must not forget what was read.
    package func takeNews() -> AttemptRecord? {
        state.withLock { state in
            guard state.record.versionBefore != state.written else { return nil }
            state.written = state.record.versionBefore
            return state.record
        }
    }

    /// Notes what an update has come to.
    package func note(_ report: UpdateReport) {
        change { record in
            record.versionAfter = report.revision
            record.verified = report.verified.rawValue
            record.versionBefore = record.versionBefore ?? report.revisionBefore
            record.transfer = AttemptRecord.Transfer(
                bytes: report.bytes, seconds: report.transferSeconds, average: report.averageBytesPerSecond,
                retries: report.retries, limitedBy: report.limitedBy.rawValue)
        }
    }

    /// The record of an attempt that has ended at `moment`.
    package func ended(_ verdict: Verdict, at moment: Duration) -> AttemptRecord {
        state.withLock {
            $0.record.seconds = (moment - begin) / .seconds(1)
            $0.record.verdict = verdict
            $0.record.transfer = $0.record.transfer ?? $0.transferSoFar
            return $0.record
        }
    }
}

extension AttemptNotes.State {
    /// What was sent of an update that has not come to its end; nil where nothing was.
    fileprivate var transferSoFar: AttemptRecord.Transfer? {
        guard sent > 0, let transferred else { return nil }
        let seconds = transferred.upperBound - transferred.lowerBound
        return AttemptRecord.Transfer(
            bytes: sent, seconds: seconds, average: seconds > 0 ? Double(sent) / seconds : 0,
            retries: retries,
            limitedBy: nil)
    }

    /// Notes the speed since the last time, once a second and at the end: together they are what was sent. What is sent again
    /// after a loss begins anew.
    fileprivate mutating func noteSpeed(at: Double, sent: Int, isLast: Bool) {
        guard let mark, sent >= mark.sent else { return mark = (at, sent) }
        let passed = at - mark.at
        guard passed >= 1 || (isLast && passed > 0 && sent > mark.sent) else { return }
        record.speeds.append(
            AttemptRecord.Speed(at: at, bytesPerSecond: Double(sent - mark.sent) / passed))
        self.mark = (at, sent)
    }
}
