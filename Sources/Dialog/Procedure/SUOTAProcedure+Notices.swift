import UpdateModel

/// Notices besides phases and progress, in the order and with the meaning of the vendor's library.
extension SUOTAProcedure {
    func log(_ text: String, _ kind: UpdateDetail.LogKind = .info) -> UpdateNotice {
        .detail(.log(state: stateName, kind: kind, text: text))
    }

    private var stateName: String {
        switch state {
        case .idle, .identifying: "device-information"
        case .subscribing, .subscribingAgain: "enable-notifications"
        case .opening: "set-memory-device"
        case .writingPins: "set-gpio-map"
        case .announcing, .sending, .sendingOverChannel, .pollingStatus, .awaitingLateStatus: "send-block"
        case .awaiting(let what), .readingStatus(let what, _), .readingCount(let what, _):
            switch what {
            case .start: "set-memory-device"
            case .block, .arrival: "send-block"
            case .end, .signature: "end-signal"
            }
        case .draining, .aborting: "error"
        case .rebooting, .finished: "done"
        }
    }

    func chunkNotices(_ range: Range<Int>) -> [UpdateNotice] {
        let (plan, position, block) = (attempt.plan, attempt.position, attempt.block)
        let chunk = (position - range.lowerBound + plan.chunkSize - 1) / plan.chunkSize
        let size = (position - range.lowerBound - 1) % plan.chunkSize + 1
        let count = block * plan.chunksPerBlock + chunk
        let place = UpdateDetail.Position(
            chunk: count, of: plan.chunkCount, chunkOfBlock: chunk, chunksPerBlock: plan.chunksPerBlock,
            block: block + 1, blocks: plan.blockCount)
        return [.detail(.chunk(place)), log("chunk \(count) of \(plan.chunkCount), \(size) bytes", .chunk)]
    }

    func blockNotices() -> [UpdateNotice] {
        let (plan, block, clock) = (attempt.plan, attempt.block, attempt.clock)
        let range = plan.block(block)
        var text = "block \(block + 1) of \(plan.blockCount)"
        if let seconds = clock.seconds(since: clock.blockStart) { text += ", \(seconds)" }
        if let rate = clock.rate(range.count) { text += ", \(rate) B/s" }
        return [
            .accepted(upTo: range.upperBound), .detail(.block(number: block + 1, of: plan.blockCount)),
            log(text, .block),
        ]
    }

    var uploadNotice: UpdateNotice { log("upload done" + durationText(since: attempt.clock.uploadStart)) }

    var updateNotices: [UpdateNotice] {
        let durations = attempt.clock.durations
        return [
            log("update done" + durationText(since: attempt.clock.updateStart)),
            .detail(.verified(seconds: durations.update, uploadSeconds: durations.upload)),
        ]
    }

    private func durationText(since start: Duration?) -> String {
        attempt.clock.seconds(since: start).map { " in \($0)" } ?? ""
    }
}

/// The moments of an attempt, by the clock of ``CommandTimes``; nil if unknown.
struct UploadClock: Equatable, Sendable {
    var updateStart: Duration?
    /// When the first block length was written or, over a channel, the first packet was sent.
    var uploadStart: Duration?
    /// When the first packet of the current block was sent.
    var blockStart: Duration?
    var uploadEnd: Duration?
    /// When the last response came.
    var end: Duration?

    mutating func uploadEnded(at moment: Duration) { (end, uploadEnd) = (moment, moment) }

    /// The durations of the whole update and of its upload, in seconds; nil if a moment is unknown.
    var durations: (update: Double?, upload: Double?) {
        func length(_ start: Duration?, _ end: Duration?) -> Double? {
            start.flatMap { start in end.map { ($0 - start) / .seconds(1) } }
        }
        return (length(updateStart, end), length(uploadStart, uploadEnd))
    }

    /// The time from `start` to the last response, such as `1.250 s`; nil if one of the two is unknown.
    func seconds(since start: Duration?) -> String? {
        guard let start, let end else { return nil }
        let milliseconds = max(0, Int((end - start) / .milliseconds(1)))
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest + " s"
    }

    /// The bytes per second of the current block of `count` bytes; nil if a moment is unknown.
    func rate(_ count: Int) -> Int? {
        guard let blockStart, let end, end > blockStart else { return nil }
        return Int(Double(count) / ((end - blockStart) / .seconds(1)))
    }
}
