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
        heldInit = selection
        return ask(.protocolVersion)
    }

    mutating func foundGeneration(isOld: Bool) throws(UpdateFailure) -> UpdateStep {
        flow.note(isOld: isOld)
        guard let heldInit else { return ask(.select(.command)) }
        return try resumeInit(from: heldInit)
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
            transfer = SecureTransfer(
                .command, 0..<image.initPacket.count, goingOnAt: offset, with: checksum)
            check = .object(mismatches: 0)
            return sendOn()
        case .execute:
            hasFoundInit = true
            effect = .unknown
            transfer = SecureTransfer(
                .command, 0..<image.initPacket.count, goingOnAt: selection.progress.offset,
                with: selection.progress.crc)
            return ask(.execute(.command, isLast: false))
        case .fresh, .recreate, .executeAndGoOn:
            if selection.progress.offset == 0, restarts == 0 { settings = .expected }
            return create(initTransfer)
        }
    }

    mutating func resumeImage(from selection: SecureSelection) throws(UpdateFailure) -> UpdateStep {
        guard selection.maximumSize > 0 else {
            throw UpdateFailure(
                .unexpectedAnswer, during: SecureRequest.select(.data).step,
                message: "the bootloader takes objects of 0 bytes")
        }
        objectMaximum = selection.maximumSize
        let end = selection.progress.offset
        guard held.note(end) || restarts >= Self.maximumRestarts else {
            // The pages after that were erased; the device speaks from settings that it wrote before.
            return try startOver(
                because: UpdateFailure(
                    .imageCRCMismatch, during: "resuming",
                    message: "the bootloader holds \(end) bytes, more than were sent"))
        }
        switch ResumePoint(image: image.bytes, held: selection.progress, maximum: objectMaximum) {
        case .fresh:
            let step = mayAskForIdleFlash ? ask(.flashBarrier) : create(object(at: 0))
            return transferring(step, resumedAt: hasFoundInit ? 0 : nil)
        case .recreate(let offset):
            let step = create(object(at: offset))
            check = .base
            return transferring(step, resumedAt: offset)
        case .goOn(let offset, let checksum):
            transfer = SecureTransfer(
                .data, range(at: offset / objectMaximum * objectMaximum), goingOnAt: offset, with: checksum)
            transfer.begin(flow, after: pacing.exchange)
            check = .object(mismatches: 0)
            return transferring(sendOn(), resumedAt: offset)
        case .executeAndGoOn(let offset, let checksum):
            transfer = SecureTransfer(
                .data, range(at: offset - objectMaximum), goingOnAt: offset, with: checksum)
            isExecutingOnResume = true
            return transferring(ask(.execute(.data, isLast: false)), resumedAt: end)
        case .execute:
            transfer = SecureTransfer(
                .data, range(at: (end - 1) / objectMaximum * objectMaximum), goingOnAt: end,
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
        guard restarts < Self.maximumRestarts else { throw failure }
        restarts += 1
        hasFoundInit = false
        held.clear()
        var step = create(initTransfer)
        step.notices.insert(.retry(reason: failure.code, from: 0), at: 0)
        return step
    }
}
