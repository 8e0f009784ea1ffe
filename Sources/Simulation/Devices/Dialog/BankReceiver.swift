import Bytes

/// The SUOTA service of a DA1458x or DA1453x: blocks are written to one of two banks (dialog-suota.md, Receivers 58x).
package struct BankReceiver: SUOTAReceiver {
    enum Device: Equatable, Sendable {
        case none, i2c, spi
        /// An image into RAM, which is refused but recorded.
        case ram

        var isChosen: Bool { self != .none }
    }

    package let personality: SUOTAPersonality
    package let board: SUOTABoard
    package var flash: FlashModel
    package internal(set) var status: UInt8 = 0
    package internal(set) var memoryInfo: UInt32 = 0
    package internal(set) var record = SUOTARecord()

    var device = Device.none
    var bank = 0
    var pins: UInt32 = 0
    var patchLength = 0
    var collected: [UInt8] = []
    var checksum = XORChecksum()
    /// Image bytes received so far, including the header.
    var imageBytes = 0
    var codeSize = 0
    /// Where the image is written; the bank's number until its first block has arrived.
    var address = 0
    /// The end of the erased part.
    var erasedEnd = 0
    var blocks = 0
    package internal(set) var hasEnded = false
    var wantsReset = false
    package internal(set) var verdictDue: Duration?

    package init(_ personality: SUOTAPersonality, _ board: SUOTABoard) {
        self.personality = personality
        self.board = board
        flash = FlashModel(
            timing: personality.timing, capacity: .max, cells: board.memory == .i2c ? .rewritable : .bytes)
        for (place, firmware) in zip(personality.banks, [board.first, board.second]) {
            if let firmware { flash.place(firmware.stored(.da1458x), at: place) }
        }
        if let place = board.productHeader {
            flash.place(ProductHeader(banks: personality.banks).bytes, at: place)
        }
    }

    package var position: (block: Int, isHalfway: Bool) {
        (blocks + 1, patchLength > 0 && !collected.isEmpty && collected.count * 2 >= patchLength)
    }

    package func listens(on psm: UInt16) -> Bool { false }

    package mutating func channel(_ packet: [UInt8], at now: Duration) -> SUOTAReply { SUOTAReply() }

    package mutating func connect(at now: Duration) {}

    package mutating func disconnect(at now: Duration) -> Duration? {
        let now = ready(at: now)
        forget()
        return wantsReset && board.resets ? now : nil
    }

    package mutating func write(_ value: [UInt8], to target: SUOTATarget, at moment: Duration) -> SUOTAReply {
        let isEarly = moment < idle(at: moment)
        let now = ready(at: moment)
        switch target {
        case .memoryDevice:
            guard let word = UInt32(wire: value) else { return .invalidLength }
            return memoryDevice(word, at: now)
        case .pinMap:
            guard let word = UInt32(wire: value) else { return .invalidLength }
            guard device == .spi || device == .i2c else { return tell(.memoryType, at: now) }
            pins = word
            return SUOTAReply()
        case .patchLength:
            guard value.count == 2 else { return .invalidLength }
            return patchLength(Int(value[0]) | Int(value[1]) << 8, at: now)
        case .patchData:
            if isEarly, device.isChosen { record.clientErrors.append(.blockBeforeAnswer) }
            return patchData(value, at: now)
        }
    }

    mutating func tell(_ status: ReceiverStatus, at now: Duration) -> SUOTAReply {
        self.status = status.rawValue
        return SUOTAReply([.notify([status.rawValue], at: idle(at: now))])
    }

    /// Clears counters, length and checksum, as a start does.
    mutating func clear() {
        patchLength = 0
        collected = []
        checksum = XORChecksum()
        imageBytes = 0
        codeSize = 0
    }

    /// Clears the state that does not survive a link.
    mutating func forget() {
        clear()
        verdictDue = nil
        device = .none
        hasEnded = false
    }
}

extension UInt32 {
    /// Four bytes, least significant first; nil for any other count.
    init?(wire bytes: [UInt8]) {
        guard bytes.count == 4 else { return nil }
        self = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}

extension BankReceiver {
    mutating func process(at now: Duration) -> SUOTAReply {
        let block = collected
        collected = []
        blocks += 1
        checksum.update(block[...])
        let result =
            device == .ram ? .memoryType : imageBytes == 0 ? first(block, at: now) : next(block, at: now)
        memoryInfo = UInt32(truncatingIfNeeded: imageBytes)
        if result == .ok { record.blocks += 1 }
        return tell(result, at: now)
    }

    /// The first block, with the header; the order of these checks is the receiver's.
    private mutating func first(_ block: [UInt8], at now: Duration) -> ReceiverStatus {
        guard let header = BankHeader(block), header.hasSignature else { return .imageHeader }
        guard isReached, personality.productHeader + ProductHeader.size <= personality.flashSize else {
            return isReached ? .memoryRead : board.wrongPinsStatus
        }
        guard let product = productHeader else { return .productHeader }
        guard header.codeSize > 0, header.codeSize <= product.capacity else { return .imageSize }
        guard let stored = bankHeaders(product) else { return .memoryRead }
        let good = stored.map { $0.isGood ? $0 : nil }
        let target = bank == 0 ? BankChoice.target(good[0], good[1]) : bank
        if let old = good[target - 1], old.isSame(as: header) { return .sameImage }
        address = product.banks[target - 1]
        codeSize = header.codeSize
        makeRoom(for: header, at: now)
        let id = BankChoice.id(beside: good[2 - target])
        write(header.unfinished(id: id), at: address, now)
        if block.count > BankHeader.size {
            write(Array(block[BankHeader.size...]), at: address + BankHeader.size, now)
        }
        imageBytes = block.count
        return .ok
    }

