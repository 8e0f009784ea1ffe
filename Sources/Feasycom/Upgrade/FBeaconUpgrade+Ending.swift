import UpdateModel

/// From the last block to the end of the conversation, and giving up (fbeacon.md, Transfer).
extension FBeaconUpgrade {
    /// Transfers that are repeated because of the device's answers, or missing ones.
    static let maximumRestarts = 3
    /// How often CAN is sent, and how long the device may take to confirm each; then the final wait.
    static let cancels = 3
    static let cancelInterval = Duration.milliseconds(200)
    static let cancelLimit = Duration.seconds(3)

    mutating func end() -> UpdateStep {
        attempt.tries += 1
        stage = .ended
        state = .ending
        return UpdateStep(
            .request(
                [ControlByte.end.rawValue], on: FBeaconService.requests, answerOn: FBeaconService.answers,
                within: Self.answerLimit),
            notices: attempt.tries == 1 ? [.phase(.activating)] : [], waitsFor: .flash)
    }

    mutating func ended(_ byte: ControlByte?) -> UpdateStep {
        switch byte {
        case .taken:
            stage = .acknowledged
            return finish()
        case .again: return endAgain()
        case .cancel: return refusedByDevice()
        case .skipping, .whole, .end, nil:
            link.strays += 1
            guard link.strays <= Self.maximumStrays else { return finish() }
            return UpdateStep(.expect(from: FBeaconService.answers, within: Self.answerLimit))
        }
    }

    /// A device that never acknowledges the end may be complete all the same: the running version tells.
    mutating func endAgain() -> UpdateStep { attempt.tries < Self.maximumTries ? end() : finish() }

    mutating func finish() -> UpdateStep {
        state = .finished
        return UpdateStep(.end(.complete(completion)))
    }

    /// The device sent CAN. Before the end another transfer may succeed; after it, the device rejected the image.
    mutating func refusedByDevice() -> UpdateStep {
        let isAtEnd = stage == .ended
        let failure = UpdateFailure(
            FailureCode(rawValue: isAtEnd ? "image-refused" : "transfer-cancelled"),
            during: isAtEnd ? "ending the transfer" : "transferring",
            message: isAtEnd
                ? "the beacon has received everything and refuses it"
                : "the beacon has ended the transfer at block \(attempt.block + 1)",
            mayReconnect: !isAtEnd && mayBeginAgain)
        (attempt, stage) = (AttemptState(), .begun)
        state = .confirming(failure)
        // The first answer acknowledges these, and the next link starts fresh.
        return UpdateStep(.expect(from: FBeaconService.answers, within: Self.cancelInterval))
    }

    /// Repeats the transfer over a new link, up to the maximum number of restarts.
    mutating func giveUp(_ code: String, _ message: String) -> UpdateStep {
        cancel(
            UpdateFailure(
                FailureCode(rawValue: code), during: "transferring",
                message: "\(message) (block \(attempt.block + 1))", mayReconnect: mayBeginAgain))
    }

    private var mayBeginAgain: Bool { restarts < Self.maximumRestarts }

    /// Tells the device to stop, because of `failure`, or because it has everything.
    mutating func cancel(_ failure: UpdateFailure?) -> UpdateStep {
        if failure != nil, stage == .ended { stage = .begun }
        attempt = AttemptState()
        return sendCancel(failure, 1)
    }

    private mutating func sendCancel(_ failure: UpdateFailure?, _ count: Int) -> UpdateStep {
        state = .cancelling(failure, sent: count)
        return UpdateStep(
            .request(
                [ControlByte.cancel.rawValue], on: FBeaconService.requests,
                answerOn: FBeaconService.answers, within: Self.cancelInterval))
    }

    mutating func cancelled(
        _ failure: UpdateFailure?, _ sent: Int, _ outcome: DialogueOutcome
    ) throws(UpdateFailure) -> UpdateStep {
        if case .value(let bytes) = outcome, ControlByte(bytes) == .cancel || ControlByte(bytes) == .taken {
            return try cancelled(failure)
        }
        guard sent >= Self.cancels else { return sendCancel(failure, sent + 1) }
        state = .confirming(failure)
        return UpdateStep(.expect(from: FBeaconService.answers, within: Self.cancelLimit))
    }

    mutating func cancelled(_ failure: UpdateFailure?) throws(UpdateFailure) -> UpdateStep {
        guard let failure else { return finish() }
        if failure.mayReconnect { restarts += 1 }
        throw failure
    }
}
