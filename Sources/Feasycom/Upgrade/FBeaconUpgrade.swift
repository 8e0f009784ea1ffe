import Bluetooth
package import UpdateModel

/// The upgrade of an open device with an open container, as a state machine without I/O
/// (fbeacon.md, Entering, Transfer).
///
/// Rules (all transitions are in this type):
/// 1. Nothing is written before the device has shown that it accepts open containers (``OpenMark``).
/// 2. There is no resume: whatever ends a transfer, the next one begins with the first block.
/// 3. Answers have no sequence number. An answer that arrives too soon to be the packet's is held back until another
///    answer, or silence, decides. If doubt remains, the running version decides at the end.
/// 4. A device that acknowledges the end of the transfer has not confirmed the update; only its version does.
package struct FBeaconUpgrade: IdentifyingProcedure {
    enum State: Equatable, Sendable {
        case idle
        case readingMark
        case identifying
        case subscribing
        case entering
        /// Waiting for the device to request the first block; `polls` is the remaining number of polls.
        case opening(polls: Int)
        case sending
        case awaiting
        /// Receiving further refusals of the same packet.
        case draining
        /// Receiving late answers to the previous block.
        case awaitingLateAnswers
        case ending
        case cancelling(UpdateFailure?, sent: Int)
        case confirming(UpdateFailure?)
        case finished
    }

    /// How far the update has come: entered, transfer begun, end of transfer sent, end acknowledged.
    enum Stage: Equatable, Sendable {
        case fresh
        case entered
        case begun
        case ended
        case acknowledged
    }

    let container: OpenContainer
    let preferences: FBeaconPreferences
    var state = State.idle
    var stage = Stage.fresh
    var link = LinkState()
    var attempt = AttemptState()
    /// The device's last reply to EnterDFU.
    var reply: UpgradeReply?
    /// Whether the device had the new version before the update, so that the version cannot confirm it.
    var hadVersion = false
    /// Whether the device may have stored a block: it did not refuse each.
    var mayHaveBlock = false
    var entries = 0
    var restarts = 0
    var times: CommandTimes?

    /// Authenticates before the device is told to enter; nil if that is not needed.
    package var identityQuery: (any IdentityQuery)?
    /// The device's facts from its first authentication.
    package var identified: ApplicationFacts?
    /// The application receives the update, whichever program installs it.
    package var receiver = Receiver.application

    package init(_ container: OpenContainer, _ preferences: FBeaconPreferences = FBeaconPreferences()) {
        (self.container, self.preferences) = (container, preferences)
    }

    /// The number of firmware bytes to send, in the mode that the device has requested.
    package var total: Int { max(container.payload.count - (attempt.mode?.skipped ?? 0), 0) }

    package mutating func begin(on link: LinkFacts) -> UpdateStep {
        self.link = LinkState(maximumWriteLength: max(link.maximumWriteLength, 1))
        mayHaveBlock = mayHaveBlock || awaitsBlock
        guard stage != .acknowledged else { return finish() }
        // A device that entered the upgrade over an earlier link may now request the first block.
        if attempt.mode != nil || entries > 0 && attempt.pollsOnLink == 0 {
            attempt = AttemptState(pollsOnLink: Self.pollsInDoubt)
        }
        state = .readingMark
        return UpdateStep(.read(FBeaconService.openMark), notices: [.phase(.preparing)])
    }

    /// Keeps the times of the last command, which show whether an answer arrived too soon.
    package mutating func note(_ times: CommandTimes) {
        self.times = times
        if state == .identifying { identityQuery?.note(times) }
    }

    package mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        defer { times = nil }
        noteBlock(outcome)
        switch (state, outcome) {
        case (.readingMark, .value(let bytes)): return try handleOpenMark(OpenMark(value: bytes))
        case (.readingMark, .absent): return try handleOpenMark(nil)
        case (.identifying, let outcome): return try continueIdentifying(after: outcome)
        case (.subscribing, .done): return try enterOrPoll()
        case (.entering, .value(let bytes)): return try receiveEntryReply(bytes)
        case (.entering, .timedOut): throw noReply
        case (.opening(let polls), .value(let bytes)): return try handleOpening(by: ControlByte(bytes), polls)
        case (.opening(let polls), .timedOut): return try poll(polls - 1)
        case (.sending, .done): return continueAfterSending()
        case (.awaiting, .value(let bytes)): return handleAnswer(ControlByte(bytes))
        case (.awaiting, .timedOut): return handleTimeout()
        case (.draining, .value(let bytes)): return handleAnswerWhileDraining(ControlByte(bytes))
        case (.draining, .timedOut): return sendAgain(isRefused: true)
        case (.awaitingLateAnswers, .value(let bytes)): return discardLateAnswer(ControlByte(bytes))
        case (.awaitingLateAnswers, .timedOut): return sendNextBlock()
        case (.ending, .value(let bytes)): return handleEndAnswer(ControlByte(bytes))
        case (.ending, .timedOut): return endAgain()
        case (.cancelling(let failure, let sent), let outcome):
            return try handleCancelAnswer(failure, sent, outcome)
        case (.confirming(let failure), _): return try finishCancelling(failure)
        default:
            throw UpdateFailure(
                .device.unexpectedAnswer, during: "updating", message: "unexpected data in state \(state)")
        }
    }
}

