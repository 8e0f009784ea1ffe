import BluetoothTypes
import Sessions
import Timing
import UpdateCore

/// What a run measures and tells: meter, ledger, and the events they become.
struct Telemetry: SessionObserver, Sendable {
    private static let progressInterval = Duration.milliseconds(100)
    /// A device may ask for other parameters in the middle of a link; nobody tells when.
    private static let linkInterval = Duration.seconds(1)

    private let time: Timekeeper
    private let report: @Sendable (UpdateEvent) -> Void
    private let nearbyScan: NearbyScan?
    /// Waited for before the device is told to install what it has; may refuse that.
    var willActivate: @Sendable () async throws -> Void = {}
    /// Waited for before an application that may name its bootloader is told to start it; may refuse that.
    var willLeave: @Sendable (_ isNamed: Bool) async throws -> Void = { _ in }
    /// Tells where the link is no longer what was told of it.
    var lookAtLink: @Sendable () async -> Void = {}
    private var lastLookAtLink: Duration?
    private let start: Duration
    private var meter = TransferMeter()
    private var ledger = TimeLedger()
    private let ticker: SpeedTicker
    private var lastProgress: Duration?
    private var retries = 0
    private var furthest = 0
    /// How long a device that had everything was not told to install it.
    private var held = Duration.zero
    private var repeated = 0
    /// How many bytes have left for the first time.
    private var fresh = 0
    /// The furthest byte that the device has accepted.
    private(set) var accepted = 0

    /// Before the device is told to install what it has, its `nearbyScan` have to be known.
    init(
        time: Timekeeper, nearbyScan: NearbyScan? = nil,
        report: @escaping @Sendable (UpdateEvent) -> Void
    ) {
        self.time = time
        self.report = report
        self.nearbyScan = nearbyScan
        start = time.now
        ticker = SpeedTicker(time: time, report: report)
    }

    mutating func note(_ notice: UpdateNotice) async throws {
        tell(notice)
        switch notice {
        case .leavingApplication(let isNamed): try await willLeave(isNamed)
        case .accepted where lastLookAtLink.map({ time.now - $0 >= Self.linkInterval }) ?? true:
            lastLookAtLink = time.now
            await lookAtLink()
        default: break
        }
        guard case .phase(.activating) = notice else { return }
        // Afterwards the unit may be heard as somebody else.
        let begin = time.now
        _ = try await nearbyScan?.wait(for: .end)
        try await willActivate()
        held += time.now - begin
    }

    mutating func tell(_ notice: UpdateNotice) {
        switch notice {
        case .phase(let phase):
            if phase == .activating { pause() }
            report(.phase(phase))
        case .part(let part): report(.part(part))
        case .resumed(let offset):
            accepted = max(accepted, offset)
            report(.resumed(offset: offset))
        case .retry(let reason, let offset): noteRetry(reason, from: offset)
        case .accepted(let position):
            accepted = max(accepted, position)
            nearbyScan?.noteAnswer()
            ledger.isRepeating = false
            ticker.accepted()
            if let speeds = meter.blockAccepted(at: transferTime) { report(.speed(speeds)) }
        case .warning(let code, let text): report(.warning(code, text))
        case .detail(let detail): report(.detail(detail))
        case .leavingApplication: break
        }
    }

    func read(_ source: Characteristic, _ value: [UInt8]) {
        report(.detail(.characteristicRead(source, value)))
    }

    mutating func noteRetry(_ reason: FailureCode, from offset: Int) {
        retries += 1
        // What is said again before the first byte of firmware repeats no firmware.
        ledger.isRepeating = meter.hasBegun
        meter.blockLost()
        ticker.lost()
        report(.retry(attempt: retries, reason: reason, from: offset))
    }

    private var transferTime: Duration { time.now - held }

    /// `length` went into `limit`.
    mutating func book(_ length: Duration, to limit: SpeedLimit) { ledger.book(length, to: limit) }

    /// Nothing is under way: the link has ended, or everything is there.
    func pause() { ticker.pause() }

    /// Firmware up to `position` of `total` has left; at most ten reports a second, and the last one. `isUnanswered`
    /// where the device will not say block by block what it has accepted.
    mutating func sent(_ count: Int, upTo position: Int, of total: Int, isUnanswered: Bool) {
        let now = transferTime
        ticker.sent(count, isAccepted: isUnanswered)
        meter.sent(count, at: now)
        let again = max(0, min(furthest, position) - (position - count))
        repeated += again
        fresh += count - again
        furthest = max(furthest, position)
        if let lastProgress, now - lastProgress < Self.progressInterval, position < total { return }
        lastProgress = now
        report(.progress(sent: position, total: total, bytesPerSecond: meter.recentRate(at: now)))
    }

    /// The report of an update of `unit` that has led to what was `found`.
    func summary(of unit: UnitUpdate, _ found: VerifiedState) -> UpdateReport {
        let before =
            unit.baseline.revision.flatMap { $0.source == found.revision?.source ? $0.text : nil }
            ?? found.revisionBefore
        return UpdateReport(
            bytes: unit.procedure.total, seconds: (time.now - start).seconds,
            transferSeconds: meter.elapsed.seconds,
            averageBytesPerSecond: meter.elapsed > .zero ? Double(fresh) / meter.elapsed.seconds : 0,
            retries: retries, verified: found.verification,
            limitedBy: ledger.limit, revision: found.revision?.text,
            revisionSource: found.revision?.source, revisionBefore: before, repeatedBytes: repeated)
    }
}
