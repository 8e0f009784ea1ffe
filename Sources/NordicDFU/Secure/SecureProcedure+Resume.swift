import Sessions
import UpdateCore

/// Where to begin: what the bootloader holds of the init packet and of the image, and what of it can be gone on with
/// (nordic-secure.md, Resume).
extension SecureProcedure {
    /// What the bootloader holds of the init packet is known; first, where that does not show it, of which generation
    /// the bootloader is.
    mutating func begin(with selection: SecureSelection) throws(UpdateFailure) -> UpdateStep {
        flow.note(commandMaximum: selection.maximumSize)
        guard flow.isGenerationInDoubt else { return try resumeInit(from: selection) }
        link.heldInit = selection
        return ask(.protocolVersion)
    }

    mutating func foundGeneration(isOld: Bool) throws(UpdateFailure) -> UpdateStep {
        flow.note(isOld: isOld)
        guard let held = link.heldInit else { return ask(.select(.command)) }
        return try resumeInit(from: held)
    }

    private mutating func resumeInit(from selection: SecureSelection) throws(UpdateFailure) -> UpdateStep {
        guard image.initPacket.count <= selection.maximumSize else {
            throw UpdateFailure(
                FailureCode(rawValue: "init-packet-too-long"), during: "announcing the init packet",
                message: "the init packet has \(image.initPacket.count) bytes, the bootloader takes "
                    + "\(selection.maximumSize)")
        }
        switch ResumePoint(command: image.initPacket, held: selection.progress) {
        case .goOn(let offset, let checksum):
            link.transfer = SecureTransfer(
                .command, 0..<image.initPacket.count, goingOnAt: offset, with: checksum)
            return sendOn()
        case .execute:
            link.hasFoundInit = true
            update.effect = .unknown
            link.transfer = SecureTransfer(
                .command, 0..<image.initPacket.count, goingOnAt: selection.progress.offset,
                with: selection.progress.crc)
            return ask(.execute(.command, isLast: false))
        case .fresh, .recreate, .executeAndGoOn:
            if selection.progress.offset == 0, update.restarts == 0 { link.settings = .expected }
            return create(image.initTransfer)
        }
    }

    mutating func resumeImage(from selection: SecureSelection) throws(UpdateFailure) -> UpdateStep {
        guard selection.maximumSize > 0 else {
            throw UpdateFailure(
                .unexpectedAnswer, during: SecureRequest.select(.data).step,
                message: "the bootloader takes objects of 0 bytes")
        }
        link.objectMaximum = selection.maximumSize
        let end = selection.progress.offset
        guard update.held.note(end) || update.restarts >= Self.maximumRestarts else {
            // The pages after that were erased; the device speaks from settings that it wrote before.
            return try startOver(
                because: UpdateFailure(
                    .imageCRCMismatch, during: "resuming",
                    message: "the bootloader holds \(end) bytes, more than were sent"))
        }
        switch ResumePoint(image: image.bytes, held: selection.progress, maximum: link.objectMaximum) {
        case .fresh:
            let step = mayAskForIdleFlash ? ask(.flashBarrier) : create(object(at: 0))
            return transferring(step, resumedAt: link.hasFoundInit ? 0 : nil)
        case .recreate(let offset):
            let step = create(object(at: offset))
            link.transfer.check = .base
            return transferring(step, resumedAt: offset)
        case .goOn(let offset, let checksum):
            link.transfer = SecureTransfer(
                .data, range(at: offset / link.objectMaximum * link.objectMaximum), goingOnAt: offset,
                with: checksum)
            link.transfer.begin(flow, after: link.pacing.exchange)
            return transferring(sendOn(), resumedAt: offset)
        case .executeAndGoOn(let offset, let checksum):
            link.transfer = SecureTransfer(
                .data, range(at: offset - link.objectMaximum), goingOnAt: offset, with: checksum)
            return transferring(ask(.execute(.data, isLast: false)), resumedAt: end)
        case .execute:
            link.transfer = SecureTransfer(
                .data, range(at: (end - 1) / link.objectMaximum * link.objectMaximum), goingOnAt: end,
                with: selection.progress.crc)
            return transferring(executeObject(), resumedAt: end)
        }
    }

    private func transferring(_ step: UpdateStep, resumedAt offset: Int?) -> UpdateStep {
        var step = step
        step.notices.insert(.phase(.transferring), at: 0)
        if let offset { step.notices.insert(.resumed(at: offset), at: 1) }
        return step
    }

    /// What the device holds cannot be continued: a new init packet clears it (nordic-secure.md, Resume).
    /// After the last attempt the update ends with `failure`.
    mutating func startOver(because failure: UpdateFailure) throws(UpdateFailure) -> UpdateStep {
        guard update.restarts < Self.maximumRestarts else { throw failure }
        update.restarts += 1
        link.hasFoundInit = false
        update.held.clear()
        var step = create(image.initTransfer)
        step.notices.insert(.retry(reason: failure.code, from: 0), at: 0)
        return step
    }
}
