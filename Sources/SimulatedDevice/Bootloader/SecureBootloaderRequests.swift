import ByteCoding

extension SecureBootloader {
    /// A write to the Control Point.
    ///
    ///     0  1  opcode
    ///     1  …  fields, little-endian; missing bytes read as 0
    public mutating func controlPoint(_ request: [UInt8], at now: Duration) -> [BootloaderReaction] {
        advance(to: now)
        guard phase != .closing, let opcode = request.first else { return [] }
        guard !isTired(at: now) else { return leave(at: now) }
        switch opcode {
        case 0x01: return create(request, at: now)
        case 0x02:
            memory.notificationInterval = UInt16(truncatingIfNeeded: field(request, 1, 2))
            memory.packetsUntilNotification = memory.notificationInterval
            return [answer(opcode, at: now)]
        case 0x03:
            guard let point = point(of: memory.object) else { return [refuse(opcode, .invalidObject, now)] }
            return [answer(opcode, point, at: now)]
        case 0x04: return execute(at: now)
        case 0x06: return [select(request, at: now)]
        case 0x08: return countPacket(refusal: nil, point(of: memory.object) ?? Self.nowhere, at: now)
        case 0x0C: return leave(at: now)
        case 0x00, 0x07, 0x09, 0x0A, 0x0B: return [refuse(opcode, personality.informationOpcodes, now)]
        default: return [refuse(opcode, personality.unknownOpcode, now)]
        }
    }

    /// A little-endian field of at most four bytes.
    private func field(_ request: [UInt8], _ offset: Int, _ width: Int) -> UInt32 {
        request.dropFirst(offset).prefix(width).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private mutating func select(_ request: [UInt8], at now: Duration) -> BootloaderReaction {
        memory.object = .init(rawValue: UInt8(truncatingIfNeeded: field(request, 1, 1)))
        guard let object = memory.object, let point = point(of: object) else {
            return refuse(0x06, .invalidObject, now)
        }
        var writer = ByteWriter()
        writer.integer(UInt32(object == .command ? personality.commandMaximum : personality.dataMaximum))
        return answer(0x06, writer.bytes + point, at: now)
    }

    private mutating func create(_ request: [UInt8], at now: Duration) -> [BootloaderReaction] {
        if case .executing(let moment) = phase { finishObject(at: moment) }
        memory.object = .init(rawValue: UInt8(truncatingIfNeeded: field(request, 1, 1)))
        memory.packetsUntilNotification = memory.notificationInterval
        let size = Int(field(request, 2, 4))
        do throws(Refusal) {
            switch memory.object {
            case .command: try createCommand(size, at: now)
            case .data: try createData(size, at: now)
            case nil: throw Refusal(.invalidObject)
            }
        } catch { return [refuse(0x01, error.code, now)] }
        return [answer(0x01, at: now)]
    }

    private mutating func createCommand(_ size: Int, at now: Duration) throws(Refusal) {
        stay(from: now)
        guard size > 0 else { throw Refusal(.invalidParameter) }
        guard size <= personality.commandMaximum else { throw Refusal(.insufficientResources) }
        memory.progress = UpdateProgress()
        memory.progress.initSize = size
        settings.initPacket = []
        settings.executedOffset = 0
        settings.executedChecksum = 0
        settings.staleChecksum = 0
    }

    /// The order of the checks is that of nordic-secure.md, Conversation.
    private mutating func createData(_ size: Int, at now: Duration) throws(Refusal) {
        guard memory.progress.isInitValid else { throw Refusal(.operationNotPermitted) }
        guard size > 0 else { throw Refusal(.invalidParameter) }
        let start = memory.progress.executedOffset
        let imageSize = installing?.imageSize ?? 0
        guard size.isMultiple(of: FlashModel.pageSize) || start + size == imageSize else {
            throw Refusal(.invalidParameter)
        }
        guard size <= personality.dataMaximum else { throw Refusal(.insufficientResources) }
        guard start + size <= imageSize else { throw Refusal(.operationNotPermitted) }
        memory.progress.createObject(of: size)
        // The object is there even when its page cannot be erased: packets are taken all the same.
        guard flash.append(.erase(settings.updateAddress + start), at: now) != nil else {
            throw Refusal(.invalidObject)
        }
    }

    /// Abort, or the end of patience.
    mutating func leave(at now: Duration) -> [BootloaderReaction] {
        phase = .closing
        guard personality.abortEndsLink else { return [.reset(at: now)] }
        return [.disconnect(at: now), .reset(at: now + personality.closingTime)]
    }
}

extension SecureBootloader {
    /// Offset and crc of nothing.
    static let nowhere = [UInt8](repeating: 0, count: 8)

    /// What the executed init packet announces.
    var installing: DecodedInit? {
        memory.progress.isInitValid ? try? InitPacketDecoder.decode(memory.progress.initPacket) : nil
    }

    /// Offset and crc of `object` as CRC, Select and PRN answer them.
    func point(of object: BootloaderMemory.Object?) -> [UInt8]? {
        var writer = ByteWriter()
        switch object {
        case .command:
            writer.integer(UInt32(truncatingIfNeeded: memory.progress.initPacket.count))
            writer.integer(checksumOfInit)
        case .data:
            let isStale = personality.showsUpdateAddressAsChecksum && memory.progress.offset == 0
            writer.integer(UInt32(truncatingIfNeeded: memory.progress.offset))
            writer.integer(isStale ? settings.staleChecksum : memory.progress.checksum)
        case nil: return nil
        }
        return writer.bytes
    }

    func answer(_ opcode: UInt8, _ payload: [UInt8] = [], at now: Duration) -> BootloaderReaction {
        .notify([0x60, opcode, ResultCode.success.rawValue] + payload, at: now)
    }

    func refuse(_ opcode: UInt8, _ code: ResultCode, _ now: Duration) -> BootloaderReaction {
        .notify([0x60, opcode, code.rawValue], at: now)
    }
}
