import UpdateModel

/// Sending the image in writes: block by block, each followed by a status (dialog-suota.md, Blocks).
extension SUOTAProcedure {
    /// Sends the length, unless the device has it already; then the block.
    mutating func announce() -> UpdateStep {
        let length = attempt.plan.block(attempt.block).count
        guard length != attempt.announced, length > 0 else { return send() }
        let notice = log(attempt.announced == nil ? "the upload begins" : "a shorter last block")
        attempt.announced = length
        state = .announcing
        return UpdateStep(
            .write([UInt8(length & 0xFF), UInt8(length >> 8 & 0xFF)], on: SUOTAService.patchLength),
            notices: [notice, log("patch length \(length)")])
    }

    /// Sends the rest of the block, or only its next chunk if every chunk is reported.
    mutating func send() -> UpdateStep {
        if state == .announcing, attempt.clock.uploadStart == nil {
            attempt.clock.uploadStart = times?.started
        }
        let (plan, position) = (attempt.plan, attempt.position)
        let range = plan.block(attempt.block)
        let end =
            preferences.reportsChunks ? min(position + plan.chunkSize, range.upperBound) : range.upperBound
        state = .sending(upTo: end)
        return UpdateStep(
            .stream(
                PacketRun(
                    bytes: upload[position..<end], target: SUOTAService.patchData,
                    packetLength: plan.chunkSize,
                    payload: PayloadSpan(at: position, of: total))),
            notices: position == 0 ? [.phase(.transferring)] : [])
    }

    mutating func hasSent(upTo end: Int) -> UpdateStep {
        let range = attempt.plan.block(attempt.block)
        if attempt.position == range.lowerBound { attempt.clock.blockStart = times?.started }
        attempt.position = end
        let isWhole = end == range.upperBound
        if attempt.block == 0, isWhole, update.bank == .untouched { update.bank = .inDoubt }
        let notices = preferences.reportsChunks ? chunkNotices(range) : []
        var step = isWhole ? expectStatus(.block) : send()
        step.notices = notices + step.notices
        return step
    }

    /// The device has accepted the block.
    mutating func takeBlock(isSettled: Bool = false) -> UpdateStep {
        let notices = noteBlock(isSettled: isSettled)
        var step = goOn()
        step.notices = notices + step.notices
        return step
    }

    mutating func noteBlock(isSettled: Bool) -> [UpdateNotice] {
        if let ended = times?.ended { attempt.clock.uploadEnded(at: ended) }
        var notices = blockNotices()
        if isSettled {
            attempt.owed += 1
            notices.append(
                log("no status came for block \(attempt.block + 1), but the beacon has the block"))
        }
        attempt.block += 1
        update.bank = .written
        return notices
    }

    /// Continues with the next block, or after the last one reads the device's count.
    mutating func goOn() -> UpdateStep {
        if attempt.block < attempt.plan.blockCount { return announce() }
        var step = awaitArrival()
        step.notices = uploadNotices()
        return step
    }

    /// The count that the device reports when it has everything up to the current position: a DA1458x excludes the
    /// XOR byte.
    var expectedCount: Int {
        family == .da1458x ? min(attempt.position, payloadEnd) : attempt.position
    }

    /// Whether the count distinguishes the current block from the previous one: not if the block is only the XOR
    /// byte.
    var countTells: Bool {
        let before = attempt.plan.block(attempt.block).lowerBound
        return attempt.channel != nil
            || expectedCount > (family == .da1458x ? min(before, payloadEnd) : before)
    }
}
