import Sessions
import UpdateCore

/// How requests are made, repeated and given up, and what follows from a status.
extension LegacyProcedure {
    /// Whatever comes first of an answer or an acknowledgement, none of it is dropped.
    mutating func write(
        _ request: LegacyRequest, tries: Int = 1, notices: [UpdateNotice] = []
    ) -> UpdateStep {
        state = .writing(request, tries: tries)
        return UpdateStep(.write(request.bytes, on: LegacyService.controlPoint), notices: notices)
    }

    mutating func ask(
        _ request: LegacyRequest, tries: Int = 1, notices: [UpdateNotice] = []
    ) -> UpdateStep {
        state = .asking(request, tries: tries, strays: 0)
        return UpdateStep(
            .request(
                request.bytes, on: LegacyService.controlPoint, answerOn: LegacyService.controlPoint,
                within: request.deadline), notices: notices, waitsFor: .flash)
    }

    /// Waits for the answer to a request that is answered when the packets after it have come.
    mutating func listen(for request: LegacyRequest) -> UpdateStep {
        state = .asking(request, tries: 1, strays: 0)
        return UpdateStep(
            .expect(from: LegacyService.controlPoint, within: request.deadline), waitsFor: .flash)
    }

    func expectAgain(_ request: LegacyRequest, _ strays: Int) throws(UpdateFailure) -> UpdateStep {
        try expectAgain(within: request.deadline, strays, during: request)
    }

    func expectAgain(
        within limit: Duration, _ strays: Int, during request: LegacyRequest
    ) throws(UpdateFailure) -> UpdateStep {
        guard strays < Self.maximumStrays else {
            throw UpdateFailure(
                .unexpectedAnswer, during: request.step,
                message: "\(strays) notifications came, none of them answers the request")
        }
        return UpdateStep(.expect(from: LegacyService.controlPoint, within: limit))
    }

    /// Only Validate can be asked again: a bootloader that has answered it before refuses, and is restarted then.
    mutating func askAgain(_ request: LegacyRequest, _ tries: Int) throws(UpdateFailure) -> UpdateStep {
        if request == .validate, tries == 1, receiver != .application {
            return ask(request, tries: 2, notices: [.retry(reason: .noAnswer, from: total)])
        }
        if case .start = request, link.hasRefusedOldStart {
            throw LegacyRefusal(status: LegacyRefusal.notSupported).failure(
                of: request, for: image, on: device)
        }
        guard request != .validate else { return try restart(because: unansweredValidation) }
        return try restart(
            because: UpdateFailure(
                .noAnswer, during: request.step,
                message: "the device did not answer for \(request.deadline)"))
    }

    mutating func take(_ status: UInt8, of request: LegacyRequest) throws(UpdateFailure) -> UpdateStep {
        if case .start = request { noteStart(isAccepted: status == LegacyAnswer.success) }
        guard status == LegacyAnswer.success else {
            return try take(LegacyRefusal(status: status), of: request)
        }
        switch request {
        case .validate: return write(.activate)
        default: return passed(request)
        }
    }

    mutating func take(
        _ refusal: LegacyRefusal, of request: LegacyRequest
    ) throws(UpdateFailure) -> UpdateStep {
        let failure = refusal.failure(of: request, for: image, on: device)
        switch (request, refusal.status) {
        case (.start, LegacyRefusal.invalidState) where link.isStale: return try restartStale()
        case (.start, LegacyRefusal.notSupported)
        where link.quirks.mayKnowOldStartOnly && !update.saysOldStart && image.role == .application:
            update.saysOldStart = true
            return start()
        case (.start, LegacyRefusal.notSupported) where update.saysOldStart && !link.hasRefusedOldStart:
            link.hasRefusedOldStart = true
            return listen(for: request)
        case (.beginInit(isOld: true), LegacyRefusal.notSupported),
            (.beginInit(isOld: true), LegacyRefusal.operationFailed):
            guard !update.saysOldStart, image.initPacket?.isChecksumAlone == false else { throw failure }
            update.saysNewInit = true
            return write(.beginInit(isOld: false))
        case (.receive, LegacyRefusal.operationFailed):
            guard !pacing.isSlowest else { throw failure }
            pacing.slowDown()
            return reset(because: failure)
        default:
            guard refusal.mayRepeat(request, for: image, on: device) else { throw failure }
            return try restart(because: failure)
        }
    }

    /// A device that takes init packets as before SDK 7 was sent a CRC16, or nothing to compare, whatever the packet is.
    private var device: LegacyQuirks {
        var known = link.quirks
        known.readsAnyPacket = saysOldInit
        return known
    }

    /// Restarts the bootloader to begin again, if `failure` has not come too often.
    mutating func restart(because failure: UpdateFailure) throws(UpdateFailure) -> UpdateStep {
        guard update.restarts < Self.maximumRestarts else { throw failure }
        update.restarts += 1
        return reset(because: failure)
    }

    /// Restarts a bootloader that still holds what was sent over an earlier link.
    private mutating func restartStale() throws(UpdateFailure) -> UpdateStep {
        guard update.fruitlessRestarts < Self.maximumFruitlessRestarts else {
            throw UpdateFailure(
                .linkLost, during: "transferring",
                message:
                    "the link was lost \(update.fruitlessRestarts + 1) times, and never more than "
                    + "\(update.furthest) of \(total) bytes had arrived; Legacy DFU begins anew each time")
        }
        update.fruitlessRestarts += 1
        return reset(because: nil)
    }

    /// An application has no bootloader that a reset would bring back: it forgets by being left alone.
    private mutating func reset(because failure: UpdateFailure?) -> UpdateStep {
        link.reason = failure
        update.isUnderWay = false
        link.isStale = false
        guard receiver == .application else { return write(.reset) }
        return keepQuiet(notices: failure.map { [.retry(reason: $0.code, from: 0)] } ?? [])
    }

    /// Some devices say nothing where the checksum is wrong.
    private var unansweredValidation: UpdateFailure {
        UpdateFailure(
            FailureCode(rawValue: "validation-unanswered"), during: LegacyRequest.validate.step,
            message:
                "the device has all \(total) bytes and did not say within \(LegacyRequest.validate.deadline) "
                + "whether they are right; some devices say nothing where the checksum is wrong")
    }

    /// The device was told to start the image, and the link stands.
    var notStarted: UpdateFailure {
        UpdateFailure(
            .activationUnconfirmed, during: LegacyRequest.activate.step,
            message: "the device has found the image right"
                + (update.mayBeActivated ? ", the link ended when it was told to start it," : "")
                + " and it does not restart when it is told to: it has started the image, or it has forgotten it"
        )
    }
}
