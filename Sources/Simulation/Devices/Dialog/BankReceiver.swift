import Bytes

/// The SUOTA service of a DA1458x or DA1453x: blocks are written to one of two banks (dialog-suota.md, Receivers 58x).
package struct BankReceiver: SUOTAReceiver {
    enum Device: Equatable, Sendable {
        case none, i2c, spi
        /// RAM: blocks for it are refused, but recorded.
        case ram

        var isChosen: Bool { self != .none }
    }

    private static let headerSize = SUOTAPersonality.Family.da1458x.headerSize

    package let personality: SUOTAPersonality
    package let board: SUOTABoard
    package var flash: FlashModel
    package var status: UInt8 = 0
    package internal(set) var memoryInfo: UInt32 = 0
    package var record = SUOTARecord()

    var device = Device.none
    /// The bank that the client requested, 1 or 2; 0 lets the receiver choose.
    var bank = 0
    var pins: UInt32 = 0
    var patchLength = 0
    var collected: [UInt8] = []
    var checksum = XORChecksum()
    /// Image bytes received so far, including the header.
    var imageBytes = 0
    var codeSize = 0
    /// The flash address of the image; the requested bank's number until the first block has arrived.
    var address = 0
    package var erasedEnd = 0
    var blocks = 0
    package internal(set) var hasEnded = false
    var wantsReset = false
    package internal(set) var verdictDue: Duration?

    package var position: (block: Int, isHalfway: Bool) {
        (blocks + 1, patchLength > 0 && !collected.isEmpty && collected.count * 2 >= patchLength)
    }

    package var acceptedBytes: Int { imageBytes + collected.count }
    package var codeStart: Int { Self.headerSize }

    package func listens(on psm: UInt16) -> Bool { false }
    package mutating func channel(_ packet: [UInt8], at now: Duration) -> SUOTAReply { SUOTAReply() }
    package mutating func connect(at now: Duration) {}

    package mutating func disconnect(at now: Duration) -> Duration? {
        let now = ready(at: now)
        clear()
        verdictDue = nil
        device = .none
        hasEnded = false
        return wantsReset && board.resets ? now : nil
    }

    package mutating func write(_ value: [UInt8], to target: SUOTATarget, at moment: Duration) -> SUOTAReply {
        let isEarly = moment < idle(at: moment)
        let now = ready(at: moment)
        guard target.accepts(value) else { return .invalidLength }
        switch target {
        case .memoryDevice: return memoryDevice(value.field(0, 4), at: now)
        case .pinMap:
            guard device == .spi || device == .i2c else { return report(.memoryType, at: now) }
            pins = UInt32(value.field(0, 4))
            return SUOTAReply()
        case .patchLength: return patchLength(value.field(0, 2), at: now)
        case .patchData:
            if isEarly, device.isChosen { record.brokenRules.append(.blockBeforeAnswer) }
            return patchData(value, at: now)
        }
    }

    mutating func clear() {
        patchLength = 0
        collected = []
        checksum = XORChecksum()
        imageBytes = 0
        codeSize = 0
    }

    mutating func process(at now: Duration) -> SUOTAReply {
        let block = collected
        collected = []
        blocks += 1
        checksum.update(block[...])
        let result =
            device == .ram ? .memoryType : imageBytes == 0 ? first(block, at: now) : next(block, at: now)
        memoryInfo = UInt32(truncatingIfNeeded: imageBytes)
        if result == .ok { record.blocks += 1 }
        return report(result, at: now)
    }

    /// Processes the first block, which starts with the header; the checks are the reference firmware's, in its order.
    private mutating func first(_ block: [UInt8], at now: Duration) -> ReceiverStatus {
        guard let header = ImageHeader(block, .da1458x), header.hasSignature else { return .imageHeader }
        guard isMemoryReachable, personality.productHeader + ProductHeader.size <= personality.flashSize
        else {
            return isMemoryReachable ? .memoryRead : board.wrongPinsStatus
        }
        guard let product = productHeader else { return .productHeader }
        guard header.codeSize > 0, header.codeSize <= product.capacity else { return .imageSize }
        guard let stored = bankHeaders(product) else { return .memoryRead }
        let good = stored.map { $0.isFinished ? $0 : nil }
        let target = bank == 0 ? BankChoice.target(good[0], good[1]) : bank
        if let old = good[target - 1], old.isSame(as: header) { return .sameImage }
        address = product.banks[target - 1]
        codeSize = header.codeSize
        makeRoom(for: header, at: now)
        let id = BankChoice.id(after: good[2 - target])
        write(header.unfinished(id: id), at: address, now)
        if block.count > Self.headerSize {
            write(Array(block[Self.headerSize...]), at: address + Self.headerSize, now)
        }
        imageBytes = block.count
        return .ok
    }

    private mutating func next(_ block: [UInt8], at now: Duration) -> ReceiverStatus {
        let size = Self.headerSize + codeSize
        guard imageBytes + block.count <= size + 1 else { return .memoryWrite }
        // The byte after the image completes the XOR checksum; it is not written.
        let rest = block.prefix(max(0, size - imageBytes))
        write(Array(rest), at: address + imageBytes, now)
        imageBytes += rest.count
        return .ok
    }

    private var isMemoryReachable: Bool {
        (device == .spi) == (board.memory == .spi) && (board.pins ?? pins) == pins
    }

    var productHeader: ProductHeader? {
        let place = personality.productHeader
        return ProductHeader(flash.content(place..<place + ProductHeader.size))
    }

    /// The headers of both banks; nil if a bank lies outside the memory.
    func bankHeaders(_ product: ProductHeader) -> [ImageHeader]? {
        let headers = product.banks.compactMap { start in
            start + Self.headerSize <= personality.flashSize
                ? ImageHeader(flash.content(start..<start + Self.headerSize), .da1458x) : nil
        }
        return headers.count == 2 ? headers : nil
    }

    private mutating func makeRoom(for header: ImageHeader, at now: Duration) {
        guard board.memory == .spi else {
            return write([UInt8](repeating: 0xFF, count: Self.headerSize), at: address, now)
        }
        erasedEnd = FlashModel.page(of: address)
        let end = personality.erasesOnTheWay ? address : address + Self.headerSize + header.codeSize - 1
        erase(upTo: end, now)
    }

    private mutating func write(_ bytes: [UInt8], at address: Int, _ now: Duration) {
        // A write that ends exactly at the end of a sector erases the next one, even if that belongs to something else.
        if board.memory == .spi, personality.erasesOnTheWay { erase(upTo: address + bytes.count, now) }
        if !bytes.isEmpty { _ = flash.append(.write(bytes, at: address), at: now) }
    }

    /// Resets the device and returns what the bootloader starts: the newer one of two valid images, or the older one if
    /// the newer one's CRC is wrong; a single valid image with any CRC (dialog-suota.md, Which image starts).
    package mutating func reset(at now: Duration) -> SUOTABoot {
        flash.advance(to: now)
        flash.dropQueue()
        let old = self
        self = BankReceiver(personality: personality, board: board, flash: flash)
        (blocks, record) = (old.blocks, old.record)
        record.resets += 1
        return SUOTABoot(image: bootImage, time: personality.startTime)
    }

    private var bootImage: SUOTABoot.Image? {
        guard let product = productHeader, let headers = bankHeaders(product) else { return nil }
        let good = headers.indices.filter { headers[$0].isFinished }
        guard good.count == 2 else {
            return good.first.map { image(headers[$0], product.banks[$0], number: $0 + 1) }
        }
        let newer = BankChoice.newer(headers[0], headers[1])
        return [newer, 3 - newer].lazy.filter { board.decrypts || headers[$0 - 1].encryption & 1 == 0 }.map {
            image(headers[$0 - 1], product.banks[$0 - 1], number: $0)
        }.first { $0.isIntact }
    }

    private func image(_ header: ImageHeader, _ start: Int, number: Int) -> SUOTABoot.Image {
        // A code size beyond the flash size can only be wrong: no more than the flash holds is read.
        let size = min(header.codeSize, personality.flashSize)
        let code = start + Self.headerSize
        let payload = flash.content(code..<code + size)
        return SUOTABoot.Image(
            version: header.versionText, timestamp: header.timestamp, payload: payload, bank: number,
            isIntact: CRC32.checksum(payload) == header.checksum && header.encryption & 1 == 0
                || board.decrypts && header.encryption & 1 == 1)
    }
}

