import Bytes

extension FBeaconReceiver {
    /// Processes an EOT.
    mutating func end(at now: Duration) -> [FirmwareReaction] {
        record.ends += 1
        if faults.has(.ignoreEnd(record.ends)) { return [] }
        if faults.has(.refuseEnd(record.ends)) { return refuse(at: now) }
        guard blocks > 0 else { return cancel(for: .endWithoutData, at: now) }
        let image = arrivedImage(at: now)
        guard image != nil || rules.acknowledgesUnchecked else { return cancel(at: now) }
        if let image {
            record.images += 1
            var copy = flash
            copy.cells.advance(to: idle(at: now))
            completed = copy.content(of: place, image.length)
            if !faults.has(.keepOldApplication) {
                flash.finish(image, at: place, restoringSettings: restoresSettings, now)
            }
        }
        close()
        let due = idle(at: now)
        let restart = due + rules.restartDelay
        return [
            .notify([FBeaconControl.acknowledge], at: due), .disconnect(at: restart), .reset(at: restart),
        ]
    }

    /// The image that flash will hold once it is idle; nil if that differs from what was received, or is not accepted.
    private func arrivedImage(at now: Duration) -> FBeaconImage? {
        var copy = flash
        copy.cells.advance(to: idle(at: now))
        let stream = copy.content(of: place, blocks * FBeaconTransfer.blockSize)
        guard FBeaconImage(stream, version: 0).checksum == checksum.value else { return nil }
        return images.image(in: stream)
    }

    /// A repeated EOT means that its response was lost.
    mutating func takeAfterEnd(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction] {
        if bytes == [FBeaconControl.end] {
            record.ends += 1
            return [.notify([FBeaconControl.acknowledge], at: idle(at: now))]
        }
        if bytes.first == FBeaconControl.start { record.clientErrors.append(.packetAfterEnd) }
        return []
    }
}
