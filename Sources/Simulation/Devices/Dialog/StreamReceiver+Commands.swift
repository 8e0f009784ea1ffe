extension StreamReceiver {
    mutating func memoryDevice(_ word: UInt32, at now: Duration) -> SUOTAReply {
        guard links + board.otherLinks == 1 else { return tell(.exit, at: now) }
        switch word >> 24 {
        case 0x13: return start(at: now)
        case 0xFD:
            record.reboots += 1
            return SUOTAReply([.disconnect(at: now)])
        case 0xFE: return end(at: now)
        case 0xFF:
            stage = .idle
            way = .open
            holdsBuffer = false
            return tell(.exit, at: now)
        default: return SUOTAReply()
        }
    }

    private mutating func start(at now: Duration) -> SUOTAReply {
        if holdsBuffer {
            record.clientErrors.append(.startWithoutAbort)
            buffersLost += 1
        }
        guard buffersLost < personality.spareBuffers else { return tell(.exit, at: now) }
        holdsBuffer = true
        hasStarted = true
        hasEnded = false
        stage = .header([])
        way = .open
        patchLength = 0
        unanswered = 0
        checksum = RunningCRC()
        headerBytes = []
        buffer = []
        memoryInfo = 0
        erasedEnd = FlashModel.page(of: updateStart)
        record.starts += 1
        return tell(.started, at: now)
    }

    private mutating func end(at now: Duration) -> SUOTAReply {
        record.ends += 1
        defer { hasEnded = true }
        guard stage != .idle else {
            record.clientErrors.append(.endWithoutStart)
            return tell(.memoryType, at: now)
        }
        if hasEnded { record.clientErrors.append(.endTwice) }
        guard case .body(let header, let count) = stage else {
            let isEmpty = memoryInfo == 0
            if stage != .failed {
                record.clientErrors.append(isEmpty ? .endWithoutData : .endBeforeAllBlocks)
            }
            return tell(.checksum, at: now)
        }
        if count < header.total { record.clientErrors.append(.endBeforeAllBlocks) }
        guard checksum.invert(matching: header.checksum) else { return tell(.checksum, at: now) }
        flushBuffer(upTo: count, at: now)
        finish(at: now)
        return tell(.ok, at: now)
    }

    /// Writes the header, and makes this image the one that starts.
    private mutating func finish(at now: Duration) {
        erase(upTo: updateStart, now)
        var bytes = headerBytes
        guard personality.family == .da1469x else {
            bytes[2] |= UInt8(StreamHeader.valid)
            _ = flash.append(.write(bytes, at: updateStart), at: now)
            return
        }
        _ = flash.append(.write(bytes, at: updateStart), at: now)
        let new = FlashHeader(active: personality.banks[runningBank], update: updateStart)
        _ = flash.append(.erase(0), at: now)
        _ = flash.append(.write(new.bytes, at: 0), at: now)
    }

    mutating func patchData(_ bytes: [UInt8], at now: Duration) -> SUOTAReply {
        guard stage != .idle else { return .refused }
        let flaw = take(bytes, at: now)
        if stage == .failed {
            return SUOTAReply(refusal: 0x80, flaw.map { tell($0, at: now).reactions } ?? [])
        }
        var reply = SUOTAReply()
        unanswered += bytes.count
        while patchLength > 0, unanswered >= patchLength {
            unanswered -= patchLength
            blocks += 1
            record.blocks += 1
            reply.reactions += tell(.ok, at: now).reactions
        }
        return reply
    }
}
