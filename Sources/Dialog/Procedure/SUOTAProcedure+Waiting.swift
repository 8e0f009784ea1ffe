import UpdateModel

/// Waiting for statuses, and the step after a status or a timeout (dialog-suota.md, Conversation).
extension SUOTAProcedure {
    mutating func expectStatus(_ what: Awaited) -> UpdateStep {
        link.wait = Wait()
        return listen(for: what, within: readDelay(for: what))
    }

    mutating func listen(for what: Awaited, within limit: Duration) -> UpdateStep {
        state = .awaiting(what)
        return UpdateStep(
            .expect(from: SUOTAService.status, within: limit), waitsFor: .flash, endsBlock: what == .block)
    }

    mutating func receiveStatus(_ bytes: [UInt8], _ what: Awaited) -> UpdateStep {
        guard let status = SUOTAStatus(bytes) else { return skipStatus(what) }
        switch (what, status) {
        case (.start, .started): return continueAfterStart()
        case (.block, .good):
            guard isEarly || attempt.lateStatuses > 0, countShowsBlock else { return completeBlock() }
            return readCount(.block, .earlyStatus)
        case (.arrival, .good):
            attempt.hasStrayGood = true
            return giveUpAfterStrays(what) ?? readCount(.arrival, .unconfirmedArrival)
        case (.end, .good):
            attempt.clock.end = times?.ended ?? attempt.clock.end
            return readStatus(.end, .unconfirmedArrival)
        // A 02 that was buffered before this wait counts as a duplicate of the one for the image.
        case (.signature, .good):
            guard isEarly else { return rebootAfterAcceptance() }
            link.hasEarlySignature = true
            return skipStatus(what)
        case (.end, .started): return skipStatus(what)
        case (.end, _): return refuse(status, .ending)
        default:
            guard !status.isRefusal else { return refuse(status, step(of: what)) }
            return skipStatus(what)
        }
    }

    /// Whether the last status was buffered before the wait for it began; false if times are unknown.
    private var isEarly: Bool { times.map { $0.ended - $0.started <= Self.bufferedWithin } ?? false }

    /// Skips an unrelated status: a duplicate, no status (00), or a HomeKit mode.
    private mutating func skipStatus(_ what: Awaited) -> UpdateStep {
        giveUpAfterStrays(what) ?? listen(for: what, within: readDelay(for: what))
    }

    /// Counts an unrelated status, and ends the attempt after too many; nil to continue.
    private mutating func giveUpAfterStrays(_ what: Awaited) -> UpdateStep? {
        link.wait.strays += 1
        guard link.wait.strays > Self.maximumStrays else { return nil }
        return giveUp(
            UpdateFailure(
                .device.unexpectedAnswer, during: step(of: what).rawValue,
                message: "received \(link.wait.strays) unrelated statuses"))
    }

    mutating func readAfterTimeout(_ what: Awaited) -> UpdateStep {
        link.wait.elapsed += readDelay(for: what)
        if what == .arrival { return readCount(.arrival, .unconfirmedArrival) }
        return readStatus(what, .silence)
    }

    mutating func readStatus(_ what: Awaited, _ reason: ReadReason) -> UpdateStep {
        state = .readingStatus(what, reason)
        return UpdateStep(.read(SUOTAService.status))
    }

    /// Decides by the content of STATUS; `status` is nil if it cannot be read.
    mutating func judge(
        _ status: SUOTAStatus?, _ what: Awaited, _ reason: ReadReason
    ) throws(UpdateFailure) -> UpdateStep {
        switch what {
        case .start:
            if status == .started { return continueAfterStart() }
            // Other values may be left over from an earlier attempt.
            if let status, SUOTAStatus.refusalsOfStart.contains(status) { return refuse(status, .starting) }
            return keepWaiting(for: what)
        case .block, .arrival:
            if let status, status.isRefusal { return refuse(status, .sending) }
            return readCount(what, .silence)
        case .end where reason == .lostLink: return try judgeLostEnd(status)
        case .end: return judgeEnd(status, reason)
        case .signature: return judgeSignature(status)
        }
    }

    mutating func awaitArrival() -> UpdateStep {
        link.wait = Wait()
        return readCount(.arrival, .unconfirmedArrival)
    }

    mutating func readCount(_ what: Awaited, _ reason: ReadReason) -> UpdateStep {
        state = .readingCount(what, reason)
        return UpdateStep(.read(SUOTAService.memoryInformation))
    }

    /// Decides by the device's byte count; `count` is nil if it cannot be read.
    mutating func judge(
        _ count: Int?, _ what: Awaited, _ reason: ReadReason
    ) throws(UpdateFailure) -> UpdateStep {
        switch (what, reason) {
        case (.block, .earlyStatus):
            // If the device does not count (0, or nothing to read), the early status has to be trusted.
            guard let count, count > 0, count < expectedCount else { return awaitLateStatus() }
            attempt.lateStatuses = max(0, attempt.lateStatuses - 1)
            return skipStatus(.block)
        case (.block, _):
            if countShowsBlock, let count, count >= expectedCount {
                return completeBlock(isConfirmedByCount: true)
            }
            return keepWaiting(for: .block)
        case (.arrival, _): return judgeArrival(count)
        case (.end, .lostLink): return try judgeLostEnd(count: count)
        case (.end, _): return judgeEnd(count: count)
        case (.start, _), (.signature, _): return keepWaiting(for: what)
        }
    }

    /// Completes a block after an early status, and checks whether another status for it is already buffered.
    private mutating func awaitLateStatus() -> UpdateStep {
        let notices = recordBlock(isConfirmedByCount: false)
        state = .awaitingLateStatus
        return UpdateStep(.expect(from: SUOTAService.status, within: Self.bufferedWithin), notices: notices)
    }

    mutating func receiveLateStatus(_ bytes: [UInt8]) -> UpdateStep {
        guard let status = SUOTAStatus(bytes), status.isRefusal else { return continueAfterBlock() }
        return refuse(status, .sending)
    }

    /// The time without a status after which the device's state is read.
    private func readDelay(for what: Awaited) -> Duration {
        // Some receivers erase all sectors for the image at the first block, each in less than 1 s.
        if what == .block, attempt.block == 0 {
            return Self.readDelay + .seconds(image.bytes.count / Self.sector)
        }
        guard what == .arrival, attempt.channel != nil else { return Self.readDelay }
        return link.wait.elapsed < .seconds(1) ? link.wait.pause : Self.longPause
    }

    /// The time without a result after which the attempt ends. The response to the end may follow a signature check.
    func timeout(for what: Awaited) -> Duration {
        switch what {
        case .signature: Self.signatureTimeout
        case .end where preferences.awaitsSignature: Self.timeout + Self.signatureTimeout
        case .start, .block, .arrival, .end: Self.timeout
        }
    }

    mutating func keepWaiting(for what: Awaited) -> UpdateStep {
        guard link.wait.elapsed < timeout(for: what) else {
            if attempt.channel != nil { update.failedChannels += 1 }
            return restart(
                because: UpdateFailure(
                    .device.noAnswer, during: step(of: what).rawValue,
                    message: "no response for \(Int(timeout(for: what) / .seconds(1))) s"))
        }
        return listen(for: what, within: readDelay(for: what))
    }

    func step(of what: Awaited) -> SUOTAStep {
        switch what {
        case .start: .starting
        case .block, .arrival: .sending
        case .end, .signature: .ending
        }
    }
}
