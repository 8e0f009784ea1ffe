import Sessions
import UpdateCore

/// From the last block to the end of the conversation, and how one is given up (fbeacon.md, Transfer).
extension FBeaconUpgrade {
    /// Transfers that are made again because of what a device said, or failed to say.
    static let maximumRestarts = 3
    /// How often CAN is sent, and how long after each the device may confirm it; then how long at last.
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

    /// A device that never acknowledges the end may have what it needs all the same: what it runs then tells.
    mutating func endAgain() -> UpdateStep { attempt.tries < Self.maximumTries ? end() : finish() }

    mutating func finish() -> UpdateStep {
        state = .finished
        return UpdateStep(.end(.complete(completion)))
    }

    /// The device has said CAN. Before the end another transfer may fare better; after it, the image was not to its liking.
    mutating func refusedByDevice() -> UpdateStep {
        let isAtEnd = stage == .ended
        let failure = UpdateFailure(
            FailureCode(rawValue: isAtEnd ? "image-refused" : "transfer-cancelled"),
            during: isAtEnd ? "ending the transfer" : "transferring",
            message: isAtEnd
                ? "the device has everything and refuses it"
                : "the device has ended the transfer at block \(attempt.block + 1)",
            mayReconnect: !isAtEnd && mayBeginAgain)
        (attempt, stage) = (AttemptState(), .begun)
        state = .confirming(failure)
        // What comes first is an end of these, and the next link asks afresh.
        return UpdateStep(.expect(from: FBeaconService.answers, within: Self.cancelInterval))
    }

    /// Another transfer, over a new link, unless there were too many.
    mutating func giveUp(_ code: String, _ message: String) -> UpdateStep {
        cancel(
            UpdateFailure(
                FailureCode(rawValue: code), during: "transferring",
                message: "\(message) (block \(attempt.block + 1))", mayReconnect: mayBeginAgain))
    }

    private var mayBeginAgain: Bool { restarts < Self.maximumRestarts }

    /// Tells the device that there is no more, because of `failure`, or because it has what it needs.
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
