import UpdateModel

/// From a new link to the byte with which the device requests the first block (fbeacon.md, Entering).
extension FBeaconUpgrade {
    /// How long the device may take to answer EnterDFU.
    static let entryLimit = Duration.seconds(3)
    static let pollLength = Duration.milliseconds(800)
    static let polls = 16
    /// The same if the device may have forgotten that it was entered.
    static let pollsInDoubt = 5
    static let maximumEntries = 6
    static let maximumStrays = 64
    static let maximumReply = 4096
    /// How long a device that needs a new link keeps the old one, and the pause after that.
    static let farewell = Duration.seconds(1)
    static let pause = Duration.seconds(3)
    static let restartTimeout = Duration.seconds(30)

    private static let pinOrBusy: Advice =
        "if the beacon has a PIN, supply it with \(.secrets); otherwise wait until no other client has its session"
    private static let busy: Advice = "wait until no other client has the beacon's session"

    mutating func learn(_ mark: OpenMark?) throws(UpdateFailure) -> UpdateStep {
        guard let mark else { throw Self.notOpen }
        guard
            let entry = EntryCommand(
                mark, restoring: container.restoresDefaults, named: preferences.restoringDigit)
        else {
            throw .preparing(
                "restore-digit-unknown",
                "the container restores the default settings, but the beacon does not report how",
                remedy: "give the digit with \(.restoreDigit, "0"), or build the container without restoring")
        }
        link.entry = entry
        return attempt.pollsOnLink == 0 ? try identify() : subscribe()
    }

    /// Authentication comes before entering.
    private mutating func identify() throws(UpdateFailure) -> UpdateStep {
        guard var identityQuery else { return subscribe() }
        state = .identifying
        let step: DialogueStep<ApplicationFacts, Never>
        do throws(SessionFailure) {
            step = try identityQuery.begin(on: LinkFacts(maximumWriteLength: link.maximumWriteLength))
        } catch { throw UpdateFailure(error) }
        self.identityQuery = identityQuery
        return told(step)
    }

    mutating func identified(_ outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        let step: DialogueStep<ApplicationFacts, Never>?
        do throws(SessionFailure) { step = try identityQuery?.advance(after: outcome) } catch {
            throw UpdateFailure(error)
        }
        return step.map { told($0) } ?? subscribe()
    }

    private mutating func told(_ step: DialogueStep<ApplicationFacts, Never>) -> UpdateStep {
        UpdateStep(
            step.command.asPart { facts in
                identified = identified ?? facts
                return subscribe().command
            })
    }

    private mutating func subscribe() -> UpdateStep {
        state = .subscribing
        return UpdateStep(.subscribe(FBeaconService.answers))
    }

    mutating func subscribed() throws(UpdateFailure) -> UpdateStep {
        guard attempt.pollsOnLink == 0 else {
            defer { attempt.pollsOnLink = Self.pollsInDoubt }
            return try poll(attempt.pollsOnLink)
        }
        return try enter()
    }

    private mutating func enter() throws(UpdateFailure) -> UpdateStep {
        guard let entry = link.entry else { return try learn(nil) }
        entries += 1
        guard entries <= Self.maximumEntries else {
            throw UpdateFailure(
                .linkLost, during: "transferring",
                message:
                    "the beacon entered the upgrade \(Self.maximumEntries) times, but each transfer was lost"
            )
        }
        if stage == .fresh { stage = .entered }
        (link.hasEntered, link.heard, link.strays) = (true, [], 0)
        state = .entering
        return UpdateStep(
            .request(
                entry.bytes, on: FBeaconService.requests, answerOn: FBeaconService.answers,
                within: Self.entryLimit), notices: [.detail(.ready)])
    }

