import Bluetooth
import Bytes
import UpdateModel

/// From a new link to the byte with which the device requests the first block (fbeacon.md, Entering).
extension FBeaconUpgrade {
    /// How long the device may take to answer EnterDFU.
    static let entryLimit = Duration.seconds(3)
    /// How long one poll waits for the device to request the first block.
    static let pollLength = Duration.milliseconds(800)
    /// The number of polls.
    static let polls = 16
    /// The number of polls if the device may have left the upgrade since it entered it.
    static let pollsInDoubt = 5
    static let maximumEntries = 6
    static let maximumStrays = 64
    /// The longest answer to EnterDFU, in bytes.
    static let maximumReply = 4096
    /// How long the old link is kept if the device needs a new one.
    static let disconnectTimeout = Duration.seconds(1)
    /// The pause before the new link.
    static let pause = Duration.seconds(3)
    static let restartTimeout = Duration.seconds(30)

    private static let pinOrBusy: Advice =
        "if the beacon has a PIN, supply it with \(.secrets); otherwise wait until no other client has its session"
    private static let busy: Advice = "wait until no other client has the beacon's session"

    mutating func handleOpenMark(_ mark: OpenMark?) throws(UpdateFailure) -> UpdateStep {
        guard let mark else { throw Self.notOpen }
        guard
            let entry = EntryCommand(
                mark, restoring: container.restoresDefaults, userDigit: preferences.restoringDigit)
        else {
            throw .preparing(
                .fbeacon.restoreDigitUnknown,
                "the container restores the default settings, but the beacon does not report how",
                remedy: "give the digit with \(.restoreDigit, "0"), or build the container without restoring")
        }
        link.entry = entry
        return attempt.pollsOnLink == 0 ? try identify() : subscribe()
    }

    private mutating func identify() throws(UpdateFailure) -> UpdateStep {
        state = .identifying
        let facts = LinkFacts(maximumWriteLength: link.maximumWriteLength)
        return try continueIdentifying { (query) throws(SessionFailure) in try query?.begin(on: facts) }
    }

    mutating func continueIdentifying(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        try continueIdentifying { (query) throws(SessionFailure) in try query?.advance(after: outcome) }
    }

    private mutating func continueIdentifying(
        _ next: (inout (any IdentityQuery)?) throws(SessionFailure) -> DialogueStep<ApplicationFacts, Never>?
    ) throws(UpdateFailure) -> UpdateStep {
        let step: DialogueStep<ApplicationFacts, Never>?
        do throws(SessionFailure) { step = try next(&identityQuery) } catch { throw UpdateFailure(error) }
        guard let step else { return subscribe() }
        return step.asPart { facts in
            identified = identified ?? facts
            return subscribe()
        }
    }

    private mutating func subscribe() -> UpdateStep {
        state = .subscribing
        return UpdateStep(.subscribe(FBeaconService.answers))
    }

    mutating func enterOrPoll() throws(UpdateFailure) -> UpdateStep {
        guard attempt.pollsOnLink == 0 else {
            defer { attempt.pollsOnLink = Self.pollsInDoubt }
            return try poll(attempt.pollsOnLink)
        }
        return try enter()
    }

    private mutating func enter() throws(UpdateFailure) -> UpdateStep {
        guard let entry = link.entry else { return try handleOpenMark(nil) }
        entries += 1
        guard entries <= Self.maximumEntries else {
            throw UpdateFailure(
                .device.linkLost, during: "transferring",
                message:
                    "the beacon entered the upgrade \(Self.maximumEntries) times, but each transfer was lost")
        }
        if stage == .fresh { stage = .entered }
        (link.hasEntered, link.entryReply, link.strays) = (true, [], 0)
        state = .entering
        return UpdateStep(
            .request(
                entry.bytes, on: FBeaconService.requests, answerOn: FBeaconService.answers,
                within: Self.entryLimit), notices: [.detail(.ready)])
    }

