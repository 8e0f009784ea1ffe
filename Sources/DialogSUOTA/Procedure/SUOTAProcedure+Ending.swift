import Sessions
import UpdateCore

/// From the last byte to the restart, and how an attempt is given up (dialog-suota.md, Conversation).
extension SUOTAProcedure {
    /// Whether everything has arrived. Statuses have said so, unless one of them was an earlier one that came late; and
    /// nothing has where the image went over a channel.
    mutating func judgeArrival(_ count: Int?) -> UpdateStep {
        guard let count, count > 0 else {
            // A device that does not count: statuses have to do, or time.
            return channel == nil || waited >= Self.glance ? end() : waitOn(.arrival)
        }
        if count >= expectedCount { return end() }
        guard channel != nil else { return waitOn(.arrival) }
        pause = Self.shortPause
        if count > counted ?? 0 {
            counted = count
            waited = .zero
            pause = timeLeft(after: count)
        }
        return waitOn(.arrival)
    }

    private mutating func end() -> UpdateStep {
        if channel != nil, let ended = times?.ended { (clock.end, clock.uploadEnd) = (ended, ended) }
        var notices: [UpdateNotice] = channel == nil ? [] : uploadNotices() + [.accepted(upTo: position)]
        notices += [.phase(.activating), log("end signal")]
        stage = .ended
        waited = .zero
        strays = 0
        state = .awaiting(.end)
        return UpdateStep(
            .request(
                MemoryDeviceCommand.end.bytes, on: SUOTAService.memoryDevice, answerOn: SUOTAService.status,
                within: Self.glance), notices: notices, waitsFor: .flash)
    }

    /// What STATUS has after the end. A 02 may still be that of the last block; over a channel no block is acknowledged.
    mutating func judgeEnd(_ status: SUOTAStatus?, _ doubt: Doubt) throws(UpdateFailure) -> UpdateStep {
        switch doubt {
        case .lostLink:
            return status == .good ? count(.end, .lostLink) : try sendAgain()
        case .silence:
            if let status, !status.isHarmless { return refuse(status, .ending) }
            guard status == .good else { return waitForEnd() }
            return channel != nil && !hasStrayGood ? verified() : count(.end, .silence)
        case .caution, .earliness:
            if let status, !status.isHarmless { return refuse(status, .ending) }
            return verified()
        }
    }

    /// Nothing but the end, and a start, makes the count of a DA1458x 0.
    mutating func judgeEnd(count: Int?, _ doubt: Doubt) throws(UpdateFailure) -> UpdateStep {
        if family == .da1458x, count == 0 { return verified() }
        guard doubt != .lostLink else { return try sendAgain() }
        if family == .da1458x, let count, count > 0, waited >= patience(of: .end) { return waitOn(.end) }
        return waitForEnd()
    }

    /// An end that nothing can be learned of is judged by what comes up after it.
    private mutating func waitForEnd() -> UpdateStep {
        guard waited >= patience(of: .end) else { return waitOn(.end) }
        isUnconfirmed = true
        stage = .verified
        return reboot()
    }

    private mutating func verified() -> UpdateStep {
        guard preferences.awaitsSignature else { return accepted() }
        stage = .verified
        isUnconfirmed = true
        return isSubscribed ? awaitSignature() : subscribeAgain()
    }

    mutating func subscribeAgain() -> UpdateStep {
        state = .subscribingAgain
        return UpdateStep(.subscribe(SUOTAService.status))
    }

    mutating func awaitSignature() -> UpdateStep {
        isSubscribed = true
        strays = 0
        var step = expectStatus(.signature)
        step.notices.insert(log("the device checks the signature"), at: 0)
        return step
    }

    /// What STATUS has while a signature is waited for: a 02 may still be the first one.
    mutating func judgeSignature(_ status: SUOTAStatus?) -> UpdateStep {
        if let status, !status.isHarmless { return refuse(status, .ending) }
        guard waited >= patience(of: .signature) else { return waitOn(.signature) }
        guard !hasEarlySignature else { return accepted() }
        var step = reboot()
        step.notices.insert(
            .warning(
                FailureCode(rawValue: "signature-unanswered"),
                "the device verified the image and did not say within \(Int(Self.signaturePatience / .seconds(1))) s what "
                    + "it thinks of its signature; what it starts shows that"), at: 0)
        return step
    }

    mutating func accepted() -> UpdateStep {
        stage = .verified
        isUnconfirmed = false
        var step = reboot()
        step.notices.insert(contentsOf: updateNotices(), at: 0)
        return step
    }

    /// A device may take the word and its leave in one.
    mutating func reboot() -> UpdateStep {
        reboots += 1
        state = .rebooting
        return UpdateStep(
            .write(MemoryDeviceCommand.reboot.bytes, on: SUOTAService.memoryDevice, mayRefuse: true),
            notices: [.detail(.rebootSent)])
    }

    mutating func finish() -> UpdateStep {
        state = .finished
        return UpdateStep(.end(.complete(completion(isConfirmed: !isUnconfirmed))))
    }

    /// The link ended after the announced end, and the device has not taken it.
    private mutating func sendAgain() throws(UpdateFailure) -> UpdateStep {
        let failure = UpdateFailure(
            .linkLost, during: SUOTAStep.ending.rawValue,
            message:
                "the link was lost in each of \(restarts + 1) attempts before the device could verify the image"
        )
        stage = .begun
        guard restarts < Self.maximumRestarts else { throw failure }
        restarts += 1
        return try prepareAttempt()
    }

    mutating func refuse(_ status: SUOTAStatus, _ step: SUOTAStep) -> UpdateStep {
        if bank == .inDoubt { bank = status.isBeforeWriting ? .untouched : .written }
        let refusal = SUOTARefusal(
            status: status, step: step, image: image, preferences: preferences,
            block: channel == nil ? plan.blockSize : nil)
        return status.isWorthRepeating ? restart(because: refusal.failure) : giveUp(refusal.failure)
    }

    /// Another attempt, over a new link, unless there were too many.
    mutating func restart(because failure: UpdateFailure) -> UpdateStep {
        guard restarts < Self.maximumRestarts else { return giveUp(failure) }
        restarts += 1
        return giveUp(
            UpdateFailure(
                failure.code, during: failure.during, message: failure.message, remedy: failure.remedy,
                mayReconnect: true))
    }

    /// Ends the attempt, once nothing more is said.
    mutating func giveUp(_ failure: UpdateFailure) -> UpdateStep {
        stage = .begun
        hasFailed = failure
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