    mutating func hear(_ bytes: [UInt8]) throws(UpdateFailure) -> UpdateStep {
        link.strays += 1
        guard link.heard.count + bytes.count <= Self.maximumReply, link.strays <= Self.maximumStrays else {
            throw .entering("answer-too-long", "the answer to EnterDFU does not end")
        }
        link.heard += bytes
        if let reply = UpgradeReply(in: link.heard) { return try entered(reply) }
        if String(decoding: link.heard, as: UTF8.self).contains("ERROR") {
            throw .entering(
                FailureCode.entryRefused.rawValue, "the beacon answers ERROR to EnterDFU",
                remedy: identityQuery == nil ? Self.pinOrBusy : Self.busy)
        }
        return UpdateStep(.expect(from: FBeaconService.answers, within: Self.entryLimit))
    }

    var noReply: UpdateFailure {
        link.heard.isEmpty
            ? .entering("no-answer", "the beacon did not answer EnterDFU", mayReconnect: true)
            : .entering(
                "answer-malformed",
                "the beacon's answer to EnterDFU is incomplete (\(link.heard.count) bytes)",
                mayReconnect: true)
    }

    private mutating func entered(_ reply: UpgradeReply) throws(UpdateFailure) -> UpdateStep {
        self.reply = reply
        attempt = AttemptState()
        // After a lost end, the new version shows that it had arrived.
        if stage == .ended, reply.version == container.versions.upperBound, !hadVersion {
            stage = .acknowledged
            return try withdraw(nil)
        }
        let notices: [UpdateNotice]
        do throws(UpdateFailure) {
            notices = try check(version: reply.version, bootloader: reply.bootloader, model: reply.model)
        } catch { return try withdraw(error) }
        hadVersion = hadVersion || stage == .entered && reply.version == container.versions.upperBound
        attempt.pollsOnLink = Self.polls
        var step: UpdateStep
        if reply.staysConnected {
            step = try poll(Self.polls)
        } else {
            state = .finished
            step = UpdateStep(
                .end(
                    .restart(
                        Restart(
                            timeout: Self.restartTimeout, farewell: Self.farewell, pause: Self.pause))))
        }
        step.notices = notices + step.notices
        return step
    }

    /// Ends without sending anything. A device that needs a new link accepts nothing over this one, not even
    /// CAN: without a new link it gives up by itself.
    private mutating func withdraw(_ failure: UpdateFailure?) throws(UpdateFailure) -> UpdateStep {
        reply?.staysConnected == false ? try cancelled(failure) : cancel(failure)
    }

    /// Waits for the byte that opens the transfer.
    mutating func poll(_ polls: Int) throws(UpdateFailure) -> UpdateStep {
        guard polls > 0 else {
            attempt = AttemptState()
            // A device whose transfer was lost has to be entered again.
            guard link.hasEntered else { return try identify() }
            throw UpdateFailure(
                .noAnswer, during: "entering the upgrade",
                message: "the beacon has entered the upgrade but does not request the first block",
                mayReconnect: true)
        }
        state = .opening(polls: polls)
        return UpdateStep(.expect(from: FBeaconService.answers, within: Self.pollLength))
    }

    mutating func opened(by byte: ControlByte?, _ polls: Int) throws(UpdateFailure) -> UpdateStep {
        if byte == .cancel { return refusedByDevice() }
        guard let mode = byte?.mode else {
            link.strays += 1
            guard link.strays <= Self.maximumStrays else {
                throw .entering(
                    "unexpected-answer", "the beacon sends data that does not belong to an upgrade")
            }
            return try poll(polls)
        }
        guard reply != nil else {
            // The model has to be known first.
            return cancel(
                .entering(
                    "no-answer", "the beacon waits for the first block but has not reported its model",
                    mayReconnect: restarts < Self.maximumRestarts))
        }
        attempt.mode = mode
        guard total > 0 else {
            return cancel(
                .entering(
                    "empty-payload",
                    "the beacon skips the first \(mode.skipped) bytes, and the payload has no more"))
        }
        stage = .begun
        var step = send()
        step.notices.insert(.phase(.transferring), at: 0)
        return step
    }
}