extension FBeaconUpgrade {
    /// The target has the mark of open containers, in its application and during the upgrade.
    package var targetSignature: TargetSignature {
        .application(
            FBeaconService.requests, showing: FBeaconService.openMark, otherwise: Self.notOpen,
            advertising: preferences.versionText == nil ? Self.advertisedVersion : nil,
            where: { OpenMark(value: $0) != nil })
    }

    static let notOpen = UpdateFailure.preparing(
        .fbeacon.notAnOpenFBeacon,
        "the beacon does not offer updates with open containers; nothing was written to it")

    /// The version in the second and third byte of a Feasycom beacon's frame, of 11 bytes; 10 according to the vendor's
    /// table (beacon-frames.md, Feasycom).
    private static let advertisedVersion: @Sendable (AdvertisingData) -> String? = { report in
        for case .serviceData(FBeaconService.uuid, let bytes) in report.elements
        where (10...11).contains(bytes.count) {
            return "\(UInt16(bytes[1]) << 8 | UInt16(bytes[2]))"
        }
        return nil
    }

    package var applicationAddresses: Set<ExpectedAddress> { [.sameAddress] }
    /// A transfer begins at the first block over every link.
    package var resumes: Bool { false }
    package var inactivityLimit: Duration? { nil }
    package var mayMove: Bool { false }
    package var part: UpdatePart? { nil }
    package func meansInstalled(_ failure: UpdateFailure) -> Bool { false }

    /// The container's version, as the device advertises or reports it; or the user's text.
    package var expectedVersion: ExpectedVersion? {
        preferences.versionText.map(ExpectedVersion.init(inEitherForm:))
            ?? ExpectedVersion(listed: container.versions.upperBound)
    }

    package var effectOnApplication: DeviceState.Application? {
        switch stage {
        case .fresh: nil
        case .entered: .intact
        case .begun where !mayHaveBlock && !awaitsBlock: .intact
        case .begun, .ended: .unknown
        case .acknowledged: .new
        }
    }

    package var disconnectMeaning: DisconnectMeaning {
        switch (stage, state) {
        case (_, .cancelling(let failure?, _)) where !failure.mayReconnect,
            (_, .confirming(let failure?)) where !failure.mayReconnect:
            .refused(failure)
        case (.fresh, _): .mustContinue
        case (.entered, _), (.begun, _): .mayRestart(within: Self.restartTimeout)
        case (.ended, _), (.acknowledged, _): .perhapsDone(completion)
        }
    }

    /// The timeout is 30 s, and 0.1 ms for each byte, because a device may copy the image before it starts.
    var completion: Completion {
        Completion(
            isConfirmed: stage == .acknowledged, expectedAddresses: applicationAddresses,
            timeout: .milliseconds(30_000 + container.payload.count / 10))
    }

