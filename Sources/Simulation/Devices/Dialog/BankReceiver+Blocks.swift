import Bytes

extension BankReceiver {
    /// Processes a complete block.
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

    // MARK: Flash

    private mutating func makeRoom(for header: BankHeader, at now: Duration) {
        guard board.memory == .spi else {
            write([UInt8](repeating: 0xFF, count: BankHeader.size), at: address, now)
            return
        }
        erasedEnd = FlashModel.page(of: address)
        let end = personality.erasesOnTheWay ? address : address + BankHeader.size + header.codeSize - 1
        erase(upTo: end, now)
    }

    /// Erases the sectors up to the one that contains `end`.
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
}
