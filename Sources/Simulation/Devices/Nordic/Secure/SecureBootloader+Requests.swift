import Bytes

extension SecureBootloader {
    /// Processes a write to the Control Point.
    ///
    ///     0  1  opcode
    ///     1  …  fields, little-endian; missing bytes read as 0 where lengths are not checked
    package mutating func controlPoint(_ request: [UInt8], at now: Duration) -> [FirmwareReaction] {
        advance(to: now)
        guard phase != .closing, let opcode = request.first else { return [] }
        guard !isInactive(at: now) else { return leave(at: now) }
        if now < answerDue { statistics.note(SecureRule.requestBeforeAnswer) }
        let hasLength = Self.lengths[opcode].map { $0 == request.count } ?? true
        if !hasLength { statistics.note(SecureRule.requestOfWrongLength) }
        guard !personality.checksLengths || hasLength else { return [refuse(opcode, .invalidParameter, now)] }
        let reactions = carryOut(request, opcode, at: now)
        for case .notify(_, let due) in reactions { answerDue = max(answerDue, due) }
        return reactions
    }

    private mutating func carryOut(
        _ request: [UInt8], _ opcode: UInt8, at now: Duration
    ) -> [FirmwareReaction] {
        switch opcode {
        case 0x01: return create(request, at: now)
        case 0x02:
            memory.notificationInterval = UInt16(clamping: request.field(1, 2))
            memory.packetsUntilNotification = memory.notificationInterval
            return [answer(opcode, at: now)]
        case 0x03:
            guard let fields = offsetAndChecksum(of: memory.object) else {
                return [refuse(opcode, .invalidObject, now)]
            }
            bytesReported = acceptedOfObject
            return [answer(opcode, fields, at: now)]
        case 0x04:
            noteExecute()
            return execute(at: now)
        case 0x06: return [select(request, at: now)]
        case 0x08 where personality.knowsWriteAndAbort: return countPacket(at: now)
        case 0x0C where personality.knowsWriteAndAbort: return leave(at: now)
        case 0x00, 0x07, 0x09, 0x0A, 0x0B: return [refuse(opcode, personality.informationOpcodes, now)]
        default: return [refuse(opcode, broken(.unknownRequest, personality.unknownOpcode), now)]
        }
    }

    private static let lengths: [UInt8: Int] = [0x01: 6, 0x02: 3, 0x06: 2]

    private mutating func select(_ request: [UInt8], at now: Duration) -> FirmwareReaction {
        guard let object = chooseObject(request), let fields = offsetAndChecksum(of: object) else {
            return refuse(0x06, broken(.unknownObject, personality.unknownType), now)
        }
        let maximum = UInt32(object == .command ? personality.commandMaximum : personality.dataMaximum)
        return answer(0x06, maximum.bytes() + fields, at: now)
    }

    /// Makes the requested object the current one; returns nil for an unknown type.
    private mutating func chooseObject(_ request: [UInt8]) -> BootloaderMemory.Object? {
        let object = BootloaderMemory.Object(rawValue: UInt8(clamping: request.field(1, 1)))
        if object != nil || !personality.keepsObjectAtUnknownType { memory.object = object }
        return object
    }

    private mutating func create(_ request: [UInt8], at now: Duration) -> [FirmwareReaction] {
        if case .executing(let moment) = phase { finishObject(at: moment) }
        memory.packetsUntilNotification = memory.notificationInterval
        bytesReported = nil
        hasCreatedHere = true
        let size = request.field(2, 4)
        do throws(ResultCode) {
            switch chooseObject(request) {
            case .command: try createCommand(size, at: now)
            case .data: try createData(size, at: now)
            case nil: throw broken(.unknownObject, personality.unknownType)
            }
            if personality.countsEveryObject { stay(from: now) }
        } catch { return [refuse(0x01, error, now)] }
        return [answer(0x01, at: now)]
    }

    private mutating func createCommand(_ size: Int, at now: Duration) throws(ResultCode) {
        if !personality.countsEveryObject { stay(from: now) }
        guard size > 0 else { throw broken(.emptyObject, .invalidParameter) }
        guard size <= personality.commandMaximum else {
            throw broken(.initPacketTooLong, .insufficientResources)
        }
        memory.progress = UpdateProgress()
        memory.progress.initSize = size
        lacksRoom = false
        settings.initPacket = []
        settings.executedOffset = 0
        settings.executedChecksum = 0
        settings.staleChecksum = 0
    }

