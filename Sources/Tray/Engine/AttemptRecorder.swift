import Bluetooth
import Synchronization
package import UpdateModel

/// Collects the record of one attempt from the events of its update.
package final class AttemptRecorder: Sendable {
    fileprivate struct State: Sendable {
        var record: AttemptRecord
        /// Bytes of the image that the unit has, as last reported.
        var sent = 0
        var isTransferring = false
        /// Whether the unit was told to install the firmware that it was sent.
        var wasToldToInstall = false
        /// Whether a transfer was begun: its first byte will replace firmware that the unit was told to install.
        var isAboutToSend = false
        var hasApplicationFacts = false
        var hasBeenSent = false
        var retries = 0
        /// Offsets of the parts' first bytes in the update, in bytes: one per time that a part was sent from there.
        var sentFrom: [Int] = []
        /// When firmware was first and last sent, in seconds after the start of the attempt.
        var transferred: ClosedRange<Double>?
        var nextProgress = Duration.zero
        /// The version before the update and its source, as last written to the journal.
        var journalled: [String?]
        /// The seconds and bytes at the last speed entry; nil before anything was sent.
        var lastSpeed: (at: Double, sent: Int)?
    }

    private let state: Mutex<State>
    private let begin: Duration

    package init(_ record: AttemptRecord, at moment: Duration) {
        state = Mutex(State(record: record, journalled: record.versionRead))
        begin = moment
    }

    package var record: AttemptRecord { state.withLock { $0.record } }

    /// Whether the unit's application was queried in the attempt, or started after it.
    var hasSeenApplication: Bool {
        state.withLock { state in
            state.hasApplicationFacts
                || [Verification.version, .reappeared].contains { $0.rawValue == state.record.verified }
        }
    }

    /// Whether the unit received the command to install the firmware that it was sent, and no new firmware since.
    var wasToldToInstall: Bool { state.withLock { $0.wasToldToInstall } }

    func noteInstalling() { state.withLock { ($0.wasToldToInstall, $0.isAboutToSend) = (true, false) } }

    /// Whether a transfer of firmware was begun, even if no byte was sent yet.
    var hasBeenSent: Bool { state.withLock { $0.hasBeenSent } }

    var hasSentBytes: Bool { state.withLock { $0.sent > 0 } }

    /// Notes that firmware is about to be sent. An attempt that only reads the result sends none.
    func noteSending() { state.withLock { ($0.hasBeenSent, $0.isAboutToSend) = (true, true) } }

    func change(_ body: (inout AttemptRecord) -> Void) { state.withLock { body(&$0.record) } }

    /// Records an event; returns the fact for the schedule, if any.
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
                if state.isAboutToSend { (state.wasToldToInstall, state.isAboutToSend) = (false, false) }
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
            case .detail(.sentFromFirstByte(let offset)):
                state.sentFrom.append(offset)
                if state.sentFrom.contains(where: { $0 > 0 }) { state.record.sentFrom = state.sentFrom }
                let times = state.sentFrom.count { $0 == offset }
                state.record.timesSent = max(times, state.record.timesSent ?? 0)
                return nil
            case .detail(.versionBefore(let version)):
                state.record.versionBefore = state.record.versionBefore ?? version
                return nil
            case .warning(let code, let message):
                state.record.warnings.append(AttemptRecord.Warning(code, message))
                return nil
            default: return nil
            }
        }
    }

    /// Records that packets have passed; returns the fact for the schedule, if any.
    func packetsPassed(of unit: UnitNumber, at moment: Duration) -> TrayFact? {
        state.withLock { state in
            guard state.isTransferring, moment >= state.nextProgress else { return nil }
            state.nextProgress = moment + .milliseconds(200)
            return .progressed(unit)
        }
    }

    /// Records what the application reports before it is changed.
    package func note(_ facts: ApplicationFacts) {
        state.withLock {
            $0.hasApplicationFacts = true
            guard let version = facts.version else { return }
            ($0.record.versionBefore, $0.record.versionSource) = (version, facts.versionSource?.description)
        }
    }

    /// The record, if its version before the update is not in the journal yet; otherwise nil.
    package func takeUnjournalled() -> AttemptRecord? {
        state.withLock { state in
            guard state.record.versionRead != state.journalled else { return nil }
            state.journalled = state.record.versionRead
            return state.record
        }
    }

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

    package func ended(_ verdict: UnitVerdict, at moment: Duration) -> AttemptRecord {
        state.withLock {
            $0.record.seconds = (moment - begin) / .seconds(1)
            $0.record.verdict = verdict
            $0.record.versionBefore = $0.record.versionBefore ?? $0.record.version(shownBy: verdict)
            $0.record.transfer = $0.record.transfer ?? $0.transferSoFar
            $0.record.timesSent = $0.record.timesSent ?? 0
            return $0.record
        }
    }
}

extension AttemptRecord {
    fileprivate var versionRead: [String?] { [versionBefore, versionSource] }

    /// The firmware's version, if `verdict` says that the unit reported it already; otherwise nil.
    func version(shownBy verdict: UnitVerdict) -> String? {
        verdict.code == FailureCode.device.sameVersion.rawValue ? firmware?.version : nil
    }
}

extension AttemptRecorder.State {
    /// What was sent in an update that did not end normally; nil if nothing was sent.
    fileprivate var transferSoFar: AttemptRecord.Transfer? {
        guard sent > 0, let transferred else { return nil }
        let seconds = transferred.upperBound - transferred.lowerBound
        return AttemptRecord.Transfer(
            bytes: sent, seconds: seconds, average: seconds > 0 ? Double(sent) / seconds : 0,
            retries: retries, limitedBy: nil)
    }

    /// Adds the speed since the last entry, once a second and at the end: together the entries cover all bytes. If the
    /// number of bytes falls after a loss, the next entry starts from there.
    fileprivate mutating func noteSpeed(at: Double, sent: Int, isLast: Bool) {
        guard let lastSpeed, sent >= lastSpeed.sent else { return lastSpeed = (at, sent) }
        let passed = at - lastSpeed.at
        guard passed >= 1 || (isLast && passed > 0 && sent > lastSpeed.sent) else { return }
        record.speeds.append(
            AttemptRecord.Speed(at: at, bytesPerSecond: Double(sent - lastSpeed.sent) / passed))
        self.lastSpeed = (at, sent)
    }
}
