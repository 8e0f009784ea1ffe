import Bytes
package import UpdateModel

/// What the loss of a link means (dialog-suota.md, Resume).
extension SUOTAProcedure {
    /// False, because every link starts at the first byte.
    package var resumes: Bool { false }

    /// How long a DA1468x or DA1469x may stay silent after a link of an update has ended, because it then restarts.
    static let restartTimeout = Duration.seconds(30)

    /// Before the end command, the next link begins an attempt from byte 0, unless the device has refused for good.
    /// After it, the next link or the version that the device starts shows the result.
    package var disconnectMeaning: DisconnectMeaning {
        switch (update.stage, state) {
        case (.fresh, _): .mustContinue
        case (.begun, .draining(let failure, _)) where !failure.mayReconnect,
            (.begun, .aborting(let failure)) where !failure.mayReconnect:
            .refused(failure)
        case (.begun, _): family == .da1458x ? .mustContinue : .mayRestart(within: Self.restartTimeout)
        case (.ended, _), (.unconfirmed, _), (.verified, _): .perhapsDone(completion)
        }
    }

    /// The time limit is 30 s and 0.1 ms per byte, because some devices copy the image before they start it.
    var completion: Completion {
        Completion(
            isConfirmed: update.stage == .verified, expectedAddresses: applicationAddresses,
            timeout: .milliseconds(30_000 + image.bytes.count / 10))
    }
}

/// Advice after a failed update: what to do, and what to avoid (dialog-suota.md, Resume).
extension SUOTAProcedure {
    package func remedy(for failure: UpdateFailure) -> Advice? {
        switch failure.code {
        case .device.linkLost, .system.interrupted, .device.noAnswer:
            update.stage == .fresh ? nil : repeatAdvice(after: failure)
        case .device.versionMismatch where !mustStayPowered:
            family == .da1458x ? sentences(failure.remedy ?? Self.checkProgram, Self.beforeRepeating) : nil
        case .device.versionMismatch, .device.activationUnconfirmed: adviceAfterEnd
        case .device.didNotReappear:
            mustStayPowered ? sentences(Self.lookForBeacon, Self.keepPowered) : Self.recoverSilentBeacon
        default: endangersRunningImage ? sentences(failure.remedy ?? Self.runAgain, Self.keepPowered) : nil
        }
    }

    private static let runAgain: Advice = "run the same command again"
    private static let checkProgram: Advice = "check with \(task: .info) what the beacon runs"
    private static let lookForBeacon: Advice = "wait a minute and look for the beacon with \(task: .scan)"
    private static let recoverSilentBeacon: Advice =
        "wait a minute, then switch the beacon off and on, and look for it with \(task: .scan); if it stays silent, "
        + "it has no image that starts and needs one by cable"

    private static let keepPowered: Advice =
        "do not switch the beacon off before an update of it has succeeded: the selected bank may hold its "
        + "running image, of which only the copy in RAM is left"
    /// On a DA1458x, a bad image that is marked as valid counts as the newer one, so its bank is kept.
    private static let beforeRepeating: Advice =
        "if it runs the old version, the next update overwrites the bank of the old image, which may be the only good one: "
        + "before that, give the beacon reliable power and a good link"

    private func repeatAdvice(after failure: UpdateFailure) -> Advice {
        guard update.stage == .begun else { return sentences("the beacon had everything", adviceAfterEnd) }
        let nearer: Advice = failure.code == .system.interrupted ? "" : "bring the beacon closer, then "
        return sentences(
            nearer + Self.runAgain + "; it starts at the first byte, because SUOTA cannot resume",
            endangersRunningImage ? Self.keepPowered : presentImageAdvice)
    }

    /// Advice after the end command: a DA1458x may have started its old image because the new one is bad.
    private var adviceAfterEnd: Advice {
        family == .da1458x
            ? mustStayPowered
                ? sentences(Self.checkProgram, Self.keepPowered)
                : sentences("switch the beacon off and on, then \(Self.checkProgram)", Self.beforeRepeating)
            : "\(Self.checkProgram), and \(Self.runAgain) if that is the old version"
    }

    /// The image that a device with two banks, or with a copying loader, has during an unfinished upload.
    private var presentImageAdvice: Advice {
        "meanwhile the beacon keeps its present image"
            + (family == .da1458x ? ", unless an earlier update of it ended with version-mismatch" : "")
    }

