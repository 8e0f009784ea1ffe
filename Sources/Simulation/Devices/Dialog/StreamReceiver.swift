import Bytes

/// The SUOTA service of a DA1468x or DA1469x: a stream that is answered after every PATCH_LEN bytes, or a channel
/// (dialog-suota.md, Receivers 68x and 69x).
package struct StreamReceiver: SUOTAReceiver {
    enum Stage: Hashable, Sendable {
        case idle
        /// The header is arriving; the associated value is its bytes so far.
        case header([UInt8])
        /// The code is arriving; the second value is the number of header and code bytes so far.
        case body(ImageHeader, Int)
        case failed
    }

    /// How the image is sent: `undecided` until a write to PATCH_LEN or a packet on the channel decides it.
    enum Transport: Hashable, Sendable { case undecided, attributes, channel }

    static let bufferSize = 512

    package let personality: SUOTAPersonality
    package let board: SUOTABoard
    package var flash: FlashModel
    package var status: UInt8 = 0
    package internal(set) var memoryInfo: UInt32 = 0
    package var record = SUOTARecord()

    var stage = Stage.idle
    var transport = Transport.undecided
    var patchLength = 0
    /// The bytes received since the last block that was answered on STATUS.
    var unanswered = 0
    var checksum = RunningCRC()
    package internal(set) var hasEnded = false
    var headerBytes: [UInt8] = []
    var buffer: [UInt8] = []
    package var erasedEnd = 0
    var blocks = 0
    var buffersLost = 0
    var holdsBuffer = false
    var hasStarted = false
    var links = 0
    /// The index of the running image's partition in `banks`: 0, or 1 on a 69x.
    var runningBank = 0
    /// 68x: when the loader finishes the copy; nil if there is nothing to copy.
    var copyEnds: Duration?

    package var position: (block: Int, isHalfway: Bool) {
        switch transport {
        case .undecided: (blocks + 1, false)
        case .attributes: (blocks + 1, patchLength > 0 && unanswered > 0 && unanswered * 2 >= patchLength)
        case .channel:
            (blocks + Int(memoryInfo) / Self.bufferSize + 1, Int(memoryInfo) % Self.bufferSize >= 256)
        }
    }

    package mutating func connect(at now: Duration) {
        finishCopying(at: now)
        links += 1
        status = 0
    }

    /// A device on which an update was started resets at the end of any link.
    package mutating func disconnect(at now: Duration) -> Duration? {
        let now = ready(at: now)
        links -= 1
        guard hasStarted else { return nil }
        stage = .idle
        transport = .undecided
        return board.resets ? now : nil
    }

    package var acceptedBytes: Int {
        switch stage {
        case .idle, .failed: 0
        case .header(let bytes): bytes.count
        case .body(_, let count): count
        }
    }

    package var codeStart: Int { if case .body(let header, _) = stage { header.codeOffset } else { 0 } }

    package func listens(on psm: UInt16) -> Bool {
        guard case .idle = stage else { return personality.psm == psm && transport != .attributes }
        return false
    }

    package mutating func write(_ value: [UInt8], to target: SUOTATarget, at moment: Duration) -> SUOTAReply {
        let isEarly = moment < idle(at: moment)
        let now = ready(at: moment)
        guard target.accepts(value) else { return .refused }
        switch target {
        case .memoryDevice: return memoryDevice(value.field(0, 4), at: now)
        case .pinMap: return SUOTAReply()
        case .patchLength:
            patchLength = value.field(0, 2)
            transport = .attributes
            if patchLength == 0 { record.brokenRules.append(.patchLengthZero) }
            return SUOTAReply()
        case .patchData:
            if isEarly, unanswered == 0, stage != .idle, patchLength > 0 {
                record.brokenRules.append(.blockBeforeAnswer)
            }
            return patchData(value, at: now)
        }
    }

    package mutating func channel(_ packet: [UInt8], at moment: Duration) -> SUOTAReply {
        let now = ready(at: moment)
        record.channelPackets += 1
        guard transport != .attributes else {
            record.brokenRules.append(.channelInAttributeMode)
            return SUOTAReply()
        }
        guard stage != .idle else { return SUOTAReply() }
        transport = .channel
        return take(packet, at: now).map { report($0, at: now) } ?? SUOTAReply()
    }

    /// 68x: a loader copies a finished update over the running image, again after a power loss; it ignores an update
    /// with a wrong CRC. 69x: the flash header names the image (dialog-suota.md, Which image starts).
    package mutating func reset(at now: Duration) -> SUOTABoot {
        flash.advance(to: now)
        flash.dropQueue()
        let old = self
        self = StreamReceiver(personality: personality, board: board, flash: flash)
        (blocks, runningBank, copyEnds, record) = (old.blocks, old.runningBank, old.copyEnds, old.record)
        record.resets += 1
        return personality.family == .da1469x ? followHeader() : copyUpdate(at: now)
    }

    private mutating func followHeader() -> SUOTABoot {
        let places = FlashHeader(flash.content(0..<FlashHeader.size)).map { [$0.update, $0.active] }
        // Without a valid flash header the partitions are tried in order: the first one holds the factory image.
        for place in places ?? personality.banks {
            guard let number = personality.banks.firstIndex(of: place),
                let image = image(at: number), image.isIntact
            else { continue }
            runningBank = number
            return SUOTABoot(image: image, time: personality.startTime)
        }
        return SUOTABoot(image: nil, time: personality.startTime)
    }

    private mutating func copyUpdate(at now: Duration) -> SUOTABoot {
        finishCopying(at: now)
        copyEnds = nil
        guard let update = image(at: 1), update.isIntact, header(at: 1)?.isFinished == true else {
            return SUOTABoot(image: image(at: 0), time: personality.startTime)
        }
        let pages = FlashModel.pages(in: update.payload.count + personality.family.headerSize)
        let time = (flash.timing.pageErase + flash.timing.pageProgram) * pages
        // The copy takes effect at its end: a power loss before that restarts it.
        copyEnds = now + time
        var copy = update
        copy.bank = 1
        return SUOTABoot(image: copy, time: time + personality.startTime)
    }

    /// Applies a copy that has ended by `now`; must be called before anything else accesses the partition.
    mutating func finishCopying(at now: Duration) {
        guard let ends = copyEnds, ends <= now else { return }
        copyEnds = nil
        guard let header = header(at: 1) else { return }
        let start = personality.banks[1]
        flash.place(flash.content(start..<start + header.total), at: personality.banks[0])
        flash.place([0, 0], at: start + 2)
    }

    private func header(at number: Int) -> ImageHeader? {
        let start = personality.banks[number]
        let header = ImageHeader(
            flash.content(start..<start + personality.family.headerSize), personality.family)
        guard let header, header.hasSignature, header.total <= personality.flashSize - start else {
            return nil
        }
        return header
    }

    private func image(at number: Int) -> SUOTABoot.Image? {
        guard let header = header(at: number) else { return nil }
        let start = personality.banks[number]
        let payload = flash.content(start + header.codeOffset..<start + header.total)
        return SUOTABoot.Image(
            version: header.versionText, timestamp: header.timestamp, payload: payload,
            bank: number + 1, isIntact: CRC32.checksum(payload) == header.checksum)
    }

    mutating func memoryDevice(_ word: Int, at now: Duration) -> SUOTAReply {
        guard links + board.otherLinks == 1 else { return report(.exit, at: now) }
        switch word >> 24 {
        case 0x13: return start(at: now)
        case 0xFD: return SUOTAReply(reactions: [.disconnect(at: now)])
        case 0xFE: return end(at: now)
        case 0xFF:
            stage = .idle
            transport = .undecided
            holdsBuffer = false
            return report(.exit, at: now)
        default: return SUOTAReply()
        }
    }

    private mutating func start(at now: Duration) -> SUOTAReply {
        if holdsBuffer {
            record.brokenRules.append(.startWithoutAbort)
            buffersLost += 1
        }
        guard buffersLost < personality.spareBuffers else { return report(.exit, at: now) }
        holdsBuffer = true
        hasStarted = true
        hasEnded = false
        stage = .header([])
        transport = .undecided
        patchLength = 0
        unanswered = 0
        checksum = RunningCRC()
        headerBytes = []
        buffer = []
        memoryInfo = 0
        erasedEnd = FlashModel.page(of: updateStart)
        record.starts += 1
        return report(.started, at: now)
    }

    private mutating func end(at now: Duration) -> SUOTAReply {
        record.ends += 1
        defer { hasEnded = true }
        guard stage != .idle else {
            record.brokenRules.append(.endWithoutStart)
            return report(.memoryType, at: now)
        }
        if hasEnded { record.brokenRules.append(.endTwice) }
        guard case .body(let header, let count) = stage else {
            let isEmpty = memoryInfo == 0
            if stage != .failed {
                record.brokenRules.append(isEmpty ? .endWithoutData : .endBeforeAllBlocks)
            }
            return report(.checksum, at: now)
        }
        if count < header.total { record.brokenRules.append(.endBeforeAllBlocks) }
        guard checksum.invert(matching: header.checksum) else { return report(.checksum, at: now) }
        flushBuffer(upTo: count, at: now)
        finish(at: now)
        return report(.ok, at: now)
    }

    private mutating func finish(at now: Duration) {
        erase(upTo: updateStart, now)
        var bytes = headerBytes
        if personality.family == .da1468x { bytes[2] |= ImageHeader.validFlag }
        _ = flash.append(.write(bytes, at: updateStart), at: now)
        guard personality.family == .da1469x else { return }
        let new = FlashHeader(active: personality.banks[runningBank], update: updateStart)
        _ = flash.append(.erase(0), at: now)
        _ = flash.append(.write(new.bytes, at: 0), at: now)
    }

    mutating func patchData(_ bytes: [UInt8], at now: Duration) -> SUOTAReply {
        guard stage != .idle else { return .refused }
        let flaw = take(bytes, at: now)
        if stage == .failed {
            return SUOTAReply(refusal: 0x80, reactions: flaw.map { report($0, at: now).reactions } ?? [])
        }
        var reply = SUOTAReply()
        unanswered += bytes.count
        while patchLength > 0, unanswered >= patchLength {
            unanswered -= patchLength
            blocks += 1
            record.blocks += 1
            reply.reactions += report(.ok, at: now).reactions
        }
        return reply
    }

    var updateStart: Int { personality.banks[personality.family == .da1468x ? 1 : 1 - runningBank] }

    /// Accepts bytes of the stream; returns the first error, if any.
    mutating func take(_ bytes: [UInt8], at now: Duration) -> ReceiverStatus? {
        record.bytes += bytes.count
        memoryInfo &+= UInt32(truncatingIfNeeded: bytes.count)
        var rest = bytes[...]
        if case .header(var header) = stage {
            let missing = personality.family.headerSize - header.count
            header += rest.prefix(missing)
            rest = rest.dropFirst(missing)
            stage = .header(header)
            guard header.count == personality.family.headerSize else { return nil }
            if let flaw = accept(header) {
                stage = .failed
                return flaw
            }
        }
        guard case .body(let header, let count) = stage else { return nil }
        // Anything after the image is ignored, so a trailer is harmless.
        let wanted = rest.prefix(max(0, header.total - count))
        checksum.update(wanted.dropFirst(max(0, header.codeOffset - count)))
        buffer += wanted
        stage = .body(header, count + wanted.count)
        flushBuffer(upTo: count + wanted.count, leaving: Self.bufferSize, at: now)
        return nil
    }

    private mutating func accept(_ bytes: [UInt8]) -> ReceiverStatus? {
        guard let header = ImageHeader(bytes, personality.family), header.hasSignature,
            header.codeOffset >= bytes.count
        else { return .imageHeader }
        guard header.total <= personality.largestImage else { return .imageSize }
        headerBytes = bytes
        stage = .body(header, bytes.count)
        return nil
    }

    /// Writes collected bytes in pieces of up to `bufferSize` bytes while at least `size` bytes are left; `position` is
    /// the offset in the image at which the collected bytes end.
    mutating func flushBuffer(upTo position: Int, leaving size: Int = 1, at now: Duration) {
        while buffer.count >= size {
            let piece = Array(buffer.prefix(Self.bufferSize))
            let start = updateStart + position - buffer.count
            buffer.removeFirst(piece.count)
            erase(upTo: start + piece.count - 1, now)
            _ = flash.append(.write(piece, at: start), at: now)
        }
    }
}

/// A CRC-32 that END inverts in place, so that every second END compares the inverse (dialog-suota.md, Receivers 68x
/// and 69x).
struct RunningCRC: Hashable, Sendable {
    private var digest = CRC32()
    private var isInverted = false

    mutating func update(_ bytes: ArraySlice<UInt8>) { digest.update(bytes) }

    mutating func invert(matching wanted: UInt32) -> Bool {
        isInverted.toggle()
        return (isInverted ? digest.value : ~digest.value) == wanted
    }
}