    package func remedy(for failure: UpdateFailure) -> Advice? {
        switch failure.code {
        case .device.linkLost where stage != .fresh, .system.interrupted where stage != .fresh,
            .device.noAnswer where stage != .fresh:
            "run the same command again; it begins at the first byte, because such a transfer cannot be resumed"
        default: nil
        }
    }

    /// Checks what the application reports before anything is written. A version that is not a number is not checked
    /// here, but in the reply to EnterDFU.
    package func check(_ running: ApplicationFacts) throws(UpdateFailure) -> [UpdateNotice] {
        if let wanted = container.records.lazy.compactMap(\.modelType).first, let model = running.model,
            wanted.lowercased() != model.lowercased()
        {
            throw .preparing(
                .finding.wrongDevice, "the container is for \(wanted), but the beacon is a \(model)")
        }
        let latest = container.versions.upperBound
        let isLatest = running.version.map(ExpectedVersion(listed: latest).isMet) ?? false
        let version = isLatest ? latest : running.version.flatMap { UInt16($0) }
        // The warnings are given once, for the device's reply to EnterDFU.
        _ = try check(version: version, bootloader: nil, model: nil)
        return []
    }

    /// Checks what the device reports of itself; nil for facts that it does not report.
    package func check(
        version: UInt16?, bootloader: UInt16?, model: UInt16?
    ) throws(UpdateFailure) -> [UpdateNotice] {
        if let model, container.modelNumber != 0, model != container.modelNumber {
            throw .preparing(
                .finding.wrongDevice,
                "the container is for model \(container.modelNumber), but the beacon is model \(model)")
        }
        if let bootloader, bootloader < container.bootloader {
            throw .preparing(
                .fbeacon.bootloaderVersionTooLow,
                "bootloader \(container.bootloader) is required, but the beacon has \(bootloader)")
        }
        // Once a transfer has begun, the state of the application is unknown.
        guard stage == .fresh || stage == .entered, let version else { return [] }
        return try check(version)
    }

    private func check(_ version: UInt16) throws(UpdateFailure) -> [UpdateNotice] {
        let (start, end) = (container.versions.lowerBound, container.versions.upperBound)
        if version < start {
            throw .preparing(
                .finding.installedVersionTooLow,
                "the container updates version \(start) and later, but the beacon has \(version)")
        }
        if version > end, !preferences.risks.contains(.lowerVersion) {
            throw .preparing(
                .device.firmwareVersionTooLow,
                "the beacon has version \(version), but the container installs \(end)",
                remedy: "use a newer container, or downgrade with \(.risk, "lower-version")")
        }
        guard version == end else { return [] }
        return try UpdateNotice.sameVersion(
            allowedBy: preferences.risks, "the beacon reports that it already runs version \(end)",
            warning:
                "the beacon already runs version \(end), so the version cannot confirm that the new image was installed"
        )
    }

    struct LinkState: Sendable {
        var maximumWriteLength = 20
        var entry: EntryCommand?
        /// Whether, over this link, the device was told to enter the upgrade.
        var hasEntered = false
        /// The bytes of the answer to EnterDFU that have arrived.
        var entryReply: [UInt8] = []
        var strays = 0
    }

    struct AttemptState: Sendable {
        /// How often to wait over a new link for the request of the first block, if the device entered the upgrade before;
        /// 0 if it has to be told to enter.
        var pollsOnLink = 0
        /// The device's transfer mode; nil before it has requested the payload.
        var mode: TransferMode?
        /// The index of the current block, from 0.
        var block = 0
        /// How often the current block was sent.
        var tries = 0
        /// The number of packets without an answer.
        var outstandingAnswers = 0
        /// Whether an answer that arrived too soon to be the packet's is held back.
        var isAnswerHeldBack = false
        /// The mode of a repeated request for the first block, which may be an old request that arrived late; nil for none.
        var repeatedRequestMode: TransferMode?
        var sentAt: Duration?
        /// The delay of the answer that is held back; nil if it was already queued.
        var heldDelay: Duration?
        /// The shortest delay of an accepted answer.
        var shortestDelay: Duration?
    }
}
