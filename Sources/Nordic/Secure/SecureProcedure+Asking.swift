import UpdateModel

/// Sending, repeating and giving up requests.
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
            // A data Execute is acknowledged when all the object's flash writes are done (nordic-secure.md,
            // Conversation).
            waitsFor: request.waitsForFlash ? .flash : .answers)
    }

    func expectAgain(_ request: SecureRequest, _ strays: Int) throws(UpdateFailure) -> UpdateStep {
        guard strays < Self.maximumStrays else {
            throw UpdateFailure(
                .unexpectedAnswer, during: request.step,
                message: "received \(strays) notifications, none of them the response to the request")
        }
        return UpdateStep(.expect(from: SecureService.controlPoint, within: request.deadline))
    }

    /// Rule 3: first asks what the device holds, unless the request itself asks that.
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
                message: "the beacon did not respond to \(tries) requests", mayReconnect: true)
        }
        return ask(
            request, tries: tries + 1, notices: [.retry(reason: .noAnswer, from: firmwarePosition)])
    }

    /// There was no response to a Create or Execute; `answer` reports what the device holds.
    ///
    /// Both can be repeated without harm: a second Create discards an empty object, a second Execute has nothing to
    /// do (nordic-secure.md, Conversation). Execute is not repeated if bytes are missing.
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
