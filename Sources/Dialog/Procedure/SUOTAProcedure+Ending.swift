import UpdateModel

/// From the last byte to the restart, and giving up an attempt (dialog-suota.md, Conversation).
extension SUOTAProcedure {
    /// Decides by the device's count whether all bytes have arrived; `count` is nil if it cannot be read. With writes,
    /// statuses have already confirmed that, unless one of them belonged to an earlier block.
    mutating func judgeArrival(_ count: Int?) -> UpdateStep {
        guard let count, count > 0 else {
            // This device does not count: rely on the statuses, or over a channel on time.
            return attempt.channel == nil || link.wait.elapsed >= Self.readDelay
                ? end() : keepWaiting(for: .arrival)
        }
        if count >= expectedCount { return end() }
        guard attempt.channel != nil else { return keepWaiting(for: .arrival) }
        link.wait.pause = Self.shortPause
        if count > link.wait.counted ?? 0 {
            link.wait.counted = count
            link.wait.elapsed = .zero
            link.wait.pause = timeLeft(after: count)
        }
        return keepWaiting(for: .arrival)
    }

    private mutating func end() -> UpdateStep {
        var notices: [UpdateNotice] = []
        if attempt.channel != nil {
            if let ended = times?.ended { attempt.clock.uploadEnded(at: ended) }
            notices = [uploadNotice, .accepted(upTo: attempt.position)]
        }
        notices += [.phase(.activating), log("end signal")]
        update.stage = .ended
        link.wait = Wait()
        state = .awaiting(.end)
        return UpdateStep(
            .request(
                MemoryDeviceCommand.end.bytes, on: SUOTAService.memoryDevice, answerOn: SUOTAService.status,
                within: Self.readDelay), notices: notices, waitsFor: .flash)
    }

    /// Decides by STATUS after the end command. A 02 may belong to the last block, except over a channel, which has no
    /// blocks.
    mutating func judgeEnd(_ status: SUOTAStatus?, _ reason: ReadReason) -> UpdateStep {
        if let status, status.isRefusal { return refuse(status, .ending) }
        guard reason == .silence else { return continueAfterVerification() }
        guard status == .good else { return waitForEnd() }
        return attempt.channel != nil && !attempt.hasStrayGood
            ? continueAfterVerification() : readCount(.end, .silence)
    }

    /// Decides by the byte count after the end command. Any command sets the count of a DA1458x to 0.
    mutating func judgeEnd(count: Int?) -> UpdateStep {
        if family == .da1458x, count == 0 { return continueAfterVerification() }
        if family == .da1458x, let count, count > 0, link.wait.elapsed >= timeout(for: .end) {
            return keepWaiting(for: .end)
        }
        return waitForEnd()
    }

    /// Continues to wait for the result of the end command. After the timeout it reboots the device, and the running
    /// version decides.
    private mutating func waitForEnd() -> UpdateStep {
        guard link.wait.elapsed >= timeout(for: .end) else { return keepWaiting(for: .end) }
        update.stage = .unconfirmed
        return reboot()
    }

    mutating func continueAfterVerification() -> UpdateStep {
        guard preferences.awaitsSignature else { return rebootAfterAcceptance() }
        update.stage = .unconfirmed
        return link.isSubscribed ? awaitSignature() : subscribeAgain()
    }

    mutating func subscribeAgain() -> UpdateStep {
        state = .subscribingAgain
        return UpdateStep(.subscribe(SUOTAService.status))
    }

    mutating func awaitSignature() -> UpdateStep {
        link.isSubscribed = true
        return expectStatus(.signature).after([log("the beacon checks the signature")])
    }

    /// Decides by STATUS while waiting for a signature check. A 02 may be the earlier one, for the image itself.
    mutating func judgeSignature(_ status: SUOTAStatus?) -> UpdateStep {
        if let status, status.isRefusal { return refuse(status, .ending) }
        guard link.wait.elapsed >= timeout(for: .signature) else { return keepWaiting(for: .signature) }
        guard !link.hasEarlySignature else { return rebootAfterAcceptance() }
        return reboot().after([
            .warning(
                .suota.signatureUnanswered,
                "the beacon verified the image, but did not report within "
                    + "\(Int(Self.signatureTimeout / .seconds(1))) s "
                    + "whether it accepts the signature; the version it starts shows that")
        ])
    }

    mutating func rebootAfterAcceptance() -> UpdateStep {
        update.stage = .verified
        return reboot().after(updateNotices)
    }

    /// Sends the reboot command; some devices restart without acknowledging it.
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

    /// The expected return after the reboot. The time limit is 30 s and 0.1 ms per byte, because some devices copy the
    /// image before they start it.
    var completion: Completion {
        Completion(
            isConfirmed: update.stage == .verified, expectedAddresses: applicationAddresses,
            timeout: .milliseconds(30_000 + image.bytes.count / 10))
    }

    mutating func refuse(_ status: SUOTAStatus, _ step: SUOTAStep) -> UpdateStep {
        if update.bank == .inDoubt { update.bank = status.precedesErase ? .untouched : .written }
        let refusal = SUOTARefusal(
            status: status, step: step, image: image, preferences: preferences,
            block: attempt.channel == nil ? attempt.plan.blockSize : nil)
        return status.isWorthRepeating ? restart(because: refusal.failure) : giveUp(refusal.failure)
    }

    /// Ends the attempt; another one follows over a new link, unless there were too many.
    mutating func restart(because failure: UpdateFailure) -> UpdateStep {
        guard update.restarts < Self.maximumRestarts else { return giveUp(failure) }
        update.restarts += 1
        return giveUp(
            UpdateFailure(
                failure.code, during: failure.during, message: failure.message, remedy: failure.remedy,
                mayReconnect: true))
    }

    /// Ends the attempt with the abort command, after the last status has come.
    mutating func giveUp(_ failure: UpdateFailure) -> UpdateStep {
        update.stage = .begun
        return drain(failure, 0)
    }

    mutating func drain(_ failure: UpdateFailure, _ received: Int) -> UpdateStep {
        guard received < Self.maximumStrays else { return abort(failure) }
        state = .draining(failure, received: received)
        return UpdateStep(
            .expect(from: SUOTAService.status, within: Self.drainTime),
            notices: received == 0 ? [log("failed: \(failure.message)")] : [])
    }

    mutating func abort(_ failure: UpdateFailure) -> UpdateStep {
        state = .aborting(failure)
        return UpdateStep(
            .write(MemoryDeviceCommand.abort.bytes, on: SUOTAService.memoryDevice, mayRefuse: true))
    }
}
