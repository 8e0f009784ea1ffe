import Bytes
import UpdateModel

extension SecureProcedure {
    mutating func ask(_ request: SecureRequest, tries: Int = 1, notices: [UpdateNotice] = []) -> UpdateStep {
        if request.isExecute { link.unansweredExecutes += 1 }
        if case .execute(.command, _) = request { update.isInitInDoubt = true }
        state = .asking(request, tries: tries, strays: 0)
        return step(request, notices: notices)
    }

    func step(_ request: SecureRequest, notices: [UpdateNotice] = []) -> UpdateStep {
        UpdateStep(
            .request(
                request.bytes, on: SecureService.controlPoint, answerOn: SecureService.controlPoint,
                within: request.deadline), notices: notices,
            // A data Execute is acknowledged when all writes of its object are done (nordic-secure.md, Conversation).
            waitsFor: request.waitsForFlash ? .flash : .answers)
    }

    func expectAgain(_ request: SecureRequest, _ strays: Int) throws(UpdateFailure) -> UpdateStep {
        guard strays < Self.maximumStrays else { throw .strays(strays, during: request.step) }
        return UpdateStep(.expect(from: SecureService.controlPoint, within: request.deadline))
    }

    /// Handles a request without a response: first asks what the device holds (rule 3), unless that was the request.
    mutating func recoverLostAnswer(to request: SecureRequest, _ tries: Int) throws(UpdateFailure)
        -> UpdateStep
    {
        if link.settings == .expected || link.settings.areUnderWay { flow.noteSpoiledMeasurement() }
        link.noteSilence()
        switch request {
        case .checksum, .select, .setReceipts: return try askAgain(request, tries)
        case .create, .execute:
            state = .recoveringAnswer(request, tries: tries, strays: 0)
            return step(.checksum)
        case .flashBarrier: return continueAfterFlashBarrier(isIdle: false)
        case .protocolVersion: return try continueWithGeneration(isOld: true)
        }
    }

    mutating func askAgain(_ request: SecureRequest, _ tries: Int) throws(UpdateFailure) -> UpdateStep {
        guard tries < Self.maximumTries else {
            throw UpdateFailure(
                .device.noAnswer, during: request.step,
                message: "the beacon did not respond to \(tries) requests", mayReconnect: true)
        }
        return ask(
            request, tries: tries + 1, notices: [.retry(reason: .device.noAnswer, from: firmwarePosition)])
    }

    /// Continues after a Create or Execute without a response; `answer` reports what the device holds.
    ///
    /// Both can be repeated safely: a second Create discards an empty object, a second Execute has nothing to do
    /// (nordic-secure.md, Conversation). Execute is not repeated if bytes are missing.
    mutating func continueAfterRecovery(
        by answer: SecureAnswer, of request: SecureRequest, _ tries: Int
    ) throws(UpdateFailure) -> UpdateStep {
        if case .execute = request, answer.refusal == nil,
            !link.transfer.agrees(with: try progress(in: answer, .checksum))
        {
            return try sendObjectAgain(mayBeExecuted: true)
        }
        return try askAgain(request, tries)
    }

    mutating func handle(
        _ answer: SecureAnswer, to request: SecureRequest, _ tries: Int
    ) throws(UpdateFailure) -> UpdateStep {
        noteAnswer(to: request)
        if let refusal = answer.refusal { return try handle(refusal, of: request, tries) }
        switch request {
        case .setReceipts(let count):
            let isFirst = link.receiptInterval == nil
            link.receiptInterval = Int(count)
            if !isFirst, link.transfer.check == .part { return ask(.checksum) }
            return ask(isFirst ? .select(.command) : link.transfer.create)
        case .select(.command): return try begin(with: try selection(in: answer, request))
        case .select(.data): return try resumeImage(from: try selection(in: answer, request))
        case .create:
            // A device responds in order, so the missing responses to earlier Executes are lost.
            link.unansweredExecutes = 0
            link.transfer.begin(flow, after: link.pacing.exchange, and: link.flashIdle)
            link.flashIdle = nil
            link.pacing.noteCreate(isMeasured: tries == 1 && link.transfer.object == .data)
            return link.transfer.check == .base ? ask(.checksum) : continueSending()
        case .checksum: return try handle(checksum: progress(in: answer, request), tries)
        case .execute(.command, _):
            update.effect = .unknown
            // A repeated Execute cannot be measured: the first one may have written the settings.
            link.settings = .underWay(since: link.pacing.now, isNew: link.settings == .expected && tries == 1)
            noteSettings()
            return ask(.select(.data))
        case .execute(.data, let isLast): return continueAfterExecute(isLast: isLast)
        case .flashBarrier: return continueAfterFlashBarrier(isIdle: true)
        case .protocolVersion: return try continueWithGeneration(isOld: false)
        }
    }