    mutating func receiveEntryReply(_ bytes: [UInt8]) throws(UpdateFailure) -> UpdateStep {
        link.strays += 1
        guard link.entryReply.count + bytes.count <= Self.maximumReply, link.strays <= Self.maximumStrays
        else {
            throw .entering(.session.answerTooLong, "the answer to EnterDFU does not end")
        }
        link.entryReply += bytes
        if let reply = UpgradeReply(in: link.entryReply) { return try handleEntry(reply) }
        if String(decoding: link.entryReply, as: UTF8.self).contains("ERROR") {
            throw .entering(
                .device.entryRefused, "the beacon answers ERROR to EnterDFU",
                remedy: identityQuery == nil ? Self.pinOrBusy : Self.busy)
        }
        return UpdateStep(.expect(from: FBeaconService.answers, within: Self.entryLimit))
    }

    var noReply: UpdateFailure {
        link.entryReply.isEmpty
            ? .entering(.device.noAnswer, "the beacon did not answer EnterDFU", mayReconnect: true)
            : .entering(
                .session.answerMalformed,
                "the beacon's answer to EnterDFU is incomplete (\(link.entryReply.count) bytes)",
                mayReconnect: true)
    }

    private mutating func handleEntry(_ reply: UpgradeReply) throws(UpdateFailure) -> UpdateStep {
        self.reply = reply
        attempt = AttemptState()
        // If the answer to the end of the transfer was lost, the new version shows that the end arrived.
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
                            timeout: Self.restartTimeout, disconnectTimeout: Self.disconnectTimeout,
                            pause: Self.pause, isAfterLoss: entries > 1))))
        }
        step.notices = notices + step.notices
        return step
    }

    /// Ends the conversation, with CAN if the device continues over this link. A device that needs a new link accepts
    /// nothing over this one, not even CAN; without a new link it gives up by itself.
    private mutating func withdraw(_ failure: UpdateFailure?) throws(UpdateFailure) -> UpdateStep {
        reply?.staysConnected == false ? try finishCancelling(failure) : cancel(failure)
    }

    mutating func poll(_ polls: Int) throws(UpdateFailure) -> UpdateStep {
        guard polls > 0 else {
            attempt = AttemptState()
            // The device entered the upgrade over an earlier link, and that transfer is lost: it has to enter again.
            guard link.hasEntered else { return try identify() }
            throw .entering(
                .device.noAnswer, "the beacon has entered the upgrade but does not request the first block",
                mayReconnect: true)
        }
        state = .opening(polls: polls)
        return UpdateStep(.expect(from: FBeaconService.answers, within: Self.pollLength))
    }

    mutating func handleOpening(by byte: ControlByte?, _ polls: Int) throws(UpdateFailure) -> UpdateStep {
        if byte == .cancel { return refusedByDevice() }
        guard let mode = byte?.mode else {
            link.strays += 1
            guard link.strays <= Self.maximumStrays else {
                throw .entering(
                    .device.unexpectedAnswer, "the beacon sends data that does not belong to an upgrade")
            }
            return try poll(polls)
        }
        guard reply != nil else {
            // Nothing is sent before the device has reported its model.
            return cancel(
                .entering(
                    .device.noAnswer, "the beacon waits for the first block but has not reported its model",
                    mayReconnect: restarts < Self.maximumRestarts))
        }
        attempt.mode = mode
        guard total > 0 else {
            return cancel(
                .entering(
                    .file.emptyPayload,
                    "the beacon skips the first \(mode.skipped) bytes, and the payload has no more"))
        }
        stage = .begun
        var step = send()
        step.notices.insert(.phase(.transferring), at: 0)
        return step
    }
}

extension UpdateFailure {
    /// A failure while the device is told to enter the upgrade.
    static func entering(
        _ code: FailureCode, _ message: String, remedy: Advice? = nil, mayReconnect: Bool = false
    ) -> UpdateFailure {
        UpdateFailure(
            code, during: "entering the upgrade", message: message, remedy: remedy,
            mayReconnect: mayReconnect)
    }
}