    /// Whether the update may have written to the bank of the running image, because the bank was set explicitly.
    var endangersRunningImage: Bool {
        family == .da1458x && preferences.bank != .oldest && update.bank != .untouched
    }

    /// Whether the running image may be damaged in flash, and the device has not confirmed the new one.
    private var mustStayPowered: Bool { endangersRunningImage && update.stage != .verified }

    private func sentences(_ first: Advice, _ second: Advice) -> Advice { "\(first). \(second.asSentence)" }
}

/// The beginning of an attempt, on the first link or on a later one (dialog-suota.md, Conversation).
extension SUOTAProcedure {
    /// Keeps a value, nil if the device has none, and asks the next question.
    mutating func learn(_ question: Question, _ bytes: [UInt8]?) throws(UpdateFailure) -> UpdateStep {
        var notices: [UpdateNotice] = []
        if let bytes {
            let number = DeviceFacts.number(bytes)
            switch question {
            case .manufacturer, .model, .firmwareRevision, .softwareRevision:
                if let text = DeviceFacts.text(bytes) {
                    link.facts.information[question] = text
                    notices = [.detail(.deviceInformation(name: question.rawValue, value: text))]
                }
            case .version: link.facts.version = number
            case .patchDataSize: link.facts.patchDataSize = number
            case .mtu: link.facts.mtu = number
            case .psm: link.facts.psm = number.flatMap { UInt16(exactly: $0) }.flatMap { $0 == 0 ? nil : $0 }
            }
        }
        if question == .softwareRevision {
            notices.append(.detail(.deviceInformationRead(isPresent: !link.facts.information.isEmpty)))
        }
        guard let next = question.next else { return try prepare().after(notices) }
        state = .identifying(next)
        return UpdateStep(.read(next.characteristic), notices: notices)
    }

    /// The step after all values were read: an attempt from byte 0 or, on a link after the end command, a check of
    /// the result.
    private mutating func prepare() throws(UpdateFailure) -> UpdateStep {
        let isInstalled = !update.hadVersion && versionText.map { link.facts.runs($0) } ?? false
        switch update.stage {
        case .fresh, .begun: return try beginAttempt()
        case .ended where isInstalled, .unconfirmed where isInstalled, .verified where isInstalled:
            update.stage = .verified
            return finish()
        // The link was lost while the device was checking a signature: this link or the version that the device
        // starts shows the result. Sending the image again might destroy the old one.
        case .unconfirmed where preferences.awaitsSignature && update.reboots == 0: return subscribeAgain()
        case .unconfirmed, .verified: return update.reboots < Self.maximumReboots ? reboot() : finish()
        case .ended: return readStatus(.end, .lostLink)
        }
    }

    /// Decides by STATUS, on the link after one that was lost after the end command.
    mutating func judgeLostEnd(_ status: SUOTAStatus?) throws(UpdateFailure) -> UpdateStep {
        status == .good ? readCount(.end, .lostLink) : try sendAgain()
    }

    /// Decides by the byte count, because the good STATUS may be that of the last block: any command sets the count of
    /// a DA1458x to 0.
    mutating func judgeLostEnd(count: Int?) throws(UpdateFailure) -> UpdateStep {
        family == .da1458x && count == 0 ? continueAfterVerification() : try sendAgain()
    }

    /// Begins another attempt: the link was lost after the end command, and the device has not verified the image.
    private mutating func sendAgain() throws(UpdateFailure) -> UpdateStep {
        let failure = UpdateFailure(
            .device.linkLost, during: SUOTAStep.ending.rawValue,
            message:
                "the link was lost in each of \(update.restarts + 1) attempts before the beacon could verify the image"
        )
        update.stage = .begun
        guard update.restarts < Self.maximumRestarts else { throw failure }
        update.restarts += 1
        return try beginAttempt()
    }

    /// Begins an attempt with byte 0: checks the device, chooses the transport and subscribes.
    mutating func beginAttempt() throws(UpdateFailure) -> UpdateStep {
        let notices = update.stage == .fresh ? try checkDevice() : []
        let channel = try chooseChannel()
        attempt = AttemptState(
            plan: try BlockPlan.choose(
                uploadSize: upload.count, family, preferences, link.facts,
                maximumWriteLength: link.maximumWriteLength), channel: channel)
        state = .subscribing
        update.stage = .begun
        if update.bank == .inDoubt { update.bank = .written }
        return UpdateStep(
            .subscribe(SUOTAService.status),
            notices: notices + planWarnings + [
                .detail(.ready), log(sizes), log("notifications are turned on"),
            ])
    }

