import Bytes
import UpdateModel

/// Handling of responses.
extension SecureProcedure {
    mutating func take(
        _ answer: SecureAnswer, to request: SecureRequest, _ tries: Int
    ) throws(UpdateFailure) -> UpdateStep {
        noteAnswer(to: request)
        if let refusal = answer.refusal { return try take(refusal, of: request, tries) }
        switch request {
        case .setReceipts(let count):
            let isFirst = link.receiptInterval == nil
            link.receiptInterval = Int(count)
            if !isFirst, link.transfer.check == .part { return ask(.checksum) }
            return ask(isFirst ? .select(.command) : link.transfer.create)
        case .select(.command): return try begin(with: try selection(in: answer, request))
        case .select(.data): return try resumeImage(from: try selection(in: answer, request))
        case .create:
            // A device responds in order: the responses to earlier Executes are lost.
            link.unansweredExecutes = 0
            link.transfer.begin(flow, after: link.pacing.exchange, and: link.flashIdle)
            link.flashIdle = nil
            link.pacing.noteBeginning()
            return link.transfer.check == .base ? ask(.checksum) : sendOn()
        case .checksum: return try take(checksum: progress(in: answer, request), tries)
        case .execute(.command, _):
            update.effect = .unknown
            // With two Executes, the first may have written the settings.
            link.settings = .underWay(since: link.pacing.now, isNew: link.settings == .expected && tries == 1)
            noteSettings()
            return ask(.select(.data))
        case .execute(.data, let isLast): return executed(isLast: isLast)
        case .flashBarrier: return foundFlash(isIdle: true)
        case .protocolVersion: return try foundGeneration(isOld: false)
        }
    }

    private func selection(
        in answer: SecureAnswer, _ request: SecureRequest
    ) throws(UpdateFailure) -> SecureSelection {
        var reader = ByteReader(answer.payload[...], startingAt: 3)
        do throws(ByteError) { return try SecureSelection(parsing: &reader) } catch {
            throw UpdateFailure(
                .unexpectedAnswer, during: request.step, message: "the response is too short: \(error)")
        }
    }

    func progress(in answer: SecureAnswer, _ request: SecureRequest) throws(UpdateFailure) -> SecureProgress {
        var reader = ByteReader(answer.payload[...], startingAt: 3)
        do throws(ByteError) { return try SecureAnswer.progress(parsing: &reader) } catch {
            throw UpdateFailure(
                .unexpectedAnswer, during: request.step, message: "the response is too short: \(error)")
        }
    }

    /// Refusals that a client can handle; every other one ends the update.
    private mutating func take(
        _ refusal: SecureRefusal, of request: SecureRequest, _ tries: Int
    ) throws(UpdateFailure) -> UpdateStep {
        switch (request, refusal.result) {
        case (.flashBarrier, _): return foundFlash(isIdle: false)
        case (.protocolVersion, let result):
            // A bootloader of SDK 12 to 14 rejects an unknown request as a wrong parameter.
            return try foundGeneration(isOld: result == SecureRefusal.invalidParameter)
        case (.execute(.data, isLast: false), SecureRefusal.operationNotPermitted)
        where link.transfer.wasWhole:
            // The object was created, but empty when the link was lost: there was nothing to execute
            // (nordic-secure.md, Resume).
            return executed(isLast: false)
        case (.execute, SecureRefusal.operationNotPermitted),
            (.execute(.data, isLast: false), SecureRefusal.invalidObject):
            // Bytes are missing, another object is selected, or the response is an old one.
            return try sendObjectAgain(mayBeExecuted: true)
        case (.create(.data, _), SecureRefusal.invalidObject) where tries < Self.maximumTries:
            // The erase could not be queued; without it, a packet sent now would be written to an unerased page.
            return pause(.milliseconds(500), before: request, tries: tries + 1)
        case (.execute(.data, isLast: false), SecureRefusal.operationFailed) where tries < Self.maximumTries,
            (.execute(.command, _), SecureRefusal.operationFailed)
        where flow.isOldTarget && tries < Self.maximumTries:
            // The flash queue was full although the state may have advanced. Newer bootloaders refuse an init packet
            // for good, and a repetition would only hide the reason.
            return pause(.milliseconds(200), before: request, tries: tries + 1)
        case (.create(.data, _), SecureRefusal.invalidObject):
            return try startOver(because: refusal.failure(of: request, for: image))
        case (.create(.data, _), SecureRefusal.invalidParameter) where link.transfer.check == .base,
            (.create(.data, _), SecureRefusal.operationNotPermitted)
        where link.transfer.check == .base || link.hasFoundInit:
            // The device does not hold what it reports, or its init packet is invalid.
            return try startOver(because: refusal.failure(of: request, for: image))
        case (.checksum, _): return try sendObjectAgain()
        case (.execute(.data, isLast: true), _)
        where !update.hasFailedWhole && refusal.isOfFlash(onOldTarget: flow.isOldTarget):
            // A flash write failed, or was overrun, although the CRC is right (nordic-secure.md, Timing). The device
            // restarts; try again, slower.
            return beginAgain(because: refusal.failureOfFlash(request, for: image))
        case (.execute(.data, isLast: true), SecureRefusal.invalidObject) where link.refusedWhole == nil:
            // A busy SoftDevice may be the reason; otherwise the device ends the link (nordic-secure.md, Refusals).
            link.refusedWhole = refusal.failure(of: request, for: image)
            return pause(.seconds(1), before: request, tries: tries + 1)
        default: throw refusal.failure(of: request, for: image)
        }
    }

