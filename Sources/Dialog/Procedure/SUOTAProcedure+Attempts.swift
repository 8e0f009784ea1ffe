import Bluetooth
import Bytes
package import UpdateModel

/// What the loss of a link means (dialog-suota.md, Resume).
extension SUOTAProcedure {
    /// False, because every attempt starts at the first byte.
    package var resumes: Bool { false }

    /// How long a DA1468x or DA1469x may stay silent after a lost link, because it then restarts.
    static let restartTimeout = Duration.seconds(30)

    /// Before the end command, the next link begins another attempt, unless the device has refused for good. After it, the
    /// next link or the running version shows the result.
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
}

/// The beginning of an attempt, on the first link or on a later one (dialog-suota.md, Conversation).
extension SUOTAProcedure {
    /// Records a value, nil if the device has none, and reads the next one.
    mutating func record(_ question: Question, _ bytes: [UInt8]?) throws(UpdateFailure) -> UpdateStep {
        var notices: [UpdateNotice] = []
        if let bytes {
            let number = DeviceFacts.number(bytes)
            switch question {
            case .manufacturer, .model, .firmwareRevision, .softwareRevision:
                if let text = String(characteristicValue: bytes) {
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

    /// The step after all values were read: another attempt or, after the end command, a check of its result.
    private mutating func prepare() throws(UpdateFailure) -> UpdateStep {
        let isInstalled = !update.hadVersion && versionText.map { link.facts.runs($0) } ?? false
        switch update.stage {
        case .fresh, .begun: return try beginAttempt()
        case .ended where isInstalled, .unconfirmed where isInstalled, .verified where isInstalled:
            update.stage = .verified
            return finish()
        // The link was lost while the device was checking a signature: this link or the running version shows the
        // result. Sending the image again might destroy the old one.
        case .unconfirmed where preferences.awaitsSignature && update.reboots == 0: return subscribeAgain()
        case .unconfirmed, .verified: return update.reboots < Self.maximumReboots ? reboot() : finish()
        case .ended: return readStatus(.end, .lostLink)
        }
    }

    /// Decides by STATUS, after a link was lost after the end command.
    mutating func judgeLostEnd(_ status: SUOTAStatus?) throws(UpdateFailure) -> UpdateStep {
        status == .good ? readCount(.end, .lostLink) : try sendAgain()
    }

    /// Decides by the byte count, because STATUS 02 may belong to the last block. Any command sets the count of a DA1458x
    /// to 0.
    mutating func judgeLostEnd(count: Int?) throws(UpdateFailure) -> UpdateStep {
        family == .da1458x && count == 0 ? continueAfterVerification() : try sendAgain()
    }

    /// Begins another attempt, because the link was lost before the device verified the image.
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

    /// Begins an attempt: checks the device, chooses the transport and subscribes.
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

    mutating func continueAfterStart() -> UpdateStep {
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

    /// The PSM of the channel to use; nil to use writes, as requested also by a block or chunk size set by the user.
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
