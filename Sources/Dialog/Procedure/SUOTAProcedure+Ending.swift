import UpdateModel

/// From the last byte to the restart, and giving up an attempt (dialog-suota.md, Conversation).
extension SUOTAProcedure {
    /// Decides whether everything has arrived. With writes, statuses have confirmed it, unless one of them was a late
    /// earlier one; over a channel, nothing has.
    mutating func judgeArrival(_ count: Int?) -> UpdateStep {
        guard let count, count > 0 else {
            // A device that does not count: rely on the statuses, or on time.
            return attempt.channel == nil || link.wait.elapsed >= Self.glance ? end() : waitOn(.arrival)
        }
        if count >= expectedCount { return end() }
        guard attempt.channel != nil else { return waitOn(.arrival) }
        link.wait.pause = Self.shortPause
        if count > link.wait.counted ?? 0 {
            link.wait.counted = count
            link.wait.elapsed = .zero
            link.wait.pause = timeLeft(after: count)
        }
        return waitOn(.arrival)
    }

    private mutating func end() -> UpdateStep {
        var notices: [UpdateNotice] = []
        if attempt.channel != nil {
            if let ended = times?.ended { attempt.clock.uploadEnded(at: ended) }
            notices = uploadNotices() + [.accepted(upTo: attempt.position)]
        }
        notices += [.phase(.activating), log("end signal")]
        update.stage = .ended
        link.wait = Wait()
        state = .awaiting(.end)
        return UpdateStep(
            .request(
                MemoryDeviceCommand.end.bytes, on: SUOTAService.memoryDevice, answerOn: SUOTAService.status,
                within: Self.glance), notices: notices, waitsFor: .flash)
    }

    /// Decides by the STATUS after the end. A 02 may still be that of the last block; over a channel blocks are not
    /// acknowledged.
    mutating func judgeEnd(_ status: SUOTAStatus?, _ readReason: ReadReason) throws(UpdateFailure)
        -> UpdateStep
    {
        switch readReason {
        case .lostLink:
            return status == .good ? count(.end, .lostLink) : try sendAgain()
        case .silence:
            if let status, !status.isHarmless { return refuse(status, .ending) }
            guard status == .good else { return waitForEnd() }
            return attempt.channel != nil && !attempt.hasStrayGood ? verified() : count(.end, .silence)
        case .caution, .earliness:
            if let status, !status.isHarmless { return refuse(status, .ending) }
            return verified()
        }
    }

    /// Only the end, or a start, resets the count of a DA1458x to 0.
    mutating func judgeEnd(count: Int?, _ readReason: ReadReason) throws(UpdateFailure) -> UpdateStep {
        if family == .da1458x, count == 0 { return verified() }
        guard readReason != .lostLink else { return try sendAgain() }
        if family == .da1458x, let count, count > 0, link.wait.elapsed >= timeout(of: .end) {
            return waitOn(.end)
        }
        return waitForEnd()
    }

    /// If the result of the end cannot be read, the running version afterwards decides.
    private mutating func waitForEnd() -> UpdateStep {
        guard link.wait.elapsed >= timeout(of: .end) else { return waitOn(.end) }
        update.stage = .unconfirmed
        return reboot()
    }

    private mutating func verified() -> UpdateStep {
        guard preferences.awaitsSignature else { return accepted() }
        update.stage = .unconfirmed
        return link.isSubscribed ? awaitSignature() : subscribeAgain()
    }

    mutating func subscribeAgain() -> UpdateStep {
        state = .subscribingAgain
        return UpdateStep(.subscribe(SUOTAService.status))
    }

    mutating func awaitSignature() -> UpdateStep {
        link.isSubscribed = true
        var step = expectStatus(.signature)
        step.notices.insert(log("the beacon checks the signature"), at: 0)
        return step
    }

    /// Decides by the STATUS while waiting for a signature check: a 02 may still be the first one.
    mutating func judgeSignature(_ status: SUOTAStatus?) -> UpdateStep {
        if let status, !status.isHarmless { return refuse(status, .ending) }
        guard link.wait.elapsed >= timeout(of: .signature) else { return waitOn(.signature) }
        guard !link.hasEarlySignature else { return accepted() }
        var step = reboot()
        step.notices.insert(
            .warning(
                FailureCode(rawValue: "signature-unanswered"),
                "the beacon verified the image, but did not report within "
                    + "\(Int(Self.signatureTimeout / .seconds(1))) s "
                    + "whether it accepts the signature; the version it starts shows that"), at: 0)
        return step
    }

    mutating func accepted() -> UpdateStep {
        update.stage = .verified
        var step = reboot()
        step.notices.insert(contentsOf: updateNotices(), at: 0)
        return step
    }

    /// Some devices restart without acknowledging the command.
    mutating func reboot() -> UpdateStep {
        update.reboots += 1
        state = .rebooting
        return UpdateStep(
            .write(MemoryDeviceCommand.reboot.bytes, on: SUOTAService.memoryDevice, mayRefuse: true),
            notices: [.detail(.rebootSent)])
    }

    mutating func finish() -> UpdateStep {
        state = .finished
        return UpdateStep(.end(.complete(completion)))
    }

    /// The link ended after the end was announced, and the device has not accepted it.
    private mutating func sendAgain() throws(UpdateFailure) -> UpdateStep {
        let failure = UpdateFailure(
            .linkLost, during: SUOTAStep.ending.rawValue,
            message:
                "the link was lost in each of \(update.restarts + 1) attempts before the beacon could verify the image"
        )
        update.stage = .begun
        guard update.restarts < Self.maximumRestarts else { throw failure }
        update.restarts += 1
        return try prepareAttempt()
    }

    mutating func refuse(_ status: SUOTAStatus, _ step: SUOTAStep) -> UpdateStep {
        if update.bank == .inDoubt { update.bank = status.isBeforeWriting ? .untouched : .written }
        let refusal = SUOTARefusal(
            status: status, step: step, image: image, preferences: preferences,
            block: attempt.channel == nil ? attempt.plan.blockSize : nil)
        return status.isWorthRepeating ? restart(because: refusal.failure) : giveUp(refusal.failure)
    }

    /// Starts another attempt over a new link, unless there were too many.
    mutating func restart(because failure: UpdateFailure) -> UpdateStep {
        guard update.restarts < Self.maximumRestarts else { return giveUp(failure) }
        update.restarts += 1
        return giveUp(
            UpdateFailure(
                failure.code, during: failure.during, message: failure.message, remedy: failure.remedy,
                mayReconnect: true))
    }

    /// Ends the attempt, once no more statuses come.
    mutating func giveUp(_ failure: UpdateFailure) -> UpdateStep {
        update.stage = .begun
        return drain(failure, 0)
    }

    mutating func drain(_ failure: UpdateFailure, _ heard: Int) -> UpdateStep {
        guard heard < Self.maximumStrays else { return abort(failure) }
        state = .draining(failure, heard: heard)
        return UpdateStep(
            .expect(from: SUOTAService.status, within: Self.drainTime),
            notices: heard == 0 ? [log("failed: \(failure.message)")] : [])
    }

    mutating func abort(_ failure: UpdateFailure) -> UpdateStep {
        state = .aborting(failure)
        return UpdateStep(
            .write(MemoryDeviceCommand.abort.bytes, on: SUOTAService.memoryDevice, mayRefuse: true))
    }
}
