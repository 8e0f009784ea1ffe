import Bytes

extension BankReceiver {
    /// What the bootloader starts: of two valid images the newer one, unless its CRC is wrong; a single image whatever
    /// its CRC (dialog-suota.md, Which image starts).
    public mutating func reset(at now: Duration) -> SUOTABoot {
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
