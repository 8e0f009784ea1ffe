package import UpdateModel

/// Sending the image over a separate channel: as a stream, without length, blocks and XOR (dialog-suota.md, Channel).
/// Commands may overtake bytes of the channel, so the end command waits for the device's byte count.
extension SUOTAProcedure {
    static let channelDeadline = Duration.seconds(5)
    static let maximumFailedChannels = 2
    /// The number of bytes that are sent between two checks of STATUS.
    static let slice = 8192
    /// The longest packet in bytes: with a longer one, a device with a large buffer would have no credits left to give.
    static let longestPacket = 2048
    /// The time between reads of the device's byte count if its pace is unknown, or the count does not change.
    static let shortPause = Duration.milliseconds(50)
    static let shortestPause = Duration.milliseconds(10)
    /// The time between reads after a second without progress, and the longest in any case.
    static let longPause = Duration.milliseconds(500)

    static let withoutChannel: Advice = "omit \(.transport), or use \(.transport, "gatt")"

    /// The number of bytes of a packet, with its two bytes of length, that fill one data packet of the link.
    static let frame = 247

    /// Chooses the packet length and sends the first slice. A packet and its two bytes of length fill as many whole
    /// frames as fit `limit`, the bytes that the device accepts; if not even one fits, they fill `limit`.
    mutating func beginChannel(inPacketsOf limit: Int) -> UpdateStep {
        let frames = min(limit, Self.longestPacket) / Self.frame
        attempt.packetLength = frames > 0 ? frames * Self.frame - 2 : max(limit - 2, 1)
        return sendOverChannel().after([
            log("upload started, in packets of \(attempt.packetLength)"), .phase(.transferring),
        ])
    }

    mutating func sendOverChannel() -> UpdateStep {
        let (position, packetLength) = (attempt.position, attempt.packetLength)
        guard position < payloadEnd else { return awaitArrival() }
        let count = max(Self.slice / packetLength, 1) * packetLength
        let end = min(position + count, payloadEnd)
        state = .sendingOverChannel(upTo: end)
        return UpdateStep(
            .stream(
                PacketRun(
                    bytes: upload[position..<end], target: .channel, packetLength: packetLength,
                    payload: PayloadSpan(at: position, of: total))))
    }

    mutating func hasSentOverChannel(upTo end: Int) -> UpdateStep {
        if attempt.position == 0 { attempt.clock.uploadStart = times?.started }
        attempt.position = end
        state = .pollingStatus
        return UpdateStep(.expect(from: SUOTAService.status, within: .zero))
    }

    mutating func takePolled(_ bytes: [UInt8]) -> UpdateStep {
        guard let status = SUOTAStatus(bytes), !status.isHarmless else {
            attempt.hasStrayGood = attempt.hasStrayGood || SUOTAStatus(bytes) == .good
            return sendOverChannel()
        }
        return refuse(status, .sending)
    }

    /// The time until the device has counted all bytes, at its pace so far. The duration of a read is subtracted,
    /// because a count is taken in the middle of its read, and so is the next one.
    func timeLeft(after count: Int) -> Duration {
        guard let start = attempt.clock.uploadStart, let times, count > 0 else { return Self.shortPause }
        let left = (times.started - start) / count * (expectedCount - count) - (times.ended - times.started)
        return min(max(left, Self.shortestPause), Self.longPause)
    }

    /// Goes on with writes if the device did not open its channel: the first block length switches it back to writes.
    mutating func goOnWithoutChannel() -> UpdateStep {
        let code = FailureCode.suota.channelRefused
        let message = "the beacon offers a channel, but did not open it"
        update.failedChannels += 1
        guard preferences.transport == nil else {
            return giveUp(
                UpdateFailure(
                    code, during: SUOTAStep.starting.rawValue, message: message, remedy: Self.withoutChannel))
        }
        attempt.channel = nil
        return writePins().after([.warning(code, "\(message); sending in writes")])
    }
}

extension SUOTAProcedure {
    package func check() throws(UpdateFailure) {
        try checkImage()
        try checkRequests()
    }

