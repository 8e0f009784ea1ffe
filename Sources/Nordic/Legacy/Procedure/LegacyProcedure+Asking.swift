import UpdateModel

extension LegacyProcedure {
    /// Writes a request; the response may come before or after the acknowledgement of the write.
    mutating func write(
        _ request: LegacyRequest, tries: Int = 1, notices: [UpdateNotice] = []
    ) -> UpdateStep {
        state = .writing(request, tries: tries)
        return UpdateStep(.write(request.bytes, on: LegacyService.controlPoint), notices: notices)
    }

    mutating func ask(_ request: LegacyRequest, tries: Int = 1, notices: [UpdateNotice] = []) -> UpdateStep {
        state = .asking(request, tries: tries, strays: 0)
        return UpdateStep(
            .request(
                request.bytes, on: LegacyService.controlPoint, answerOn: LegacyService.controlPoint,
                within: request.deadline), notices: notices, waitsFor: .flash)
    }

    /// Waits for a response that the device sends only after the packets that follow `request` have arrived.
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
        guard strays < Self.maximumStrays else { throw .strays(strays, during: request.step) }
        return UpdateStep(.expect(from: LegacyService.controlPoint, within: limit))
    }

    /// Repeats Validate once, and restarts the device after other requests. A bootloader that has already responded to
    /// Validate refuses it, and is then restarted.
    mutating func askAgain(_ request: LegacyRequest, _ tries: Int) throws(UpdateFailure) -> UpdateStep {
        if request == .validate, tries == 1, receiver != .application {
            return ask(request, tries: 2, notices: [.retry(reason: .device.noAnswer, from: total)])
        }
        if case .start = request, link.hasRefusedOldStart {
            throw LegacyRefusal.notSupported.failure(of: request, for: image, on: device)
        }
        guard request != .validate else { return try restart(because: unansweredValidation) }
        return try restart(
            because: UpdateFailure(
                .device.noAnswer, during: request.step,
                message: "the beacon did not respond within \(request.deadline)"))
    }

    mutating func handle(_ status: UInt8, of request: LegacyRequest) throws(UpdateFailure) -> UpdateStep {
        if case .start = request { noteStart(isAccepted: status == LegacyAnswer.success) }
        guard status == LegacyAnswer.success else {
            return try handle(LegacyRefusal(status: status), of: request)
        }
        return request == .validate ? write(.activate) : continueAfterSuccess(of: request)
    }

    mutating func handle(
        _ refusal: LegacyRefusal, of request: LegacyRequest
    ) throws(UpdateFailure) -> UpdateStep {
        let failure = refusal.failure(of: request, for: image, on: device)
        switch (request, refusal) {
        case (.start, .invalidState) where link.isStale: return reset(because: nil)
        case (.start, .notSupported)
        where link.quirks.mayNeedOldStart && !update.usesOldStart && image.role == .application:
            update.usesOldStart = true
            return start()
        case (.start, .notSupported) where update.usesOldStart && !link.hasRefusedOldStart:
            link.hasRefusedOldStart = true
            return listen(for: request)
        case (.beginInit(isOld: true), .notSupported), (.beginInit(isOld: true), .operationFailed):
            guard !update.usesOldStart, image.initPacket?.isChecksumAlone == false else { throw failure }
            update.usesNewInit = true
            return write(.beginInit(isOld: false))
        case (.receive, .operationFailed):
            guard !pacing.isSlowest else { throw failure }
            pacing.slowDown()
            return reset(because: failure)
        default:
            guard refusal.mayRepeat(request, for: image, on: device) else { throw failure }
            return try restart(because: failure)
        }
    }

    /// The device's quirks, with what is known since. A device that gets old init packets was sent a CRC16 or nothing,
    /// whatever the package has. Adafruit's bootloader verifies no signatures.
    private var device: LegacyQuirks {
        var known = link.quirks
        known.wasSentChecksumOnly = usesOldInit
        known.hasListedSoftDevice = update.isAdafruit
        known.mayVerifySignatures = known.mayVerifySignatures && !update.isAdafruit
        return known
    }

    /// Restarts the bootloader to begin again, unless `failure` has occurred too often.
    mutating func restart(because failure: UpdateFailure) throws(UpdateFailure) -> UpdateStep {
        guard update.restarts < Self.maximumRestarts else { throw failure }
        update.restarts += 1
        return reset(because: failure)
    }

    /// Resets the device. An application cannot be reset; it forgets the update after a while without access.
    private mutating func reset(because failure: UpdateFailure?) -> UpdateStep {
        link.reason = failure
        update.isStartPending = false
        link.isStale = false
        guard receiver == .application else { return write(.reset) }
        return waitUntilForgotten(notices: failure.map { [.retry(reason: $0.code, from: 0)] } ?? [])
    }

    /// The failure without a response to Validate: some devices do not respond if the checksum is wrong.
    private var unansweredValidation: UpdateFailure {
        UpdateFailure(
            .nordicRefusal.validationUnanswered, during: LegacyRequest.validate.step,
            message:
                "the beacon has all \(total) bytes, but did not confirm them within \(LegacyRequest.validate.deadline)"
                + "; some bootloaders do not respond if the checksum is wrong")
    }

    /// The failure if the device does not end the link after the request to start the image.
    var notStarted: UpdateFailure {
        UpdateFailure(
            .device.activationUnconfirmed, during: LegacyRequest.activate.step,
            message: "the bootloader has accepted the image"
                + (update.mayBeActivated ? ", the link ended when it was told to start it" : "")
                + ", and it does not restart on request: it has started the image, or it has lost it"
        )
    }
}
