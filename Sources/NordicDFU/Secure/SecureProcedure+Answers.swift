import ByteCoding
import Sessions
import UpdateCore

/// What follows from an answer.
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
            // A device answers in order: what an earlier Execute has not said by now was lost.
            link.unansweredExecutes = 0
            link.transfer.begin(flow, after: link.pacing.exchange, and: link.flashIdle)
            link.flashIdle = nil
            link.pacing.noteBeginning()
            return link.transfer.check == .base ? ask(.checksum) : sendOn()
        case .checksum: return try take(checksum: progress(in: answer, request), tries)
        case .execute(.command, _):
            update.effect = .unknown
            // Executed twice, the settings may have been written the first time.
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
                .unexpectedAnswer, during: request.step, message: "the answer is too short: \(error)")
        }
    }

    func progress(in answer: SecureAnswer, _ request: SecureRequest) throws(UpdateFailure) -> SecureProgress {
        var reader = ByteReader(answer.payload[...], startingAt: 3)
        do throws(ByteError) { return try SecureAnswer.progress(parsing: &reader) } catch {
            throw UpdateFailure(
                .unexpectedAnswer, during: request.step, message: "the answer is too short: \(error)")
        }
    }

    /// Refusals that a client can do something about; every other one ends the update.
    private mutating func take(
        _ refusal: SecureRefusal, of request: SecureRequest, _ tries: Int
    ) throws(UpdateFailure) -> UpdateStep {
        switch (request, refusal.result) {
        case (.flashBarrier, _): return foundFlash(isIdle: false)
        case (.protocolVersion, let result):
            // What it does not know, a bootloader of SDK 12 to 14 calls a wrong parameter.
            return try foundGeneration(isOld: result == SecureRefusal.invalidParameter)
        case (.execute(.data, isLast: false), SecureRefusal.operationNotPermitted)
        where link.transfer.wasWhole:
            // Created, empty, and then the link dropped: there was nothing to execute
            // (nordic-secure.md, Resume).
            return executed(isLast: false)
        case (.execute, SecureRefusal.operationNotPermitted),
            (.execute(.data, isLast: false), SecureRefusal.invalidObject):
            // Not all bytes have arrived, another object is selected, or the answer is an old one.
            return try sendObjectAgain(mayBeExecuted: true)
        case (.create(.data, _), SecureRefusal.invalidObject) where tries < Self.maximumTries:
            // The erase could not be queued; a packet now would be taken without one.
            return pause(.milliseconds(500), before: request, tries: tries + 1)
        case (.execute(.data, isLast: false), SecureRefusal.operationFailed) where tries < Self.maximumTries,
            (.execute(.command, _), SecureRefusal.operationFailed)
        where flow.isOldTarget && tries < Self.maximumTries:
            // The flash queue was full although the state may have advanced. Newer bootloaders refuse an
            // init packet for good, and a repeat would only hide why.
            return pause(.milliseconds(200), before: request, tries: tries + 1)
        case (.create(.data, _), SecureRefusal.invalidObject):
            return try startOver(because: refusal.failure(of: request, for: image))
        case (.create(.data, _), SecureRefusal.invalidParameter) where link.transfer.check == .base,
            (.create(.data, _), SecureRefusal.operationNotPermitted)
        where link.transfer.check == .base || link.hasFoundInit:
            // What the device holds is not what it says it holds, or its init packet is not valid.
            return try startOver(because: refusal.failure(of: request, for: image))
        case (.checksum, _): return try sendObjectAgain()
        case (.execute(.data, isLast: true), _)
        where !update.hasFailedWhole && refusal.isOfFlash(onOldTarget: flow.isOldTarget):
            // A flash write was given up, or overrun, under a right CRC (nordic-secure.md, Timing). The device
            // restarts; once more, slower.
            return beginAgain(because: refusal.failureOfFlash(request, for: image))
        case (.execute(.data, isLast: true), SecureRefusal.invalidObject) where link.refusedWhole == nil:
            // A busy SoftDevice may be the reason; a device that means it hangs up (nordic-secure.md, Refusals).
            link.refusedWhole = refusal.failure(of: request, for: image)
            return pause(.seconds(1), before: request, tries: tries + 1)
        default: throw refusal.failure(of: request, for: image)
        }
    }

    /// A receipt: offset and CRC while packets are under way. One that does not fit is an old one, or bytes
    /// were lost; the device is asked before anything is believed (nordic-secure.md, Conversation).
    mutating func take(receipt bytes: [UInt8], _ strays: Int) throws(UpdateFailure) -> UpdateStep {
        guard let answer = SecureAnswer(bytes), answer.answers(.checksum) else {
            state = .awaitingReceipt(strays: stray(bytes, after: strays))
            return try expectAgain(.checksum, strays)
        }
        if answer.refusal == nil {
            let progress = try progress(in: answer, .checksum)
            if takeReceipt(progress) { return sendOn() }
            // A late receipt was taken for the answer to a question: this is the answer, and says nothing new.
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
        // What comes after a request was not there before it.
        let isFresh =
            flow.isOldTarget ? link.pacing.wasTimely : link.pacing.hasWaited && flow.roundTrip != nil
        guard link.transfer.takeReceipt(progress, of: source, flow, at: link.pacing.now, awaited: isFresh)
        else { return false }
        flow.missedReceipts = 0
        return true
    }

    /// The answer to Get CRC, or one of the receipts that were on the way before it and look the same.
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
        // It may have been the answer after all: the receipt was lost, and all packets after it too. Nothing tells the two
        // apart but that the answer comes when the rest has arrived.
        let rest = flow.receiptDeadline(of: link.transfer.outstanding(flow))
        return UpdateStep(
            .expect(from: SecureService.controlPoint, within: min(SecureRequest.checksum.deadline, rest)))
    }
}
