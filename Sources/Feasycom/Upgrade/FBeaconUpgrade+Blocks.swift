import UpdateModel

/// The transfer of the payload: block by block, each answered by one byte (fbeacon.md, Transfer).
extension FBeaconUpgrade {
    static let maximumTries = 24
    /// How long an answer may take after its packet was passed to the kernel. Each write after the packet's first
    /// adds `writeAllowance`, because the last one is on the air later.
    static let answerLimit = Duration.seconds(1)
    static let writeAllowance = Duration.milliseconds(50)
    /// An answer that arrives this soon after the wait began was already queued.
    static let queuedAnswerLimit = Duration.milliseconds(1)
    /// How long to listen for further answers after a refusal: one packet may cause several.
    static let drainTime = Duration.milliseconds(100)
    /// How long to listen after a packet that was sent more than once, if none of its answers is outstanding.
    static let lateAnswerTime = Duration.milliseconds(200)

    private var payloadRange: Range<Int> {
        let start = (attempt.mode?.skipped ?? 0) + attempt.block * BlockFrame.dataLength
        return start..<min(start + BlockFrame.dataLength, container.payload.count)
    }

    private var blockCount: Int { (total + BlockFrame.dataLength - 1) / BlockFrame.dataLength }

    /// How long the answer to a packet may take; 5 bytes are its header and CRC.
    private var limit: Duration {
        let writes = (BlockFrame.dataLength + 5 + link.maximumWriteLength - 1) / link.maximumWriteLength
        return Self.answerLimit + Self.writeAllowance * (writes - 1)
    }

    mutating func send() -> UpdateStep {
        guard let mode = attempt.mode else {
            return cancel(.entering(.system.internalError, "the device has not requested the payload"))
        }
        let data = container.payload[payloadRange]
        let frame = BlockFrame.bytes(of: data, index: attempt.block, mode)
        attempt.tries += 1
        attempt.outstandingAnswers += 1
        (attempt.isAnswerHeldBack, attempt.heldDelay, attempt.repeatedRequestMode, link.strays) = (
            false, nil, nil, 0
        )
        state = .sending
        return .streaming(
            frame[...], to: FBeaconService.requests, inPacketsOf: link.maximumWriteLength,
            payload: PayloadSpan(
                at: attempt.block * BlockFrame.dataLength, of: total, header: BlockFrame.headerLength,
                trailer: frame.count - BlockFrame.headerLength - data.count))
    }

    mutating func continueAfterSending() -> UpdateStep {
        attempt.sentAt = times?.started
        return listen()
    }

    private mutating func listen(within time: Duration? = nil) -> UpdateStep {
        state = .awaiting
        return UpdateStep(
            .expect(from: FBeaconService.answers, within: time ?? limit), waitsFor: .flash, endsBlock: true)
    }

    mutating func handleAnswer(_ byte: ControlByte?) -> UpdateStep {
        switch byte {
        case .ack:
            countAnswer()
            guard isTooSoon, !attempt.isAnswerHeldBack else { return finishBlock() }
            (attempt.isAnswerHeldBack, attempt.heldDelay) = (true, wasQueued ? nil : age)
            // Waits as long as the packet's own answer may take. A queued answer is not accepted, even if no other follows.
            return listen(within: wasQueued ? limit : attempt.shortestDelay ?? limit)
        case .nak:
            countAnswer()
            return drain()
        case .cancel: return refusedByDevice()
        case .skipping, .whole:
            // Either the receiver has restarted the transfer, or an old request arrived late. Silence means a restart.
            if attempt.block > 0 { attempt.repeatedRequestMode = byte?.mode }
            return ignore()
        case .end, nil: return ignore()
        }
    }

    /// Whether a packet is on its way, or refused by an answer that may belong to an earlier one.
    var awaitsBlock: Bool { state == .sending || state == .awaiting || state == .draining }

    /// Records whether the device may have stored a block, by the outcome after a packet: only a refusal, or a request for
    /// the first block, shows that it did not.
    mutating func noteBlock(_ outcome: DialogueOutcome) {
        let byte = if case .value(let bytes) = outcome { ControlByte(bytes) } else { ControlByte?.none }
        let mayBeStored =
            state == .awaiting && byte?.mode == nil
            || state == .draining && (byte == .ack || byte == .cancel)
        mayHaveBlock = mayHaveBlock || mayBeStored
    }

