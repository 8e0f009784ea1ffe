import UpdateModel

/// Sending the image over a separate channel: as a stream, without length, blocks and XOR (dialog-suota.md, Channel).
/// Commands may overtake bytes of the channel, so the end command waits for the device's byte count.
extension SUOTAProcedure {
    static let channelDeadline = Duration.seconds(5)
    static let maximumFailedChannels = 2
    /// The number of bytes that are sent between two checks of STATUS.
    static let slice = 8192
    /// The longest packet in bytes. A longer one would use up all credits of a device with a large buffer.
    static let longestPacket = 2048
    /// The time between reads of the device's byte count if its pace is unknown or the count does not change.
    static let shortPause = Duration.milliseconds(50)
    static let shortestPause = Duration.milliseconds(10)
    /// The time between reads after a second without progress; never longer.
    static let longPause = Duration.milliseconds(500)

    static let withoutChannel: Advice = "omit \(.transport), or use \(.transport, "gatt")"

    /// The number of bytes in one data packet of the link: a packet of the channel, with its two bytes of length.
    static let frame = 247

    /// Chooses the packet length and sends the first slice. A packet and its two bytes of length fill as many whole frames
    /// as fit into `limit`, the number of bytes that the device accepts. If not even one fits, they fill `limit`.
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

    mutating func continueAfterSlice(upTo end: Int) -> UpdateStep {
        if attempt.position == 0 { attempt.clock.uploadStart = times?.started }
        attempt.position = end
        state = .pollingStatus
        return UpdateStep(.expect(from: SUOTAService.status, within: .zero))
    }

    mutating func receivePolledStatus(_ bytes: [UInt8]) -> UpdateStep {
        guard let status = SUOTAStatus(bytes), status.isRefusal else {
            attempt.hasStrayGood = attempt.hasStrayGood || SUOTAStatus(bytes) == .good
            return sendOverChannel()
        }
        return refuse(status, .sending)
    }

    /// The time until the device has counted all bytes, at its pace so far. The duration of one read is subtracted: half of
    /// it for this read and half for the next, because a count is taken in the middle of its read.
    func timeLeft(after count: Int) -> Duration {
        guard let start = attempt.clock.uploadStart, let times, count > 0 else { return Self.shortPause }
        let left = (times.started - start) / count * (expectedCount - count) - (times.ended - times.started)
        return min(max(left, Self.shortestPause), Self.longPause)
    }

    /// Continues with writes, because the device did not open its channel; the first block length switches it to writes.
    mutating func continueInWrites() -> UpdateStep {
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
