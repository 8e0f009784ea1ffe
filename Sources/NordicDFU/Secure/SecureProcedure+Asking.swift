import Sessions
import UpdateCore

/// How requests are made, repeated and given up.
extension SecureProcedure {
    mutating func ask(
        _ request: SecureRequest, tries: Int = 1, notices: [UpdateNotice] = []
    ) -> UpdateStep {
        if request.opcode == SecureRequest.executeOpcode { link.unansweredExecutes += 1 }
        if case .execute(.command, _) = request { update.isInitInDoubt = true }
        state = .asking(request, tries: tries, strays: 0)
        return step(request, notices: notices)
    }

    func step(_ request: SecureRequest, notices: [UpdateNotice] = []) -> UpdateStep {
        UpdateStep(
            .request(
                request.bytes, on: SecureService.controlPoint, answerOn: SecureService.controlPoint,
                within: request.deadline), notices: notices,
            // A data Execute is answered when all the object's flash writes are done (nordic-secure.md, Conversation).
            waitsFor: request.waitsForFlash ? .flash : .answers)
    }

    func expectAgain(_ request: SecureRequest, _ strays: Int) throws(UpdateFailure) -> UpdateStep {
        guard strays < Self.maximumStrays else {
            throw UpdateFailure(
                .unexpectedAnswer, during: request.step,
                message: "\(strays) notifications came, none of them answers the request")
        }
        return UpdateStep(.expect(from: SecureService.controlPoint, within: request.deadline))
    }

    /// Rule 3: what the device holds is asked first, except where the request itself asks that.
    mutating func settle(_ request: SecureRequest, _ tries: Int) throws(UpdateFailure) -> UpdateStep {
        if link.settings == .expected || link.settings.areUnderWay { flow.noteSpoiledMeasurement() }
        link.noteSilence()
        switch request {
        case .checksum, .select, .setReceipts: return try askAgain(request, tries)
        case .create, .execute:
            state = .settling(request, tries: tries, strays: 0)
            return step(.checksum)
        case .flashBarrier: return foundFlash(isIdle: false)
        case .protocolVersion: return try foundGeneration(isOld: true)
        }
    }

    mutating func askAgain(_ request: SecureRequest, _ tries: Int) throws(UpdateFailure) -> UpdateStep {
        guard tries < Self.maximumTries else {
            throw UpdateFailure(
                .noAnswer, during: request.step,
                message: "asked \(tries) times, the device did not answer", mayReconnect: true)
        }
        return ask(
            request, tries: tries + 1, notices: [.retry(reason: .noAnswer, from: firmwarePosition)])
    }

    /// A Create or Execute was not answered; `answer` says what the device holds.
    ///
    /// Both are harmless when repeated: a second Create discards an empty object, a second Execute has
    /// nothing to do (nordic-secure.md, Conversation). Only an Execute of bytes that are not all there is not repeated.
    mutating func conclude(
        _ answer: SecureAnswer, about request: SecureRequest, _ tries: Int
    ) throws(UpdateFailure) -> UpdateStep {
        if case .execute = request, answer.refusal == nil,
            !link.transfer.agrees(with: try progress(in: answer, .checksum))
        {
            return try sendObjectAgain(mayBeExecuted: true)
        }
        return try askAgain(request, tries)
    }
}