    /// The order of these checks is that of nordic-secure.md, Personalities.
    private mutating func createData(_ size: Int, at now: Duration) throws(ResultCode) {
        let isReady = memory.progress.isInitValid
        guard isReady || personality.checksSizeFirst else {
            throw broken(.dataBeforeInit, .operationNotPermitted)
        }
        guard size > 0 else { throw broken(.emptyObject, .invalidParameter) }
        let start = memory.progress.executedOffset
        let imageSize = installing?.imageSize ?? 0
        guard size.isMultiple(of: FlashModel.pageSize) || start + size == imageSize else {
            throw broken(.objectNotAPage, .invalidParameter)
        }
        guard size <= personality.dataMaximum else { throw broken(.objectTooLong, .insufficientResources) }
        guard isReady else { throw broken(.dataBeforeInit, .operationNotPermitted) }
        guard start + size <= imageSize else { throw broken(.objectBeyondImage, .operationNotPermitted) }
        memory.progress.createObject(of: size)
        statistics.objectsCreated += 1
        if case .ring(let length) = personality.buffering {
            var ring = memory.ring ?? ChunkRing(chunk: length)
            ring.swap()
            ring.writeOffset = start
            memory.ring = ring
        }
        if personality.erasesAtFirstObject { eraseApplication() }
        // The object exists even if its page cannot be erased: packets are accepted nevertheless.
        guard flash.append(.erase(settings.updateAddress + start), at: now) != nil else {
            throw .invalidObject
        }
    }

    mutating func broken(_ rule: SecureRule, _ code: ResultCode) -> ResultCode {
        statistics.note(rule)
        return code
    }

    var acceptedOfObject: Int {
        memory.object == .command ? memory.progress.initPacket.count : memory.progress.received
    }

    private mutating func noteExecute() {
        let size = memory.object == .command ? memory.progress.initSize : memory.progress.objectSize
        guard memory.object != nil, acceptedOfObject < size, hasCreatedHere || acceptedOfObject > 0 else {
            return
        }
        statistics.note(
            bytesReported == acceptedOfObject ? SecureRule.checksumIgnored : SecureRule.executeBeforeAllData)
    }

    mutating func leave(at now: Duration) -> [FirmwareReaction] {
        phase = .closing
        guard personality.abortEndsLink else { return [.reset(at: now)] }
        return [.disconnect(at: now), .reset(at: now + personality.closingTime)]
    }

    /// The received init packet; nil if it cannot be decoded.
    var decodedInit: DecodedInit? {
        try? InitPacketDecoder.decode(memory.progress.initPacket, personality.initRules)
    }

    var installing: DecodedInit? { memory.progress.isInitValid ? decodedInit : nil }

    /// What Get CRC, Select and PRN report of `object`; nil for an unknown type.
    func offsetAndChecksum(of object: BootloaderMemory.Object?) -> [UInt8]? {
        let (offset, checksum): (Int, UInt32)
        switch object {
        case .command:
            (offset, checksum) = (
                memory.progress.initPacket.count, CRC32.checksum(memory.progress.initPacket)
            )
        case .data:
            let isStale = personality.showsUpdateAddressAsChecksum && memory.progress.offset == 0
            offset = memory.progress.offset
            checksum = isStale ? settings.staleChecksum : memory.progress.checksum
        case nil: return nil
        }
        return UInt32(truncatingIfNeeded: offset).bytes() + checksum.bytes()
    }

    func answer(_ opcode: UInt8, _ payload: [UInt8] = [], at now: Duration) -> FirmwareReaction {
        .notify([0x60, opcode] + ResultCode.success.bytes + payload, at: now)
    }

    func refuse(_ opcode: UInt8, _ code: ResultCode, _ now: Duration) -> FirmwareReaction {
        .notify([0x60, opcode] + code.bytes, at: now)
    }
}

/// The four chunks of RAM in which a bootloader of SDK 12 to 14 collects data (nordic-secure.md, Timing; nRF5 SDK 14.2,
/// `dfu_req_handling.c`).
///
/// A full chunk is queued for flash by pointer, and the next one is filled whether or not flash is done with it: data
/// that still waits there is overwritten, which goes unnoticed until the image is hashed.
package struct ChunkRing: Codable, Hashable, Sendable {
    static let count = 4

    var chunks: [[UInt8]]
    var current = 0
    var position = 0
    /// The image offset of the current chunk: the progress's `offset` less the bytes that are not queued yet.
    var writeOffset = 0

    init(chunk length: Int) {
        chunks = [[UInt8]](repeating: [UInt8](repeating: 0xFF, count: length), count: Self.count)
    }

    var length: Int { chunks.first?.count ?? 0 }
    var free: Int { length - position }
    var filled: [UInt8] { Array(chunks[current].prefix(position)) }

    mutating func put(_ bytes: ArraySlice<UInt8>) {
        chunks[current].replaceSubrange(position..<position + bytes.count, with: bytes)
        position += bytes.count
    }

    mutating func swap() {
        current = (current + 1) % Self.count
        position = 0
    }

    func isPossible(in room: Int) -> Bool {
        chunks.count == Self.count && (1...FlashModel.pageSize).contains(length)
            && chunks.allSatisfy { $0.count == length } && chunks.indices.contains(current)
            && (0..<length).contains(position) && (0...room).contains(writeOffset)
    }
}