    /// The time since the packet began to be sent.
    private var age: Duration? {
        guard let times, let sentAt = attempt.sentAt else { return nil }
        return times.ended - sentAt
    }

    /// Whether the latest answer may be a duplicate that belongs to an earlier packet.
    private var isTooSoon: Bool {
        guard let age, let shortestDelay = attempt.shortestDelay else { return wasQueued }
        return wasQueued || age < shortestDelay / 2
    }

    /// Whether the latest answer was queued before the wait for it began.
    private var wasQueued: Bool { times.map { $0.ended - $0.started <= Self.queuedAnswerLimit } ?? false }

    private mutating func countAnswer() {
        attempt.outstandingAnswers = max(attempt.outstandingAnswers - 1, 0)
    }

    private mutating func finishBlock() -> UpdateStep {
        if attempt.tries == 1, let age { attempt.shortestDelay = min(attempt.shortestDelay ?? age, age) }
        let position = payloadRange.upperBound - (attempt.mode?.skipped ?? 0)
        let notices: [UpdateNotice] = [
            .accepted(upTo: position), .detail(.block(number: attempt.block + 1, of: blockCount)),
        ]
        let wasRepeated = attempt.tries > 1
        (attempt.block, attempt.tries, link.strays) = (attempt.block + 1, 0, 0)
        var step = wasRepeated ? waitForLateAnswers() : sendNextBlock()
        step.notices.insert(contentsOf: notices, at: 0)
        return step
    }

    /// Waits for further answers to a packet that was sent more than once, so that none counts for the next packet.
    private mutating func waitForLateAnswers() -> UpdateStep {
        state = .awaitingLateAnswers
        return UpdateStep(
            .expect(
                from: FBeaconService.answers,
                within: attempt.outstandingAnswers > 0 ? limit : Self.lateAnswerTime),
            waitsFor: .answers)
    }

    mutating func discardLateAnswer(_ byte: ControlByte?) -> UpdateStep {
        link.strays += 1
        if byte == .cancel { return refusedByDevice() }
        if byte == .ack || byte == .nak { countAnswer() }
        return link.strays <= Self.maximumStrays ? waitForLateAnswers() : giveUpOnStrayData()
    }

    mutating func sendNextBlock() -> UpdateStep {
        attempt.outstandingAnswers = 0
        return attempt.block < blockCount ? send() : end()
    }

    /// No answer arrived in time. An answer that was held back is then accepted as the packet's, unless it was
    /// already queued (`heldDelay` is nil).
    mutating func handleTimeout() -> UpdateStep {
        if attempt.isAnswerHeldBack, let heldDelay = attempt.heldDelay {
            attempt.shortestDelay = min(attempt.shortestDelay ?? heldDelay, heldDelay)
            return finishBlock()
        }
        if let mode = attempt.repeatedRequestMode { return restart(mode) }
        return sendAgain(isRefused: false)
    }

    private mutating func drain() -> UpdateStep {
        state = .draining
        return UpdateStep(.expect(from: FBeaconService.answers, within: Self.drainTime))
    }

    mutating func handleAnswerWhileDraining(_ byte: ControlByte?) -> UpdateStep {
        link.strays += 1
        switch byte {
        case .ack:
            countAnswer()
            attempt.tries += 1
            return finishBlock()
        case .cancel: return refusedByDevice()
        default: return link.strays <= Self.maximumStrays ? drain() : giveUpOnStrayData()
        }
    }

    mutating func sendAgain(isRefused: Bool) -> UpdateStep {
        guard attempt.tries < Self.maximumTries else {
            return isRefused
                ? giveUp(.fbeacon.packetRefused, "the beacon keeps refusing a packet")
                : giveUp(.device.noAnswer, "the beacon does not answer a packet")
        }
        let isFirst = attempt.tries == 1
        let position = attempt.block * BlockFrame.dataLength
        var step = send()
        if isFirst {
            step.notices.append(
                .retry(reason: isRefused ? .fbeacon.packetRefused : .device.noAnswer, from: position))
        }
        return step
    }

