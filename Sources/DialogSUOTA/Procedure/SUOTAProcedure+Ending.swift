import Sessions
import UpdateCore

/// From the last byte to the restart, and how an attempt is given up (dialog-suota.md, Conversation).
extension SUOTAProcedure {
    /// Whether everything has arrived. Statuses have said so, unless one of them was an earlier one that came late; and
    /// nothing has where the image went over a channel.
    mutating func judgeArrival(_ count: Int?) -> UpdateStep {
        guard let count, count > 0 else {
            // A device that does not count: statuses have to do, or time.
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

    /// What STATUS has after the end. A 02 may still be that of the last block; over a channel no block is acknowledged.
    mutating func judgeEnd(_ status: SUOTAStatus?, _ readReason: ReadReason) throws(UpdateFailure) -> UpdateStep {
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

    /// Nothing but the end, and a start, makes the count of a DA1458x 0.
    mutating func judgeEnd(count: Int?, _ readReason: ReadReason) throws(UpdateFailure) -> UpdateStep {
        if family == .da1458x, count == 0 { return verified() }
        guard readReason != .lostLink else { return try sendAgain() }
        if family == .da1458x, let count, count > 0, link.wait.elapsed >= timeout(of: .end) {
            return waitOn(.end)
        }
        return waitForEnd()
    }

    /// An end that nothing can be learned of is judged by what comes up after it.
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
        step.notices.insert(log("the device checks the signature"), at: 0)
        return step
    }

    /// What STATUS has while a signature is waited for: a 02 may still be the first one.
    mutating func judgeSignature(_ status: SUOTAStatus?) -> UpdateStep {
        if let status, !status.isHarmless { return refuse(status, .ending) }
        guard link.wait.elapsed >= timeout(of: .signature) else { return waitOn(.signature) }
        guard !link.hasEarlySignature else { return accepted() }
        var step = reboot()
        step.notices.insert(
            .warning(
                FailureCode(rawValue: "signature-unanswered"),
                "the device verified the image and did not say within \(Int(Self.signatureTimeout / .seconds(1))) s what "
                    + "it thinks of its signature; what it starts shows that"), at: 0)
        return step
    }

    mutating func accepted() -> UpdateStep {
        update.stage = .verified
        var step = reboot()
        step.notices.insert(contentsOf: updateNotices(), at: 0)
        return step
    }

    /// Some devices restart without acknowledging the word.
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

    /// The link ended after the announced end, and the device has not taken it.
    private mutating func sendAgain() throws(UpdateFailure) -> UpdateStep {
        let failure = UpdateFailure(
            .linkLost, during: SUOTAStep.ending.rawValue,
            message:
                "the link was lost in each of \(update.restarts + 1) attempts before the device could verify the image"
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

    /// Another attempt, over a new link, unless there were too many.
    mutating func restart(because failure: UpdateFailure) -> UpdateStep {
        guard update.restarts < Self.maximumRestarts else { return giveUp(failure) }
        update.restarts += 1
        return giveUp(
            UpdateFailure(
                failure.code, during: failure.during, message: failure.message, remedy: failure.remedy,
                mayReconnect: true))
    }

    /// Ends the attempt, once nothing more is said.
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
