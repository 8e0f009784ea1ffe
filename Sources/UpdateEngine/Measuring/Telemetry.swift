import Bluetooth
import UpdateModel

struct Telemetry: SessionObserver, Sendable {
    private static let progressInterval = Duration.milliseconds(100)
    /// How often to check the link parameters: a device may change them during a link without notice.
    private static let linkInterval = Duration.seconds(1)

    private let time: Timekeeper
    private let report: @Sendable (UpdateEvent) -> Void
    private let nearbyScan: NearbyScan?
    /// Awaited before the device is told to install what it has; may refuse that by throwing.
    var willActivate: @Sendable () async throws -> Void = {}
    /// Awaited before an application is told to start its bootloader, which may get a name; may refuse that by
    /// throwing.
    var willLeaveApplication: @Sendable (_ isNamed: Bool) async throws -> Void = { _ in }
    var checkLink: @Sendable () async -> Void = {}
    private var lastLinkCheck: Duration?
    private let start: Duration
    private var meter = TransferMeter()
    private var ledger = TimeLedger()
    private let ticker: SpeedTicker
    private var lastProgress: Duration?
    private var retries = 0
    private var furthest = 0
    /// The position of the image whose first packets were sent last; nil if other packets were sent last.
    private var startedImage: Int?
    /// The range of an image's first bytes, if they were sent last and the device answers them with the position where it
    /// continues.
    private var unansweredStart: Range<Int>?
    /// How long a device with a complete image has waited for the install request.
    private var activationDelay = Duration.zero
    private var repeated = 0
    /// Bytes sent for the first time.
    private var firstTimeBytes = 0
    /// The furthest byte that the device has received.
    private(set) var accepted = 0

    /// Telemetry that waits for the end of `nearbyScan` before the device is told to install what it has.
    init(time: Timekeeper, nearbyScan: NearbyScan? = nil, report: @escaping @Sendable (UpdateEvent) -> Void) {
        (self.time, self.report, self.nearbyScan) = (time, report, nearbyScan)
        start = time.now
        ticker = SpeedTicker(time: time, report: report)
    }

    mutating func note(_ notice: UpdateNotice) async throws {
        record(notice)
        switch notice {
        case .leavingApplication(let isNamed): try await willLeaveApplication(isNamed)
        case .accepted where lastLinkCheck.map({ time.now - $0 >= Self.linkInterval }) ?? true:
            lastLinkCheck = time.now
            await checkLink()
        default: break
        }
        guard case .phase(.activating) = notice else { return }
        // After the activation the unit may appear under another address.
        let begin = time.now
        _ = try await nearbyScan?.wait(for: .end)
        try await willActivate()
        activationDelay += time.now - begin
    }

    mutating func record(_ notice: UpdateNotice) {
        switch notice {
        case .phase(let phase):
            if phase == .activating { pause() }
            report(.phase(phase))
        case .part(let part): report(.part(part))
        case .resumed(let offset):
            unansweredStart = nil
            accepted = max(accepted, offset)
            report(.resumed(offset: offset))
        case .retry(let reason, let offset, let link):
            retries += 1
            // Requests repeated before the first byte of firmware do not count as repeated firmware.
            ledger.isRepeating = meter.hasBegun
            meter.blockLost()
            ticker.noteLoss()
            report(.retry(attempt: retries, reason: reason, from: offset, link: link))
        case .reached(let position): accepted = max(accepted, position)
        case .accepted(let position):
            accepted = max(accepted, position)
            if let start = unansweredStart, position >= start.upperBound {
                unansweredStart = nil
                reportFirstByte(at: start.lowerBound)
            }
            nearbyScan?.noteAnswer()
            ledger.isRepeating = false
            ticker.noteAcceptance()
            if let speeds = meter.blockAccepted(at: transferTime) { report(.speed(speeds)) }
        case .warning(let code, let text): report(.warning(code, text))
        case .detail(let detail): report(.detail(detail))
        case .leavingApplication: break
        }
    }

    func read(_ source: Characteristic, _ value: [UInt8]) {
        report(.detail(.characteristicRead(source, value)))
    }

    private var transferTime: Duration { time.now - activationDelay }

    mutating func book(_ length: Duration, to limit: SpeedLimit) { ledger.book(length, to: limit) }

    /// Records that no firmware is under way: the link has ended, or the image is complete.
    func pause() { ticker.pause() }

    /// Records that `payload` up to `position` was sent; emits at most ten reports a second, and the last
    /// one. `isUnanswered`: the device does not confirm accepted blocks.
    mutating func sent(_ count: Int, upTo position: Int, in payload: PayloadSpan, isUnanswered: Bool) {
        let now = transferTime
        ticker.sent(count, isAccepted: isUnanswered)
        meter.sent(count, at: now)
        let again = max(0, min(furthest, position) - (position - count))
        repeated += again
        firstTimeBytes += count - again
        furthest = max(furthest, position)
        noteBeginning(position - count..<position, payload)
        if let lastProgress, now - lastProgress < Self.progressInterval, position < payload.total { return }
        lastProgress = now
        report(.progress(sent: position, total: payload.total, bytesPerSecond: meter.recentRate(at: now)))
    }

    private mutating func noteBeginning(_ range: Range<Int>, _ payload: PayloadSpan) {
        let isFirst = range.lowerBound == payload.image
        guard !payload.asksForPosition else {
            return unansweredStart =
                isFirst ? range : unansweredStart.map { $0.lowerBound..<range.upperBound }
        }
        unansweredStart = nil
        if isFirst, startedImage != payload.image { reportFirstByte(at: payload.image) }
        startedImage = isFirst ? payload.image : nil
    }

    private func reportFirstByte(at image: Int) { report(.detail(.sentFromFirstByte(at: image))) }

    func summary(of unit: UnitUpdate, _ found: VerifiedState) -> UpdateReport {
        let before =
            unit.baseline.revision.flatMap { $0.source == found.revision?.source ? $0.text : nil }
            ?? found.revisionBefore
        return UpdateReport(
            bytes: unit.procedure.total, seconds: (time.now - start).seconds,
            transferSeconds: meter.elapsed.seconds,
            averageBytesPerSecond: meter.elapsed > .zero ? Double(firstTimeBytes) / meter.elapsed.seconds : 0,
            retries: retries, verified: found.verification,
            limitedBy: ledger.limit, revision: found.revision?.text,
            revisionSource: found.revision?.source, revisionBefore: before,
            imageHash: found.imageHash, repeatedBytes: repeated, hasNoApplication: found.hasNoApplication)
    }
}
