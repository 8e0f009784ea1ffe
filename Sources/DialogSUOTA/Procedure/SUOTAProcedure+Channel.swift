import FirmwareModel
import Sessions
import UpdateCore

/// How the image travels over a channel of its own: as a stream, without length, blocks and XOR (dialog-suota.md,
/// Channel). The channel may be slower than the service, so that the end waits for the device's count.
extension SUOTAProcedure {
    static let channelDeadline = Duration.seconds(5)
    static let maximumFailedChannels = 2
    /// After how many bytes the status is looked at.
    static let slice = 8192
    /// The longest packet: a device with a large buffer would have no credits left to give.
    static let longestPacket = 2048
    /// Between two looks at the device's count: where nothing is known of its pace, at least, and where it stands still.
    static let shortPause = Duration.milliseconds(50)
    static let shortestPause = Duration.milliseconds(10)
    static let longPause = Duration.milliseconds(500)

    static let withoutChannel: Advice = "leave \(.transport) out, or use \(.transport, "gatt")"

    /// Bytes of a frame that fills a data packet of the link's, its header among them.
    static let frame = 247

    /// As many whole frames as the device takes, less the two bytes of length that go before a packet; of a device that
    /// takes less than a frame, all that it takes.
    mutating func pour(inPacketsOf limit: Int) -> UpdateStep {
        let frames = min(limit, Self.longestPacket) / Self.frame
        attempt.packetLength = frames > 0 ? frames * Self.frame - 2 : max(limit - 2, 1)
        var step = pourOn()
        step.notices = [
            log("the upload begins, in packets of \(attempt.packetLength)"), .phase(.transferring),
        ]
        return step
    }

    mutating func pourOn() -> UpdateStep {
        let (position, packetLength) = (attempt.position, attempt.packetLength)
        guard position < payloadEnd else { return awaitArrival() }
        let count = max(Self.slice / packetLength, 1) * packetLength
        let end = min(position + count, payloadEnd)
        state = .pouring(upTo: end)
        return UpdateStep(
            .stream(
                PacketRun(
                    bytes: upload[position..<end], target: .channel, packetLength: packetLength,
                    payload: PayloadSpan(at: position, of: total))))
    }

    mutating func hasPoured(upTo end: Int) -> UpdateStep {
        if attempt.position == 0 { attempt.clock.uploadStart = times?.started }
        attempt.position = end
        state = .glancing
        return UpdateStep(.expect(from: SUOTAService.status, within: .zero))
    }

    mutating func glance(at bytes: [UInt8]) -> UpdateStep {
        guard let status = SUOTAStatus(bytes), !status.isHarmless else {
            attempt.hasStrayGood = attempt.hasStrayGood || SUOTAStatus(bytes) == .good
            return pourOn()
        }
        return refuse(status, .sending)
    }

    /// How long what a device has not counted yet will take, at the pace of what it has; less what reading the count
    /// takes, because that was counted when it was half read, and is half read again when it is counted next.
    func timeLeft(after count: Int) -> Duration {
        guard let start = attempt.clock.uploadStart, let times, count > 0 else { return Self.shortPause }
        let left = (times.started - start) / count * (expectedCount - count) - (times.ended - times.started)
        return min(max(left, Self.shortestPause), Self.longPause)
    }

    /// The device takes no channel; it has started all the same, and a length leads it back.
    mutating func goOnWithoutChannel() -> UpdateStep {
        let (code, message) = (
            FailureCode(rawValue: "channel-refused"), "the device offers a channel and did not open it"
        )
        update.failedChannels += 1
        guard preferences.transport == nil else {
            return giveUp(
                UpdateFailure(
                    code, during: SUOTAStep.starting.rawValue, message: message, remedy: Self.withoutChannel))
        }
        attempt.channel = nil
        var step = wire()
        step.notices.insert(.warning(code, "\(message); sending in writes"), at: 0)
        return step
    }
}
