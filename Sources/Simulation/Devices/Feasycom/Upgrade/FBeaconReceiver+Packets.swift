import Bytes

extension FBeaconReceiver {
    package mutating func take(_ bytes: [UInt8], at now: Duration) -> [BeaconReaction] {
        switch stage {
        case .idle, .over: return []
        case .ended: return takeAfterEnd(bytes, at: now)
        case .opening, .receiving: break
        }
        guard let first = bytes.first else { return [] }
        if collected.isEmpty, !isPurging {
            // More than three CAN at once are the middle of a packet whose beginning was lost.
            if bytes.count <= 3, bytes.allSatisfy({ $0 == FBeaconControl.cancel }) {
                return takeCancel(bytes.count, at: now)
            }
            cancels = 0
            if bytes == [FBeaconControl.end] { return end(at: now) }
            guard first == FBeaconControl.start else { return takeForeign(at: now) }
            guard stage != .opening(polls: 0) else { return note(.packetBeforeOpening) }
            noteEarlyPacket(at: now)
            stage = .receiving
        }
        deadline = now + rules.pieceTimeout
        guard !isPurging else { return [] }
        collected += bytes
        guard collected.count >= rules.packetSize else { return [] }
        if collected.count > rules.packetSize { record.brokenRules.append(.surplusBytes) }
        let packet = collected.prefix(rules.packetSize)
        forgetPacket()
        return process(packet, at: now)
    }

    /// Counts CAN bytes: two end the transfer, as a single one may be noise.
    private mutating func takeCancel(_ count: Int, at now: Duration) -> [BeaconReaction] {
        cancels += count
        guard cancels > 1 else { return [] }
        record.clientCancellations += 1
        let due = idle(at: now)
        return [.fbeacon([FBeaconControl.acknowledge], at: due)] + stop(at: due + rules.restartDelay)
    }

    /// Unknown bytes may be the rest of a packet whose beginning was lost: everything is dropped until a pause.
    private mutating func takeForeign(at now: Duration) -> [BeaconReaction] {
        if stage == .receiving {
            isPurging = true
            deadline = now + rules.pieceTimeout
        }
        return note(.foreignBytes)
    }

    /// Records a packet that precedes the response to the last one: it may, only after 1 s (fbeacon.md, Transfer).
    private mutating func noteEarlyPacket(at now: Duration) {
        guard let lastAnswer, now < lastAnswer.due, now < lastAnswer.came + .seconds(1) else { return }
        record.brokenRules.append(.packetBeforeAnswer)
    }

    private mutating func process(_ packet: ArraySlice<UInt8>, at now: Duration) -> [BeaconReaction] {
        record.packets += 1
        reminders = 0
        let head = Array(packet.prefix(3))
        let data = Array(packet.dropFirst(3).prefix(FBeaconTransfer.blockSize))
        guard head.count == 3, head[1] == ~head[2] else { return refuse(for: .wrongComplement, at: now) }
        guard packet.dropFirst(3 + FBeaconTransfer.blockSize).elementsEqual(check(of: data)) else {
            return refuse(for: .wrongChecksum, at: now)
        }
        if faults.refuses(packet: record.packets) { return refuse(at: now) }
        if faults.has(.cancelAtPacket(record.packets)) { return cancel(at: now) }
        let next = UInt8(truncatingIfNeeded: blocks + 1)
        if blocks > 0, head[1] == next &- 1 {
            record.repeats += 1
            if data != lastBlock { record.brokenRules.append(.changedRepeat) }
            return acknowledge(at: now)
        }
        guard head[1] == next else { return cancel(for: .wrongNumber, at: now) }
        if blocks == 0 {
            guard !data.beginsLikeFile else { return cancel(for: .fileHeader, at: now) }
            flash.begin(at: place, now)
        }
        guard flash.write(data, blocks, at: place, now) else { return cancel(at: now) }
        blocks += 1
        record.blocks += 1
        lastBlock = data
        checksum.update(data)
        return acknowledge(at: now)
    }

    private func check(of data: [UInt8]) -> [UInt8] {
        rules.opening == .sum ? [data.reduce(0, &+)] : CRC16.checksum(data).bytes(.big)
    }

    private mutating func refuse(for rule: FBeaconRule, at now: Duration) -> [BeaconReaction] {
        record.brokenRules.append(rule)
        return refuse(at: now)
    }

    mutating func cancel(for rule: FBeaconRule, at now: Duration) -> [BeaconReaction] {
        record.brokenRules.append(rule)
        return cancel(at: now)
    }

    private mutating func acknowledge(at now: Duration) -> [BeaconReaction] {
        let packet = record.packets
        let due = idle(at: now)
        let late = due + faults.delay(ofAnswerTo: packet)
        deadline = late + rules.packetTimeout
        lastAnswer = (now, late)
        let flood = faults.has(.floodRefusals(packet)) ? 10 : 0
        record.refusals += flood
        let refusals = (0..<flood).map { _ in BeaconReaction.fbeacon([FBeaconControl.refuse], at: due) }
        guard !faults.has(.loseAnswer(packet)) else { return refusals }
        return refusals + [.fbeacon([faults.answer(to: packet) ?? FBeaconControl.acknowledge], at: late)]
    }
}

extension [UInt8] {
    /// Whether it starts like a vendor's file or an open container: only payloads may be sent (fbeacon.md, Products).
    fileprivate var beginsLikeFile: Bool {
        let marks = [prefix(2), dropFirst(30).prefix(2)].map(Array.init)
        return marks == [[0xDD, 0x07], [0xE0, 0x07]] || marks == [[0x46, 0x42], [0x55, 0x50]]
    }
}

/// How an image is received, in a dialect of XMODEM-1K (fbeacon.md, Transfer). Anything not in that page is our choice.
package struct FBeaconTransfer: Hashable, Sendable {
    package enum Opening: UInt8, CaseIterable, Hashable, Sendable {
        /// `C`: CRC-16, and the sender leaves out the first 1024 bytes of the payload.
        case skippingPreamble = 0x43
        /// `S`: CRC-16 and the whole payload.
        case whole = 0x53
        /// NAK: an 8-bit sum and the whole payload.
        case sum = 0x15
    }

    package var opening = Opening.whole
    package var pollInterval = Duration.milliseconds(800)
    package var polls = 16
    /// How long it waits for the rest of a packet; our choice.
    package var pieceTimeout = Duration.milliseconds(500)
    /// How long it waits for a packet before a reminder; our choice.
    package var packetTimeout = Duration.seconds(3)
    /// The number of reminders before it gives up; our choice.
    package var reminders = 8
    /// How long it waits for the link over which an update continues; our choice.
    package var linkTimeout = Duration.seconds(30)
    /// The time from the last byte of a transfer to the restart; our choice. The third CAN of a client comes within it.
    package var restartDelay = Duration.seconds(1)
    /// Whether the image overwrites the application, so that an interrupted update leaves the bootloader alone;
    /// otherwise it is stored separately and copied after the restart.
    package var overwrites = false
    /// Whether EOT is acknowledged before the image is checked: a wrong image is then dropped silently.
    package var acknowledgesUnchecked = false

    /// The size of a packet in bytes: start, number, complement, data, checksum.
    var packetSize: Int { 3 + Self.blockSize + (opening == .sum ? 1 : 2) }

    static let blockSize = 1024
}

enum FBeaconControl {
    static let start: UInt8 = 0x02
    static let end: UInt8 = 0x04
    static let acknowledge: UInt8 = 0x06
    static let refuse: UInt8 = 0x15
    static let cancel: UInt8 = 0x18
    static let padding: UInt8 = 0x1A
}
