import Digests

/// Takes an image in packets, and answers each (fbeacon.md, Transfer).
package struct FBeaconReceiver: Sendable {
    /// How far a transfer is.
    enum Stage: Hashable, Sendable {
        /// There is none.
        case idle
        /// It asks for the first packet, and has done so this often.
        case opening(polls: Int)
        /// It has heard one.
        case receiving
        /// The image is whole.
        case ended
        /// It comes to nothing, and the device restarts.
        case over
    }

    let rules: FBeaconTransfer
    let images: FBeaconImages
    var flash: FBeaconFlash
    var faults: FBeaconFaultPlan
    var record = FBeaconRecord()
    /// The image that was found good, until the next update begins.
    var completed: [UInt8]?

    private(set) var stage = Stage.idle
    /// When it says something of itself.
    var deadline: Duration?
    /// The packet that is arriving.
    var collected: [UInt8] = []
    /// Whether everything is dropped until nothing comes for a while.
    var isPurging = false
    /// Blocks of this transfer.
    var blocks = 0
    /// The data of the last one.
    var lastBlock: [UInt8] = []
    /// What the bytes in flash should have.
    var checksum = CRC16()
    /// CANs that came in a row.
    var cancels = 0
    /// Times that it has asked for a packet since the last one.
    var reminders = 0
    /// When the last packet came, and when its answer was due.
    var lastAnswer: (came: Duration, due: Duration)?
    private(set) var restoresSettings = false

    /// One that has never taken anything.
    package init(_ description: FBeaconDescription, _ faults: [Fault]) {
        rules = description.transfer
        images = description.images
        flash = FBeaconFlash(description)
        flash.cells.lostWrites = faults.lostFlashWrites
        self.faults = FBeaconFaultPlan(faults)
    }

    /// Where the image goes.
    var place: FBeaconFlash.Place { rules.overwrites ? .application : .arrival }

    /// The packet that is arriving, and whether half of it has come.
    var position: (packet: Int, isHalfway: Bool) {
        (record.packets + 1, collected.count * 2 >= rules.packetSize)
    }

    /// When flash is done.
    func idle(at now: Duration) -> Duration { flash.cells.idle(at: now) }

    /// A transfer begins.
    package mutating func begin(restoringSettings: Bool, at now: Duration) {
        completed = nil
        reset(at: now)
        restoresSettings = restoringSettings
        stage = .opening(polls: 0)
        deadline = now
    }

    /// The power goes, or a reset comes.
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

    // MARK: Moments

    /// `deadline` has come.
    package mutating func tick(at now: Duration) -> [FirmwareReaction] {
        switch stage {
        case .opening(let polls):
            guard polls < rules.polls else { return giveUp(at: now) }
            stage = .opening(polls: polls + 1)
            deadline = now + rules.pollInterval
            record.polls += 1
            return [.notify([rules.opening.rawValue], at: now)]
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

    /// The first packet begins.
    mutating func open() { stage = .receiving }

    /// Everything is there.
    mutating func close() {
        stage = .ended
        deadline = nil
    }

    private mutating func giveUp(at now: Duration) -> [FirmwareReaction] {
        record.givenUp += 1
        return stop(at: idle(at: now))
    }

    /// Restarts, whatever was received.
    mutating func stop(at due: Duration) -> [FirmwareReaction] {
        stage = .over
        deadline = nil
        return [.disconnect(at: due), .reset(at: due)]
    }

    // MARK: Answers

    /// Asks for the packet again.
    mutating func refuse(at now: Duration) -> [FirmwareReaction] {
        record.refusals += 1
        deadline = idle(at: now) + rules.packetTimeout
        return [.notify([FBeaconControl.refuse], at: idle(at: now))]
    }

    /// Ends the transfer: three times CAN, 200 ms apart.
    mutating func cancel(at now: Duration) -> [FirmwareReaction] {
        record.cancellations += 1
        let due = idle(at: now)
        let words = (0..<3).map {
            FirmwareReaction.notify([FBeaconControl.cancel], at: due + .milliseconds(200 * $0))
        }
        return words + stop(at: due + .milliseconds(400) + rules.restartDelay)
    }
}
