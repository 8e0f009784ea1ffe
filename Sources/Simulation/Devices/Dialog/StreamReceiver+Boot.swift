import Bytes

extension StreamReceiver {
    /// 68x: a loader copies a finished update over the running image; the copy survives a power loss, and an update
    /// with a wrong CRC is ignored. 69x: the flash header names the image (dialog-suota.md, Which image starts).
    public mutating func reset(at now: Duration) -> SUOTABoot {
        flash.advance(to: now)
        flash.dropQueue()
        stage = .idle
        way = .open
        status = 0
        memoryInfo = 0
        patchLength = 0
        unanswered = 0
        buffersLost = 0
        holdsBuffer = false
        hasStarted = false
        hasEnded = false
        links = 0
        record.resets += 1
        return personality.family == .da1469x ? followHeader() : copyUpdate(at: now)
    }

    private mutating func followHeader() -> SUOTABoot {
        let places = FlashHeader(flash.content(0..<FlashHeader.size)).map { [$0.update, $0.active] }
        // An incomplete header names nothing; the first partition holds the initial image.
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
        if let ends = copyEnds, ends <= now { place() }
        copyEnds = nil
        guard let update = image(at: 1), update.isIntact, isFinished else {
            return SUOTABoot(image: image(at: 0), time: personality.startTime)
        }
        let pages = FlashModel.pages(in: update.payload.count + personality.family.headerSize)
        let time = (flash.timing.pageErase + flash.timing.pageProgram) * pages
        // The copy takes effect at its end: a power loss before that restarts it.
        copyEnds = now + time
        let copy = SUOTABoot.Image(
            version: update.version, timestamp: update.timestamp, payload: update.payload, bank: 1,
            isIntact: true)
        return SUOTABoot(image: copy, time: time + personality.startTime)
    }

    /// Installs the update when the loader has finished.
    private mutating func place() {
        guard let header = header(at: 1) else { return }
        let start = personality.banks[1]
        flash.place(flash.content(start..<start + header.total), at: personality.banks[0])
        flash.place([0, 0], at: start + 2)
    }

    /// Completes a finished copy; must be called before anything else accesses the partition.
    mutating func finishCopying(at now: Duration) {
        guard let ends = copyEnds, ends <= now else { return }
        place()
        copyEnds = nil
    }

    private var isFinished: Bool { header(at: 1)?.isFinished == true }

    private func header(at number: Int) -> StreamHeader? {
        let start = personality.banks[number]
        let header = StreamHeader(
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
            version: header.version.versionText, timestamp: header.timestamp, payload: payload,
            bank: number + 1, isIntact: CRC32.checksum(payload) == header.checksum)
    }
}
