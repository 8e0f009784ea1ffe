import UpdateModel

/// Notices to observers beyond phases and progress, in the order and with the meaning of the vendor's library.
extension SUOTAProcedure {
    func log(_ text: String, _ kind: UpdateDetail.LogKind = .info) -> UpdateNotice {
        .detail(.log(state: stateName, kind: kind, text: text))
    }

    /// The vendor's name of the state, if there is one.
    private var stateName: String {
        switch state {
        case .idle, .identifying: "device-information"
        case .subscribing, .subscribingAgain: "enable-notifications"
        case .awaiting(.start), .readingStatus(.start, _), .readingCount(.start, _), .opening:
            "set-memory-device"
        case .wiring: "set-gpio-map"
        case .announcing, .sending, .pouring, .glancing, .sweeping, .awaiting(.block), .awaiting(.arrival),
            .readingStatus(.block, _), .readingStatus(.arrival, _), .readingCount(.block, _),
            .readingCount(.arrival, _):
            "send-block"
        case .awaiting(.end), .readingStatus(.end, _), .readingCount(.end, _), .awaiting(.signature),
            .readingStatus(.signature, _), .readingCount(.signature, _):
            "end-signal"
        case .draining, .aborting: "error"
        case .rebooting, .finished: "done"
        }
    }

    /// Notices for the chunk just sent.
    func chunkNotices(_ range: Range<Int>) -> [UpdateNotice] {
        let (plan, position, block) = (attempt.plan, attempt.position, attempt.block)
        let chunk = (position - range.lowerBound + plan.chunkSize - 1) / plan.chunkSize
        let size = (position - range.lowerBound - 1) % plan.chunkSize + 1
        let count = block * plan.chunksPerBlock + chunk
        let place = UpdateDetail.Position(
            chunk: count, of: plan.chunkCount, chunkOfBlock: chunk, chunksPerBlock: plan.chunksPerBlock,
            block: block + 1, blocks: plan.blockCount)
        return [
            .detail(.chunk(place)), log("chunk \(count) of \(plan.chunkCount), \(size) bytes", .chunk),
        ]
    }

    /// Notices for the block that the device has now.
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

    func uploadNotices() -> [UpdateNotice] {
        [
            log(
                "upload done"
                    + (attempt.clock.seconds(since: attempt.clock.uploadStart).map { " in \($0)" } ?? ""))
        ]
    }

    func updateNotices() -> [UpdateNotice] {
        let clock = attempt.clock
        let lengths = clock.lengths
        return [
            log("update done" + (clock.seconds(since: clock.updateStart).map { " in \($0)" } ?? "")),
            .detail(.verified(seconds: lengths.update, uploadSeconds: lengths.upload)),
        ]
    }
}