    /// Refuses images that a DA1458x would accept, because it checks only the XOR, but could not start.
    func checkImage() throws(UpdateFailure) {
        guard image.header.codeSize > 0 else {
            throw .preparing(.file.emptyPayload, "there is nothing to install")
        }
        guard image.crcMatches != false else {
            throw .preparing(.device.imageCRCMismatch, "the payload does not match the CRC-32 in its header")
        }
        guard image.trailing.isEmpty else {
            throw .preparing(
                .file.trailingBytes,
                "\(image.trailing.count) bytes follow the payload, and beacons would count them")
        }
    }

    func checkRequests() throws(UpdateFailure) {
        if let size = preferences.blockSize { try BlockPlan.checkBlock(of: size, family) }
        if family == .da1458x, preferences.transport == .l2cap {
            throw .preparing(
                .suota.channelMissing, "images for \(family.chips) cannot be sent over a channel",
                remedy: Self.withoutChannel)
        }
        if let limit = preferences.bankLimit, Int(image.header.codeSize) > limit {
            throw .preparing(
                .suota.imageTooLarge,
                "the payload of \(image.header.codeSize) bytes does not fit the beacon's bank of \(limit)",
                remedy: "build a smaller image")
        }
        guard family == .da1458x else {
            guard preferences.pins.memory == .spi else {
                throw .preparing(
                    .suota.memoryTypeRefused, "\(family.chips) keep images in their flash, not on I2C",
                    remedy: "omit \(.pins)")
            }
            return
        }
        if preferences.bank != .oldest, !preferences.risks.contains(.runningBank) {
            throw .preparing(
                .suota.runningBankRisk,
                "bank \(preferences.bank.rawValue) is set by the command or its profile, and may "
                    + "hold the running image: "
                    + "if it does, and power or link fail before the end, the beacon has no image left to start",
                remedy: "let the beacon choose the bank with \(.bank, "0"), or accept the risk with "
                    + "\(.risk, "running-bank")"
            )
        }
    }

    mutating func checkDevice() throws(UpdateFailure) -> [UpdateNotice] {
        if family == .da1458x, link.facts.psm != nil {
            throw .preparing(
                .finding.wrongFamily,
                "the beacon offers a channel, which only DA1468x and DA1469x do; the image is for \(family.chips)",
                remedy: "use the image built for the chip in this beacon")
        }
        if let other = link.facts.family, other != family, !preferences.risks.contains(.wrongFamily) {
            throw .preparing(
                .finding.wrongFamily,
                "the beacon reports model '\(link.facts.information[.model] ?? "")', which is a "
                    + "\(other.chips); the image is for " + family.chips,
                remedy: "use the image built for the chip in this beacon; if the beacon's text is wrong, "
                    + "\(.risk, "wrong-family") lets the beacon decide")
        }
        guard let version = versionText, link.facts.runs(version) else { return [] }
        guard preferences.risks.contains(.sameVersion) else {
            throw .preparing(
                .device.sameVersion, "the beacon already reports version \(version)",
                remedy: "nothing to do; \(.risk, "same-version") installs it again")
        }
        update.hadVersion = true
        return [
            .warning(
                .device.sameVersion,
                "the beacon already reports version \(version), so the version it reports after the update "
                    + "does not confirm the new image")
        ]
    }

    @ListBuilder<UpdateNotice> var planWarnings: [UpdateNotice] {
        let plan = attempt.plan
        if family == .da1458x, attempt.channel == nil, preferences.blockSize != nil {
            if plan.blockSize > BlockPlan.smallBuffer, !link.facts.takesLargeBlocks {
                UpdateNotice.warning(
                    .suota.blockMayBeRefused,
                    "blocks of \(plan.blockSize) bytes are set; a beacon that does not report SDK 6 "
                        + "may have a buffer of \(BlockPlan.smallBuffer)")
            }
            if plan.endsWithLoneTrailer {
                UpdateNotice.warning(
                    .suota.loneTrailer,
                    "with blocks of \(plan.blockSize) bytes the last one is only the checksum byte, and a beacon may "
                        + "erase a sector for it")
            }
        }
    }
}

extension UpdateFailure {
    static func preparing(_ code: FailureCode, _ message: String, remedy: Advice? = nil) -> UpdateFailure {
        UpdateFailure(code, during: SUOTAStep.preparing.rawValue, message: message, remedy: remedy)
    }
}

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
