import Bytes

/// Uploads, erasure, and the sizes of slots (mcuboot-smp.md, Upload).
extension SMPServer {
    /// Processes one chunk. An answer without an error always has the next offset that the server wants.
    mutating func upload(_ map: SMPMap, at now: Duration) -> SMPOutcome {
        let outcome = chunk(map, at: now)
        // In Zephyr any error ends the upload.
        if case .failed = outcome, rules.implementation == .zephyr { session = nil }
        return outcome
    }

    private mutating func chunk(_ map: SMPMap, at now: Duration) -> SMPOutcome {
        let data = map["data"]?.bytes ?? []
        guard let offset = map["off"]?.number else { return .failed(.offsetMissing) }
        if offset == 0 {
            if let outcome = begin(map, data, at: now) { return outcome }
        } else {
            guard let current = session, offset == current.offset else {
                return answer(offset: session?.offset ?? (rules.implementation == .mynewt ? lastOffset : 0))
            }
            if offset > current.size - data.count {
                note(.dataBeyondEnd)
                return .failed(.overrun)
            }
        }
        return take(data, at: now)
    }

    /// Processes the first chunk; returns the answer, or nil if the chunk's data are to be written.
    private mutating func begin(_ map: SMPMap, _ data: [UInt8], at now: Duration) -> SMPOutcome? {
        guard data.count >= MCUbootImage.headerSize else {
            note(.shortFirstChunk)
            return .failed(.headerTooShort)
        }
        guard let size = map["len"]?.number else { return .failed(.lengthMissing) }
        guard data.starts(with: MCUbootImage.magic) else { return .failed(.wrongMagic) }
        let checksum = map["sha"]?.bytes ?? []
        guard checksum.count <= 32 else { return .failed(.wrongHash) }
        if let session, !checksum.isEmpty, session.checksum == checksum {
            record.resumed += 1
            return answer(offset: session.offset)
        }
        // A firmware with one image ignores the number.
        let number = slots.layout.images > 1 ? map["image"]?.number ?? 0 : 0
        guard !faults.findsNoSlot(), number < slots.layout.images, !isInUse(active(number).other) else {
            return .failed(.noFreeSlot)
        }
        let slot = active(number).other
        guard size <= slots.layout.slotSize else { return .failed(.tooLarge) }
        if let error = refusal(of: data, for: slot, upgrading: map["upgrade"]?.truth ?? false) {
            return .failed(error)
        }
        if data.count > size { note(.dataBeyondEnd) }
        record.uploads += 1
        finished = nil
        session = Session(slot: slot, size: size, checksum: checksum)
        if rules.checksUpload, checksum.count == 32, hash(slot, size) == checksum {
            session = nil
            lastOffset = size
            return .done(["off": .number(size), "match": .truth(true)])
        }
        makeRoom(at: now)
        return nil
    }

    private func refusal(of data: [UInt8], for slot: ImageSlot, upgrading isUpgrade: Bool) -> SMPGroupError? {
        let isFixed = data.field(16, 4) & MCUbootImage.Flags.romFixed != 0
        if isFixed, !mode.moves, data.field(4, 4) != slots.layout.start(slot) { return .wrongAddress }
        guard isUpgrade, let current = slots.image(active(0)) else { return nil }
        return current.version.isOlder(than: MCUbootVersion(Array(data[20..<28]))) ? nil : .notNewer
    }

    /// Erases the pages of image and trailer, unless the slot is empty; with progressive erasure, only the trailer.
    private mutating func makeRoom(at now: Duration) {
        guard let current = session else { return }
        let trailer = slots.layout.slotSize - SlotLayout.page..<slots.layout.slotSize
        if rules.erasesProgressively {
            slots.erase(trailer, of: current.slot, at: now)
        } else if !slots.isEmpty(current.slot) {
            slots.erase(0..<max(1, current.size), of: current.slot, at: now)
            if current.size <= trailer.lowerBound { slots.erase(trailer, of: current.slot, at: now) }
            noteErase()
        }
    }

    private mutating func noteErase() {
        record.erases += 1
        if faults.eraseEndsLink() { effects.append(.endLink) }
    }

    private mutating func take(_ data: [UInt8], at now: Duration) -> SMPOutcome {
        guard var current = session else { return answer(offset: 0) }
        let isLast = current.offset + data.count == current.size
        if !isLast, data.count % 4 != 0 {
            note(.unalignedChunk)
            if rules.needsAlignedChunks { return failWrite() }
        }
        if faults.failsWrite() { return failWrite() }
        let room = slots.layout.slotSize - current.offset
        let end = current.offset + min(data.count, room)
        if rules.erasesProgressively, end > current.erasedEnd {
            slots.erase(current.erasedEnd..<end, of: current.slot, at: now)
            current.erasedEnd = FlashModel.pages(in: end) * SlotLayout.page
        }
        if !data.isEmpty, room > 0 {
            let start = slots.layout.start(current.slot) + current.offset
            slots.write(Array(data.prefix(room)), at: start, now)
        }
        current.sent += data
        record.chunks += 1
        session = current
        guard current.offset == current.size else { return answer(offset: current.offset) }
        session = nil
        finished = current
        lastOffset = current.size
        record.completed += 1
        guard rules.checksUpload else { return answer(offset: current.size) }
        slots.flash.advance(to: slots.flash.idle(at: now))
        return answer(offset: current.size, matching: hash(current.slot, current.size) == current.checksum)
    }

    /// Ends the upload: a write cannot be repeated.
    private mutating func failWrite() -> SMPOutcome {
        session = nil
        return .failed(.writeFailed)
    }

    private mutating func answer(offset: Int, matching isRight: Bool? = nil) -> SMPOutcome {
        var map: SMPMap = ["off": .number(faults.answersWrongOffset() ? offset + 4 : offset)]
        if let isRight { map.append("match", .truth(isRight)) }
        return .done(map)
    }

    private func hash(_ slot: ImageSlot, _ size: Int) -> [UInt8] {
        SHA256Digest.digest(slots.content(slot, 0..<min(max(0, size), slots.layout.slotSize)))
    }

    /// Erases a slot, by default the one that does not run.
    mutating func erase(_ map: SMPMap, at now: Duration) -> SMPOutcome {
        let number = map["slot"]?.number ?? active(0).other.number
        guard number < slots.layout.images * 2 else { return .failed(.invalidSlot) }
        let slot = ImageSlot(image: number / 2, slot: number % 2)
        // A slot without an image is erased whatever its trailer says.
        if slots.image(slot) != nil, isInUse(slot) { return .failed(.noFreeSlot) }
        session = nil
        finished = nil
        guard !slots.isEmpty(slot) else { return .done([:]) }
        slots.erase(0..<slots.layout.slotSize, of: slot, at: now)
        noteErase()
        return .done([:])
    }

    func slotInformation() -> SMPOutcome {
        let images = (0..<slots.layout.images).map { number in
            let list = (0...1).map { place in
                var entry: SMPMap = ["slot": .number(place), "size": .number(slots.layout.slotSize)]
                if ImageSlot(image: number, slot: place) != active(number) {
                    entry.append("upload_image_id", .number(number))
                }
                return SMPValue.map(entry)
            }
            return SMPValue.map([
                "image": .number(number), "slots": .list(list),
                "max_image_size": .number(slots.layout.largestImage),
            ])
        }
        return .done(["images": .list(images)])
    }
}