    private mutating func ignore() -> UpdateStep {
        link.strays += 1
        return link.strays <= Self.maximumStrays ? listen() : giveUpOnStrayData()
    }

    private mutating func giveUpOnStrayData() -> UpdateStep {
        giveUp(.device.unexpectedAnswer, "the beacon keeps sending data that does not belong to the transfer")
    }

    private mutating func restart(_ mode: TransferMode) -> UpdateStep {
        restarts += 1
        guard restarts <= Self.maximumRestarts else {
            return giveUp(.device.unexpectedAnswer, "the beacon keeps restarting the transfer")
        }
        attempt = AttemptState()
        attempt.mode = mode
        guard total > 0 else {
            return giveUp(.device.unexpectedAnswer, "the beacon restarts in another mode")
        }
        var step = send()
        step.notices.append(.retry(reason: .device.unexpectedAnswer, from: 0))
        return step
    }
}

/// From the last block to the end of the conversation, and giving up (fbeacon.md, Transfer).
extension FBeaconUpgrade {
    /// How often a transfer is repeated because of wrong or missing answers.
    static let maximumRestarts = 4
    /// How often CAN is sent.
    static let cancels = 3
    /// How long the device may take to confirm a CAN.
    static let cancelInterval = Duration.milliseconds(200)
    /// The wait after the last CAN.
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

    mutating func handleEndAnswer(_ byte: ControlByte?) -> UpdateStep {
        switch byte {
        case .ack:
            stage = .acknowledged
            return finish()
        case .nak: return endAgain()
        case .cancel: return refusedByDevice()
        case .skipping, .whole, .end, nil:
            link.strays += 1
            guard link.strays <= Self.maximumStrays else { return finish() }
            return UpdateStep(.expect(from: FBeaconService.answers, within: Self.answerLimit))
        }
    }

    /// A device that never acknowledges the end may still have the whole image; the running version shows that.
    mutating func endAgain() -> UpdateStep { attempt.tries < Self.maximumTries ? end() : finish() }

    mutating func finish() -> UpdateStep {
        state = .finished
        return UpdateStep(.end(.complete(completion)))
    }

    /// Handles CAN from the device: before the end another transfer may succeed; after it, the device rejected the image.
    mutating func refusedByDevice() -> UpdateStep {
        let isAtEnd = stage == .ended
        let failure = UpdateFailure(
            isAtEnd ? .device.imageRefused : .fbeacon.transferCancelled,
            during: isAtEnd ? "ending the transfer" : "transferring",
            message: isAtEnd
                ? "the beacon has received everything and refuses it"
                : "the beacon has ended the transfer at block \(attempt.block + 1)",
            mayReconnect: !isAtEnd && mayBeginAgain)
        (attempt, stage) = (AttemptState(), .begun)
        state = .confirming(failure)
        // Whatever arrives first, or nothing in time, ends the attempt; the next link starts again.
        return UpdateStep(.expect(from: FBeaconService.answers, within: Self.cancelInterval))
    }

    /// Repeats the transfer over a new link, up to the maximum number of restarts.
    mutating func giveUp(_ code: FailureCode, _ message: String) -> UpdateStep {
        cancel(
            UpdateFailure(
                code, during: "transferring",
                message: "\(message) (block \(attempt.block + 1))", mayReconnect: mayBeginAgain))
    }

    private var mayBeginAgain: Bool { restarts < Self.maximumRestarts }

    /// Sends CAN, because of `failure` or, if that is nil, because the device has everything.
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

    mutating func handleCancelAnswer(
        _ failure: UpdateFailure?, _ sent: Int, _ outcome: DialogueOutcome
    ) throws(UpdateFailure) -> UpdateStep {
        if case .value(let bytes) = outcome, ControlByte(bytes) == .cancel || ControlByte(bytes) == .ack {
            return try finishCancelling(failure)
        }
        guard sent >= Self.cancels else { return sendCancel(failure, sent + 1) }
        state = .confirming(failure)
        return UpdateStep(.expect(from: FBeaconService.answers, within: Self.cancelLimit))
    }

    mutating func finishCancelling(_ failure: UpdateFailure?) throws(UpdateFailure) -> UpdateStep {
        guard let failure else { return finish() }
        if failure.mayReconnect { restarts += 1 }
        throw failure
    }
}
