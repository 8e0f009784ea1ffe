import UpdateModel

/// Sending the image over a separate channel: as a stream, without length, blocks and XOR (dialog-suota.md, Channel).
/// The channel may be slower than the service, so the end waits for the device's count.
extension SUOTAProcedure {
    static let channelDeadline = Duration.seconds(5)
    static let maximumFailedChannels = 2
    /// The number of bytes between checks of the status.
    static let slice = 8192
    /// The longest packet: with a longer one, a device with a large buffer would have no credits left to give.
    static let longestPacket = 2048
    /// The shortest time between reads of the device's count: used if its pace is unknown, and if the count does not
    /// change.
    static let shortPause = Duration.milliseconds(50)
    static let shortestPause = Duration.milliseconds(10)
    static let longPause = Duration.milliseconds(500)

    static let withoutChannel: Advice = "omit \(.transport), or use \(.transport, "gatt")"

    /// Bytes of a frame that fills a data packet of the link, including its header.
    static let frame = 247

    /// As many whole frames as the device accepts, less the two bytes of length before a packet; if it accepts less
    /// than a frame, its maximum.
    mutating func pour(inPacketsOf limit: Int) -> UpdateStep {
        let frames = min(limit, Self.longestPacket) / Self.frame
        attempt.packetLength = frames > 0 ? frames * Self.frame - 2 : max(limit - 2, 1)
        var step = pourOn()
        step.notices = [
            log("upload started, in packets of \(attempt.packetLength)"), .phase(.transferring),
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

    /// The remaining time for bytes that the device has not counted yet, at its pace so far. The time to read the
    /// count is subtracted: each count is taken half way through its read.
    func timeLeft(after count: Int) -> Duration {
        guard let start = attempt.clock.uploadStart, let times, count > 0 else { return Self.shortPause }
        let left = (times.started - start) / count * (expectedCount - count) - (times.ended - times.started)
        return min(max(left, Self.shortestPause), Self.longPause)
    }

    /// The device opens no channel, but has started the update; writing a length switches it back to writes.
    mutating func goOnWithoutChannel() -> UpdateStep {
        let (code, message) = (
            FailureCode(rawValue: "channel-refused"), "the beacon offers a channel, but did not open it"
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