    /// Handles a receipt: offset and CRC while packets are under way. If it does not match, it is an old one, or
    /// bytes were lost: ask the device to decide (nordic-secure.md, Conversation).
    mutating func take(receipt bytes: [UInt8], _ strays: Int) throws(UpdateFailure) -> UpdateStep {
        guard let answer = SecureAnswer(bytes), answer.answers(.checksum) else {
            state = .awaitingReceipt(strays: stray(bytes, after: strays))
            return try expectAgain(.checksum, strays)
        }
        if answer.refusal == nil {
            let progress = try progress(in: answer, .checksum)
            if takeReceipt(progress) { return sendOn() }
            // A late receipt was taken for the response to a request: this is the response, and has nothing new.
            if progress == link.transfer.receipted, progress.offset > link.transfer.range.lowerBound,
                strays < Self.maximumStrays
            {
                state = .awaitingReceipt(strays: strays + 1)
                return UpdateStep(
                    .expect(from: SecureService.controlPoint, within: receiptDeadline),
                    waitsFor: flow.waitsFor)
            }
        }
        link.transfer.check = .receipt(mismatches: 0)
        return ask(.checksum)
    }

    private mutating func takeReceipt(_ progress: SecureProgress) -> Bool {
        // A response to a request was not buffered before it.
        let isFresh =
            flow.isOldTarget ? link.pacing.wasTimely : link.pacing.hasWaited && flow.roundTrip != nil
        guard link.transfer.takeReceipt(progress, of: source, flow, at: link.pacing.now, awaited: isFresh)
        else { return false }
        flow.missedReceipts = 0
        return true
    }

    /// Handles the response to Get CRC, or an earlier receipt, which looks the same.
    private mutating func take(
        checksum progress: SecureProgress, _ tries: Int
    ) throws(UpdateFailure) -> UpdateStep {
        guard link.transfer.check != .base, link.transfer.check != .part,
            !link.transfer.agrees(with: progress), takeReceipt(progress)
        else {
            return try compare(progress)
        }
        state = .asking(.checksum, tries: tries, strays: 0)
        guard flow.roundTrip != nil else { return try expectAgain(.checksum, 0) }
        // It may have been the response after all: the receipt was lost, and all packets after it too. The only
        // difference is that the response comes once the rest has arrived.
        let rest = flow.receiptDeadline(of: link.transfer.outstanding(flow))
        return UpdateStep(
            .expect(from: SecureService.controlPoint, within: min(SecureRequest.checksum.deadline, rest)))
    }
}