/// The commands of a client (dialog-suota.md, Commands).
extension BankReceiver {
    mutating func memoryDevice(_ word: Int, at now: Duration) -> SUOTAReply {
        if word >> 24 == 0xFE { return end(at: now) }
        memoryInfo = 0
        switch word >> 24 {
        case 0x12: return start(.i2c, bank: word & 0xFF_FFFF, at: now)
        case 0x13: return start(.spi, bank: word & 0xFF_FFFF, at: now)
        case 0x10, 0x11:
            device = .ram
            return report(.memoryType, at: now)
        case 0xFD:
            wantsReset = true
            return SUOTAReply(reactions: [.disconnect(at: now)])
        case 0xFF:
            device = .none
            return report(.exit, at: now)
        default:
            device = .none
            return report(.memoryType, at: now)
        }
    }

    private mutating func start(_ kind: Device, bank: Int, at now: Duration) -> SUOTAReply {
        device = kind
        guard bank <= 2 else { return report(.bank, at: now) }
        self.bank = bank
        address = bank
        hasEnded = false
        clear()
        record.starts += 1
        return report(.started, at: now)
    }

    /// Processes END: the XOR of all bytes must be 0; the number of received bytes is not checked.
    private mutating func end(at now: Duration) -> SUOTAReply {
        memoryInfo = 0
        record.ends += 1
        defer {
            device = .none
            hasEnded = true
        }
        guard device == .spi || device == .i2c else {
            record.brokenRules.append(hasEnded ? .endTwice : .endWithoutStart)
            return report(personality.hasI2C ? .ok : .memoryWrite, at: now)
        }
        if imageBytes == 0 {
            record.brokenRules.append(.endWithoutData)
        } else if imageBytes < Self.headerSize + codeSize || !collected.isEmpty {
            record.brokenRules.append(.endBeforeAllBlocks)
        }
        guard checksum.value == 0 else { return report(.checksum, at: now) }
        if let length = board.signatureCheck {
            verdictDue = idle(at: now) + length
            return report(.ok, at: now)
        }
        _ = flash.append(.write([ImageHeader.valid], at: address + 2), at: now)
        return report(.ok, at: now)
    }