    mutating func noteAnswer(to request: SecureRequest) {
        if case .execute(.command, _) = request {
            update.isInitInDoubt = false
            update.hasExecutedInit = true
        }
        if case .create = request { update.effect = update.effect ?? .intact }
    }

    private func selection(
        in answer: SecureAnswer, _ request: SecureRequest
    ) throws(UpdateFailure) -> SecureSelection {
        var reader = ByteReader(answer.payload[...], startingAt: 3)
        do throws(ByteError) { return try SecureSelection(parsing: &reader) } catch {
            throw .tooShort(error, during: request.step)
        }
    }

    func progress(in answer: SecureAnswer, _ request: SecureRequest) throws(UpdateFailure) -> SecureProgress {
        var reader = ByteReader(answer.payload[...], startingAt: 3)
        do throws(ByteError) { return try SecureAnswer.progress(parsing: &reader) } catch {
            throw .tooShort(error, during: request.step)
        }
    }

    /// Continues after some refusals; throws the failure of the others.
    private mutating func handle(
        _ refusal: SecureRefusal, of request: SecureRequest, _ tries: Int
    ) throws(UpdateFailure) -> UpdateStep {
        switch (request, refusal.result) {
        case (.flashBarrier, _): return continueAfterFlashBarrier(isIdle: false)
        case (.protocolVersion, let result):
            // A bootloader of SDK 12 to 14 rejects an unknown request as a wrong parameter.
            return try continueWithGeneration(isOld: result == SecureRefusal.invalidParameter)
        case (.execute(.data, isLast: false), SecureRefusal.operationNotPermitted)
        where link.transfer.wasComplete:
            // The object was created, but empty when the link was lost: nothing to execute (nordic-secure.md, Resume).
            return continueAfterExecute(isLast: false)
        case (.execute, SecureRefusal.operationNotPermitted),
            (.execute(.data, isLast: false), SecureRefusal.invalidObject):
            // Bytes are missing, another object is selected, or the response is an old one.
            return try sendObjectAgain(mayBeExecuted: true)
        case (.create(.data, _), SecureRefusal.invalidObject) where tries < Self.maximumTries:
            // The erase could not be queued. A packet sent now would be written to an unerased page.
            return pause(.milliseconds(500), before: request, tries: tries + 1)
        case (.execute(.data, isLast: false), SecureRefusal.operationFailed) where tries < Self.maximumTries,
            (.execute(.command, _), SecureRefusal.operationFailed)
        where flow.isOldTarget && tries < Self.maximumTries:
            // The flash queue was full, so the request is repeated. Newer bootloaders refuse an init packet for good with
            // this code; a repetition would only hide the reason.
            return pause(.milliseconds(200), before: request, tries: tries + 1)
        case (.create(.data, _), SecureRefusal.invalidObject):
            return try startOver(because: refusal.failure(of: request, for: image))
        case (.create(.data, _), SecureRefusal.invalidParameter) where link.transfer.check == .base,
            (.create(.data, _), SecureRefusal.operationNotPermitted)
        where link.transfer.check == .base || link.hadInitPacket:
            // The device does not hold what it reports, or its init packet is invalid.
            return try startOver(because: refusal.failure(of: request, for: image))
        case (.checksum, _): return try sendObjectAgain()
        case (.execute(.data, isLast: true), _)
        where !update.hasRefusedImage && refusal.isFlashMismatch(onOldTarget: flow.isOldTarget):
            // A flash write failed, or the RAM ring was overwritten, although the CRC is right (nordic-secure.md,
            // Timing). The device restarts; the image is sent again, slower.
            return restartSlower(because: refusal.flashMismatchFailure(of: request, for: image))
        case (.execute(.data, isLast: true), SecureRefusal.invalidObject) where link.imageRefusal == nil:
            // A busy SoftDevice may be the reason; otherwise the device ends the link (nordic-secure.md, Refusals).
            link.imageRefusal = refusal.failure(of: request, for: image)
            return pause(.seconds(1), before: request, tries: tries + 1)
        default: throw refusal.failure(of: request, for: image)
        }
    }