    mutating func start() -> UpdateStep {
        link.isSubscribed = true
        let command = MemoryDeviceCommand.start(
            family == .da1458x ? preferences.pins.memory : .spi,
            family == .da1458x ? preferences.bank : .oldest)
        link.wait = Wait()
        state = .awaiting(.start)
        return UpdateStep(
            .request(
                command.bytes, on: SUOTAService.memoryDevice, answerOn: SUOTAService.status,
                within: Self.readDelay),
            notices: [log("memory device \(HexText.digits(command.number))")], waitsFor: .flash)
    }

    mutating func hasStarted() -> UpdateStep {
        attempt.clock.updateStart = times?.started
        if let channel = attempt.channel {
            state = .opening
            return UpdateStep(
                .open(psm: channel, within: Self.channelDeadline),
                notices: [log("opening a channel on PSM \(HexText.number(channel))")])
        }
        return writePins()
    }

    mutating func writePins() -> UpdateStep {
        state = .writingPins
        return UpdateStep(
            .write(preferences.pins.bytes, on: SUOTAService.pins),
            notices: [log("GPIO map \(HexText.digits(preferences.pins.number))")])
    }

    private var sizes: String {
        guard attempt.channel == nil else { return "\(payloadEnd) bytes over a channel" }
        let plan = attempt.plan
        return "upload \(plan.uploadSize), block \(plan.blockSize), chunk \(plan.chunkSize), blocks "
            + "\(plan.blockCount), chunks \(plan.chunkCount), chunks per block \(plan.chunksPerBlock), XOR "
            + HexText.digits(image.trailer)
    }

    /// The PSM of the channel to use; nil for writes, which a size of blocks or chunks set by the user also requests.
    private func chooseChannel() throws(UpdateFailure) -> UInt16? {
        switch preferences.transport {
        case .gatt: return nil
        case .l2cap:
            guard let psm = link.facts.psm else {
                throw .preparing(
                    .suota.channelMissing, "the beacon offers no channel", remedy: Self.withoutChannel)
            }
            return psm
        case nil:
            guard family != .da1458x, update.failedChannels < Self.maximumFailedChannels,
                preferences.blockSize == nil, preferences.chunkSize == nil
            else { return nil }
            return link.facts.psm
        }
    }
}

/// What is known of the link, of the attempt and of the whole update.
extension SUOTAProcedure {
    struct LinkState: Sendable {
        var maximumWriteLength = 20
        var facts = DeviceFacts()
        var isSubscribed = false
        /// A second 02 came after the end command; it may be the result of the signature check, or a duplicate.
        var hasEarlySignature = false
        var wait = Wait()
    }

    struct Wait: Sendable {
        var elapsed = Duration.zero
        var strays = 0
        /// The highest byte count of the device in this wait; nil before the first.
        var counted: Int?
        var pause = shortPause
    }

    /// State of one attempt to send the whole image.
    struct AttemptState: Sendable {
        let plan: BlockPlan
        /// The PSM of the channel; nil for writes to the service.
        var channel: UInt16?
        var packetLength = 0
        /// The number of the current block, from 0, and the number of bytes sent.
        var block = 0
        var position = 0
        /// The block length in bytes that the device has; nil before the first.
        var announced: Int?
        /// The number of blocks that the device's count confirmed, and whose missing statuses may still come.
        var lateStatuses = 0
        /// A 02 came over a channel before the end command, where none is expected.
        var hasStrayGood = false
        var clock = UploadClock()
    }

    struct UpdateState: Sendable {
        var stage = Stage.fresh
        var bank = BankState.untouched
        /// The device reported the new version before the update, so that afterwards it proves nothing.
        var hadVersion = false
        /// The number of attempts whose channel was refused, or over which no response came in time.
        var failedChannels = 0
        /// The number of further attempts after a refusal, a missing response, or a link lost after the end command.
        var restarts = 0
        var reboots = 0
    }

    enum Stage: Equatable, Sendable {
        case fresh
        case begun
        /// The end command was sent, and the result is not known.
        case ended
        /// The device has the image and may be checking the signature, or was restarted without a result.
        case unconfirmed
        /// The device has accepted the image, or runs it.
        case verified
    }

    enum BankState: Equatable, Sendable {
        case untouched
        /// The first block was sent, and its result is not known; most refusals come before anything is erased.
        case inDoubt
        case written
    }
}