    /// Ends the signature check: the image is marked valid, or stays unfinished.
    package mutating func verdict(at now: Duration) -> SUOTAReply {
        verdictDue = nil
        guard board.signatureHolds else { return report(.application, at: now) }
        _ = flash.append(.write([ImageHeader.valid], at: address + 2), at: now)
        return report(.ok, at: now)
    }

    mutating func patchLength(_ length: Int, at now: Duration) -> SUOTAReply {
        guard length > 0 else {
            record.brokenRules.append(.patchLengthZero)
            return report(.length, at: now)
        }
        guard device.isChosen else { return SUOTAReply() }
        guard length <= personality.blockBuffer else { return report(.buffer, at: now) }
        patchLength = length
        return SUOTAReply()
    }

    mutating func patchData(_ bytes: [UInt8], at now: Duration) -> SUOTAReply {
        guard device.isChosen else { return report(.memoryType, at: now) }
        guard patchLength > 0 else { return report(.length, at: now) }
        guard collected.count + bytes.count <= personality.blockBuffer else {
            return report(.buffer, at: now)
        }
        record.bytes += bytes.count
        collected += bytes
        guard collected.count >= patchLength else { return SUOTAReply() }
        // Surplus bytes stay in the buffer: only a new start clears them.
        guard collected.count == patchLength else { return report(.length, at: now) }
        return process(at: now)
    }
}
