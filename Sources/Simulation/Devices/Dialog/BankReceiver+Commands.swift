import Bytes

extension BankReceiver {
    mutating func memoryDevice(_ word: UInt32, at now: Duration) -> SUOTAReply {
        if word >> 24 == 0xFE { return end(at: now) }
        memoryInfo = 0
        switch word >> 24 {
        case 0x12: return start(.i2c, bank: Int(word & 0xFF_FFFF), at: now)
        case 0x13: return start(.spi, bank: Int(word & 0xFF_FFFF), at: now)
        case 0x10, 0x11:
            device = .ram
            return tell(.memoryType, at: now)
        case 0xFD: return reboot(at: now)
        case 0xFF:
            device = .none
            return tell(.exit, at: now)
        default:
            device = .none
            return tell(.memoryType, at: now)
        }
    }

    private mutating func start(_ kind: Device, bank: Int, at now: Duration) -> SUOTAReply {
        device = kind
        guard bank <= 2 else { return tell(.bank, at: now) }
        self.bank = bank
        address = bank
        hasEnded = false
        clear()
        record.starts += 1
        return tell(.started, at: now)
    }

    private mutating func reboot(at now: Duration) -> SUOTAReply {
        record.reboots += 1
        wantsReset = true
        return SUOTAReply([.disconnect(at: now)])
    }

    /// The XOR of all bytes must be 0; the number of received bytes is not checked.
    private mutating func end(at now: Duration) -> SUOTAReply {
        memoryInfo = 0
        record.ends += 1
        defer {
            device = .none
            hasEnded = true
        }
        guard device == .spi || device == .i2c else {
            record.clientErrors.append(hasEnded ? .endTwice : .endWithoutStart)
            return tell(personality.hasI2C ? .ok : .memoryWrite, at: now)
        }
        if imageBytes == 0 {
            record.clientErrors.append(.endWithoutData)
        } else if imageBytes < BankHeader.size + codeSize || !collected.isEmpty {
            record.clientErrors.append(.endBeforeAllBlocks)
        }
        guard checksum.value == 0 else { return tell(.checksum, at: now) }
        if let length = board.signatureCheck {
            verdictDue = idle(at: now) + length
            return tell(.ok, at: now)
        }
        _ = flash.append(.write([BankHeader.valid], at: address + 2), at: now)
        return tell(.ok, at: now)
    }

    /// The signature check has ended: the image becomes valid, or never will.
    package mutating func verdict(at now: Duration) -> SUOTAReply {
        verdictDue = nil
        guard board.signatureHolds else { return tell(.application, at: now) }
        _ = flash.append(.write([BankHeader.valid], at: address + 2), at: now)
        return tell(.ok, at: now)
    }

    mutating func patchLength(_ length: Int, at now: Duration) -> SUOTAReply {
        guard length > 0 else {
            record.clientErrors.append(.patchLengthZero)
            return tell(.length, at: now)
        }
        guard device.isChosen else { return SUOTAReply() }
        guard length <= personality.blockBuffer else { return tell(.buffer, at: now) }
        patchLength = length
        return SUOTAReply()
    }

    mutating func patchData(_ bytes: [UInt8], at now: Duration) -> SUOTAReply {
        guard device.isChosen else { return tell(.memoryType, at: now) }
        guard patchLength > 0 else { return tell(.length, at: now) }
        guard collected.count + bytes.count <= personality.blockBuffer else { return tell(.buffer, at: now) }
        record.bytes += bytes.count
        collected += bytes
        guard collected.count >= patchLength else { return SUOTAReply() }
        // Surplus bytes stay in the buffer: only a new start clears them.
        guard collected.count == patchLength else { return tell(.length, at: now) }
        return process(at: now)
    }
}

package struct SUOTAReply: Hashable, Sendable {
    /// The Attribute Protocol's error code, for a write that requires a response.
    package var refusal: UInt8?
    /// The further reactions; `notify` is for STATUS.
    package var reactions: [FirmwareReaction] = []

    init(refusal: UInt8? = nil, _ reactions: [FirmwareReaction] = []) {
        self.refusal = refusal
        self.reactions = reactions
    }

    static let invalidLength = SUOTAReply(refusal: 0x0D)
    /// The application's error code.
    static let refused = SUOTAReply(refusal: 0x80)
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