    /// Handles a receipt: offset and CRC while packets are in flight. If it does not match, either it is an old one, or
    /// bytes were lost; Get CRC shows which (nordic-secure.md, Conversation).
    mutating func handle(receipt bytes: [UInt8], _ strays: Int) throws(UpdateFailure) -> UpdateStep {
        guard let answer = SecureAnswer(bytes), answer.answers(.checksum) else {
            state = .awaitingReceipt(strays: countStray(bytes, after: strays))
            return try expectAgain(.checksum, strays)
        }
        if answer.refusal == nil {
            let progress = try progress(in: answer, .checksum)
            if acceptReceipt(progress) { return continueSending() }
            // An earlier receipt was mistaken for the response to Get CRC. This is that response, with nothing new.
            if progress == link.transfer.receipted, progress.offset > link.transfer.range.lowerBound,
                strays < Self.maximumStrays
            {
                return awaitReceipt(strays: strays + 1)
            }
        }
        link.transfer.check = .receipt(mismatches: 0)
        return ask(.checksum)
    }

    private mutating func acceptReceipt(_ progress: SecureProgress) -> Bool {
        // Whether the receipt was received as it came, so that the time of its arrival is known.
        let isFresh =
            flow.isOldTarget ? link.pacing.wasTimely : link.pacing.hasWaited && flow.roundTrip != nil
        guard link.transfer.acceptReceipt(progress, of: source, flow, at: link.pacing.now, isFresh: isFresh)
        else { return false }
        flow.missedReceipts = 0
        return true
    }

    /// Handles the response to Get CRC, or an earlier receipt, which looks the same.
    private mutating func handle(
        checksum progress: SecureProgress, _ tries: Int
    ) throws(UpdateFailure) -> UpdateStep {
        guard link.transfer.check != .base, link.transfer.check != .part,
            !link.transfer.agrees(with: progress), acceptReceipt(progress)
        else {
            return try compare(progress)
        }
        state = .asking(.checksum, tries: tries, strays: 0)
        guard flow.roundTrip != nil else { return try expectAgain(.checksum, 0) }
        // This may have been the response and not a receipt, if the receipt and all packets after it were lost. Then
        // nothing more comes; otherwise the response comes once the outstanding packets have arrived.
        let rest = flow.receiptDeadline(of: link.transfer.outstanding(flow))
        return UpdateStep(
            .expect(from: SecureService.controlPoint, within: min(SecureRequest.checksum.deadline, rest)))
    }
}

/// Waiting until the settings that Execute(init) writes are in flash, however long that takes.
///
/// Execute of a data object is acknowledged when the flash is idle. Right after a valid init packet, before a Create, it
/// does nothing else, and serves as a flash barrier (nordic-secure.md, Timing). On SDK 12 to 14 it does not wait, and is
/// not used.
extension SecureProcedure {
    /// Whether the flash barrier may be sent: only to a bootloader, because applications may do something else. It mainly
    /// measures the flash, so it is not sent if times are unknown, or if the flash is known to be fast.
    var mayUseFlashBarrier: Bool {
        receiver == .bootloader && link.pacing.isKnown && link.settings.areUnderWay
            && !update.hasBarrierFailed && !flow.isOldTarget && flow.settingsWithin == nil
    }

    /// Predicts, if times are known, when the flash has written the settings. An old target writes them after each
    /// acknowledged Execute, others only after that of a new init packet.
    mutating func noteSettings() {
        guard link.pacing.isKnown else { return link.flashIdle = nil }
        link.flashIdle =
            flow.settingsWritten(executed: link.pacing.exchange, after: link.transfer.forecast?.idle)
            ?? (link.settings.areUnderWay ? flow.quickSettings(executed: link.pacing.exchange) : nil)
    }

    /// Continues after the flash barrier. Unless `isIdle`, sending waits for the settings as predicted.
    mutating func continueAfterFlashBarrier(isIdle: Bool) -> UpdateStep {
        if isIdle {
            if case .underWay(let start, isNew: true) = link.settings, let wait = link.pacing.wait {
                flow.note(settingsWithin: link.pacing.now - start, atOnce: flow.isAtOnce(wait))
            }
            link.settings = .none
        } else {
            update.hasBarrierFailed = true
        }
        return create(object(at: 0))
    }
}