    private mutating func next(_ block: [UInt8], at now: Duration) -> ReceiverStatus {
        let size = BankHeader.size + codeSize
        guard imageBytes + block.count <= size + 1 else { return .memoryWrite }
        // The byte after the image only serves the checksum.
        let rest = block.prefix(max(0, size - imageBytes))
        write(Array(rest), at: address + imageBytes, now)
        imageBytes += rest.count
        return .ok
    }

    /// Whether the requested memory exists at the given pins.
    private var isReached: Bool {
        (device == .spi) == (board.memory == .spi) && (board.pins ?? pins) == pins
    }

    var productHeader: ProductHeader? {
        let place = personality.productHeader
        return ProductHeader(flash.content(place..<place + ProductHeader.size))
    }

    /// Nil if a bank lies outside the memory.
    func bankHeaders(_ product: ProductHeader) -> [BankHeader]? {
        let headers = product.banks.compactMap { start in
            start + BankHeader.size <= personality.flashSize
                ? BankHeader(flash.content(start..<start + BankHeader.size)) : nil
        }
        return headers.count == 2 ? headers : nil
    }

    private mutating func makeRoom(for header: BankHeader, at now: Duration) {
        guard board.memory == .spi else {
            write([UInt8](repeating: 0xFF, count: BankHeader.size), at: address, now)
            return
        }
        erasedEnd = FlashModel.page(of: address)
        let end = personality.erasesOnTheWay ? address : address + BankHeader.size + header.codeSize - 1
        erase(upTo: end, now)
    }

    private mutating func erase(upTo end: Int, _ now: Duration) {
        while erasedEnd <= end {
            _ = flash.append(.erase(erasedEnd), at: now)
            erasedEnd += FlashModel.pageSize
        }
    }

    private mutating func write(_ bytes: [UInt8], at address: Int, _ now: Duration) {
        // If the write ends exactly at the end of a sector, the next sector is erased, even if it belongs to something
        // else.
        if board.memory == .spi, personality.erasesOnTheWay { erase(upTo: address + bytes.count, now) }
        if !bytes.isEmpty { _ = flash.append(.write(bytes, at: address), at: now) }
    }

    /// What the bootloader starts: of two valid images the newer one, unless its CRC is wrong; a single image whatever
    /// its CRC (dialog-suota.md, Which image starts).
    package mutating func reset(at now: Duration) -> SUOTABoot {
        flash.advance(to: now)
        flash.dropQueue()
        forget()
        pins = 0
        status = 0
        memoryInfo = 0
        wantsReset = false
        record.resets += 1
        return SUOTABoot(image: bootImage, time: personality.startTime)
    }

    private var bootImage: SUOTABoot.Image? {
        guard let product = productHeader, let headers = bankHeaders(product) else { return nil }
        let good = headers.indices.filter { headers[$0].isGood }
        guard good.count == 2 else {
            return good.first.map { image(headers[$0], product.banks[$0], number: $0 + 1) }
        }
        let newer = BankChoice.newer(headers[0], headers[1])
        return [newer, 3 - newer].lazy
            .filter { board.decrypts || headers[$0 - 1].encryption & 1 == 0 }
            .map { image(headers[$0 - 1], product.banks[$0 - 1], number: $0) }
            .first { $0.isIntact }
    }

    private func image(_ header: BankHeader, _ start: Int, number: Int) -> SUOTABoot.Image {
        // A size that no memory has is not worth reading.
        let size = min(header.codeSize, personality.flashSize)
        let code = start + BankHeader.size
        let payload = flash.content(code..<code + size)
        return SUOTABoot.Image(
            version: header.version.versionText, timestamp: header.timestamp, payload: payload, bank: number,
            isIntact: CRC32.checksum(payload) == header.checksum && header.encryption & 1 == 0
                || board.decrypts && header.encryption & 1 == 1)
    }
}

/// What a SUOTA receiver reports on STATUS (dialog-suota.md, Codes).
public enum ReceiverStatus: UInt8, Hashable, Sendable {
    /// A block was accepted, or the end verified.
    case ok = 0x02
    /// The service was closed, or cannot be used now.
    case exit = 0x03
    /// The checksum of everything received is wrong.
    case checksum = 0x04
    /// A length of 0, data without a length, or a block longer than announced.
    case length = 0x05
    /// Flash could not be written or erased, or more bytes arrived than the image has.
    case memoryWrite = 0x06
    /// More bytes than the block buffer holds.
    case buffer = 0x07
    /// An unknown memory type, or a write at the wrong time.
    case memoryType = 0x08
    /// The header could not be finished.
    case application = 0x09
    /// Ready for a new image.
    case started = 0x10
    /// The bank does not exist.
    case bank = 0x11
    /// The image header is missing.
    case imageHeader = 0x12
    /// The image is empty, or larger than its bank.
    case imageSize = 0x13
    /// There is no product header where the firmware expects it.
    case productHeader = 0x14
    /// The bank holds the same image.
    case sameImage = 0x15
    /// Flash could not be read.
    case memoryRead = 0x16
}
