import Sessions
import UpdateCore

/// How the image travels in writes: block by block, each with a status after it (dialog-suota.md, Blocks).
extension SUOTAProcedure {
    /// The length, where the device does not know it yet; then the block.
    mutating func announce() -> UpdateStep {
        let length = plan.block(block).count
        guard length != announced, length > 0 else { return send() }
        var notices: [UpdateNotice] = []
        if announced == nil {
            notices = [log("the upload begins")]
        } else {
            notices = [log("a shorter last block")]
        }
        announced = length
        state = .announcing
        return UpdateStep(
            .write([UInt8(length & 0xFF), UInt8(length >> 8 & 0xFF)], on: SUOTAService.patchLength),
            notices: notices + [log("patch length \(length)")])
    }

    /// The rest of the block, or its next chunk where every one is told of.
    mutating func send() -> UpdateStep {
        if state == .announcing, clock.uploadStart == nil { clock.uploadStart = times?.started }
        let range = plan.block(block)
        let end =
            preferences.reportsChunks ? min(position + plan.chunkSize, range.upperBound) : range.upperBound
        var notices: [UpdateNotice] = []
        if position == 0 { notices = [.phase(.transferring)] }
        state = .sending(upTo: end)
        return UpdateStep(
            .stream(
                PacketRun(
                    bytes: upload[position..<end], target: SUOTAService.patchData,
                    packetLength: plan.chunkSize,
                    payload: PayloadSpan(at: position, of: total))), notices: notices)
    }

    mutating func hasSent(upTo end: Int) -> UpdateStep {
        let range = plan.block(block)
        if position == range.lowerBound { clock.blockStart = times?.started }
        noteSent(upTo: end)
        if block == 0, position == range.upperBound, bank == .untouched { bank = .inDoubt }
        var notices: [UpdateNotice] = []
        if preferences.reportsChunks { notices = chunkNotices(range) }
        guard position < range.upperBound else {
            var step = expectStatus(.block)
            step.notices = notices
            return step
        }
        var step = send()
        step.notices = notices + step.notices
        return step
    }

    mutating func noteSent(upTo end: Int) {
        sent += end - position
        position = end
        furthest = max(furthest, end)
    }

    /// The device has the block.
    mutating func takeBlock(isSettled: Bool = false) -> UpdateStep {
        let notices = noteBlock(isSettled: isSettled)
        var step = goOn()
        step.notices = notices + step.notices
        return step
    }

    mutating func noteBlock(isSettled: Bool) -> [UpdateNotice] {
        if let ended = times?.ended { (clock.end, clock.uploadEnd) = (ended, ended) }
        var notices = blockNotices()
        if isSettled {
            owed += 1
            notices.append(log("no status came for block \(block + 1), the device has it all the same"))
        }
        block += 1
        strays = 0
        bank = .written
        return notices
    }

    /// The next block; after the last one, what the device has.
    mutating func goOn() -> UpdateStep {
        if block < plan.blockCount { return announce() }
        waited = .zero
        counted = nil
        var step = count(.arrival, .caution)
        step.notices = uploadNotices()
        return step
    }

    /// What the device counts when it has everything up to the current position: a DA1458x leaves the XOR out.
    var expectedCount: Int { family == .da1458x ? min(position, payloadEnd) : position }

    /// Whether the count tells the block under way from the one before: not for a block that is the XOR alone.
    var countTells: Bool {
        let before = plan.block(block).lowerBound
        return channel != nil || expectedCount > (family == .da1458x ? min(before, payloadEnd) : before)
    }
}
