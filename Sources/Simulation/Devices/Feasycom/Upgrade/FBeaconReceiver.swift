import Bytes

/// Receives an image in packets, and answers each packet (fbeacon.md, Transfer).
package struct FBeaconReceiver: Sendable {
    enum Stage: Hashable, Sendable {
        case idle
        case opening(polls: Int)
        case receiving, ended, over
    }

    let rules: FBeaconTransfer
    let images: FBeaconImages
    var flash: FBeaconFlash
    var faults: FBeaconFaultPlan
    var record = FBeaconRecord()
    var completed: [UInt8]?

    var stage = Stage.idle
    /// When it next polls, reminds or gives up; nil for never.
    var deadline: Duration?
    var collected: [UInt8] = []
    /// Whether everything is dropped until a pause in reception.
    var isPurging = false
    var blocks = 0
    var lastBlock: [UInt8] = []
    /// The expected checksum of the bytes in flash.
    var checksum = CRC16()
    var cancels = 0
    /// The number of reminders since the last packet.
    var reminders = 0
    /// When the last packet arrived, and when its response was due.
    var lastAnswer: (came: Duration, due: Duration)?
    private(set) var restoresSettings = false

    package init(_ description: FBeaconDescription, _ faults: [Fault]) {
        rules = description.transfer
        images = description.images
        flash = FBeaconFlash(description)
        flash.cells.lostWrites = faults.lostFlashWrites
        self.faults = FBeaconFaultPlan(faults)
    }

    var place: FBeaconFlash.Place { rules.overwrites ? .application : .arrival }

    var position: (packet: Int, isHalfway: Bool) {
        (record.packets + 1, collected.count * 2 >= rules.packetSize)
    }

    func idle(at now: Duration) -> Duration { flash.cells.idle(at: now) }

    package mutating func begin(restoringSettings: Bool, at now: Duration) {
        completed = nil
        reset(at: now)
        restoresSettings = restoringSettings
        stage = .opening(polls: 0)
        deadline = now
    }

    mutating func reset(at now: Duration) {
        flash.cells.advance(to: now)
        flash.cells.dropQueue()
        stage = .idle
        deadline = nil
        forgetPacket()
        blocks = 0
        lastBlock = []
        checksum = CRC16()
        cancels = 0
        reminders = 0
        lastAnswer = nil
    }

    mutating func forgetPacket() {
        collected = []
        isPurging = false
    }

    package mutating func tick(at now: Duration) -> [BeaconReaction] {
        switch stage {
        case .opening(let polls):
            guard polls < rules.polls else { return giveUp(at: now) }
            stage = .opening(polls: polls + 1)
            deadline = now + rules.pollInterval
            record.polls += 1
            return [.fbeacon([rules.opening.rawValue], at: now)]
        case .receiving:
            if collected.isEmpty, !isPurging { reminders += 1 }
            guard reminders <= rules.reminders else { return giveUp(at: now) }
            forgetPacket()
            return refuse(at: now)
        case .idle, .ended, .over:
            deadline = nil
            return []
        }
    }

    private mutating func giveUp(at now: Duration) -> [BeaconReaction] {
        record.givenUp += 1
        return stop(at: idle(at: now))
    }

    mutating func stop(at due: Duration) -> [BeaconReaction] {
        stage = .over
        deadline = nil
        return [.disconnect(at: due), .reset(at: due)]
    }

    mutating func refuse(at now: Duration) -> [BeaconReaction] {
        record.refusals += 1
        deadline = idle(at: now) + rules.packetTimeout
        return [.fbeacon([FBeaconControl.refuse], at: idle(at: now))]
    }

    /// Ends the transfer: CAN three times, 200 ms apart.
    mutating func cancel(at now: Duration) -> [BeaconReaction] {
        record.cancellations += 1
        let due = idle(at: now)
        let words = (0..<3).map {
            BeaconReaction.fbeacon([FBeaconControl.cancel], at: due + .milliseconds(200 * $0))
        }
        return words + stop(at: due + .milliseconds(400) + rules.restartDelay)
    }

    mutating func end(at now: Duration) -> [BeaconReaction] {
        record.ends += 1
        if faults.has(.ignoreEnd(record.ends)) { return [] }
        if faults.has(.refuseEnd(record.ends)) { return refuse(at: now) }
        guard blocks > 0 else { return cancel(for: .endWithoutData, at: now) }
        let arrival = arrivedImage(at: now)
        guard arrival != nil || rules.acknowledgesUnchecked else { return cancel(at: now) }
        if let (image, stream) = arrival {
            record.images += 1
            completed = Array(stream.prefix(image.length))
            if !faults.has(.keepOldApplication) {
                flash.finish(image, at: place, restoringSettings: restoresSettings, now)
            }
        }
        stage = .ended
        deadline = nil
        let due = idle(at: now)
        let restart = due + rules.restartDelay
        return [
            .fbeacon([FBeaconControl.acknowledge], at: due), .disconnect(at: restart), .reset(at: restart),
        ]
    }

    /// The image that flash will hold once it is idle, and the blocks that contain it; nil if flash will differ from
    /// what was received, or if the image is not accepted.
    private func arrivedImage(at now: Duration) -> (image: FBeaconImage, stream: [UInt8])? {
        var copy = flash
        copy.cells.advance(to: idle(at: now))
        let stream = copy.content(of: place, blocks * FBeaconTransfer.blockSize)
        guard FBeaconImage(stream, version: 0).checksum == checksum.value else { return nil }
        return images.image(in: stream).map { ($0, stream) }
    }

    /// A repeated EOT means that its response was lost.
    mutating func takeAfterEnd(_ bytes: [UInt8], at now: Duration) -> [BeaconReaction] {
        if bytes == [FBeaconControl.end] {
            record.ends += 1
            return [.fbeacon([FBeaconControl.acknowledge], at: idle(at: now))]
        }
        return bytes.first == FBeaconControl.start ? note(.packetAfterEnd) : []
    }

    /// Records the broken `rule`, and does nothing else.
    mutating func note(_ rule: FBeaconRule) -> [BeaconReaction] {
        record.brokenRules.append(rule)
        return []
    }
}
