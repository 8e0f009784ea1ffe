import Bluetooth
import UpdateModel

/// Requests that are sent one at a time, and the assembly of their answers (docs/protocols/mcuboot-smp.md, Frames).
extension SMPUpdate {
    /// The maximum number of notifications without a useful answer, and of frames that answer no request. A list of
    /// all slots takes about 100 notifications of 20 bytes.
    static let maximumPieces = 1024
    static let maximumStrays = 64
    static let answerLimit = Duration.milliseconds(2500)
    /// The maximum time for which one packet occupies the link; many packets are passed to the kernel at once.
    static let packetAllowance = Duration.milliseconds(50)
    /// The pause before a busy unit is asked again, and the maximum number of requests to it.
    static let pause = Duration.seconds(1)
    static let maximumBusy = 5

    mutating func ask(_ ask: Ask, again isAgain: Bool = false) -> UpdateStep {
        let request = request(ask)
        let tries = isAgain ? (link.exchange?.tries ?? 0) + 1 : 1
        let frame = request.frame(sequence: nextSequence()).bytes
        link.exchange = Exchange(
            request: request, sequence: link.sequence, tries: tries,
            left: patience(ask).limit + Self.packetAllowance * (frame.count / link.packetLength))
        link.strays = 0
        state = .writing(ask)
        return stream(frame, payload: nil)
    }

    mutating func nextSequence() -> UInt8 {
        link.sequence &+= 1
        return link.sequence
    }

    func stream(_ frame: [UInt8], payload: PayloadSpan?) -> UpdateStep {
        UpdateStep(
            .stream(
                PacketRun(
                    bytes: frame[...], target: SMPService.characteristic, packetLength: link.packetLength,
                    payload: payload)))
    }

    func wait() -> UpdateStep {
        UpdateStep(
            .expect(from: SMPService.characteristic, within: link.exchange?.left ?? Self.answerLimit),
            waitsFor: .flash)
    }

    private func request(_ ask: Ask) -> SMPRequest {
        switch ask {
        case .parameters: .parameters
        case .filler: echo(upTo: link.packetLength)
        case .joinedEcho: echo(upTo: link.packetLength + Self.echoRest)
        case .mode: .bootloaderMode
        case .slotSizes: .slotInformation
        case .images: .imageState
        case .eraseSlot: .erase(slot: nil)
        case .eraseStorage: .eraseStorage
        case .mark(let index):
            .setState(
                hash: parts[index].upload.hash,
                confirming: preferences.confirmation == .now && !counts.onlyTested.contains(index))
        // Without a hash, the server confirms the running image 0, which is this one according to the list.
        case .confirm(let index):
            .setState(hash: parts[index].upload.image == 0 ? nil : parts[index].upload.hash, confirming: true)
        case .reset: .reset
        }
    }

    private func echo(upTo length: Int) -> SMPRequest {
        .echo(String(repeating: "0", count: max(length - Self.echoOverhead, 0)))
    }

    /// How long an answer may take, and how often the request is sent if no answer comes. Requests that change
    /// something are sent once; then the list shows the result.
    private func patience(_ ask: Ask) -> (limit: Duration, tries: Int) {
        switch ask {
        case .parameters, .mode: (Self.answerLimit, 2)
        case .joinedEcho, .slotSizes: (Self.answerLimit, 1)
        case .filler: (Self.pause, 1)
        case .reset: (.seconds(5), 1)
        // The server reads the slots, or writes to the flash of the bootloader.
        case .images: (.seconds(10), 3)
        case .mark, .confirm: (.seconds(10), 1)
        case .eraseStorage: (.seconds(20), 1)
        case .eraseSlot: (Self.eraseLimit, 1)
        }
    }

    /// `limit` minus the time of the last wait; not below 0.
    func remaining(of limit: Duration) -> Duration {
        max(limit - (times.map { $0.ended - $0.started } ?? .zero), .zero)
    }

    /// The frame that the notification `piece` completes; nil if none. Counts pieces and invalid frames.
    mutating func frame(completedBy piece: [UInt8]) throws(UpdateFailure) -> SMPFrame? {
        link.pieces += 1
        var frame: SMPFrame?
        do throws(SMPFrameError) {
            if let bytes = try link.reassembly.add(piece) { frame = try SMPFrame(parsing: bytes) }
        } catch { link.strays += 1 }
        guard link.pieces <= Self.maximumPieces, link.strays <= Self.maximumStrays else {
            throw failure(
                .device.unexpectedAnswer, "the beacon keeps sending data that answers no request",
                mayReconnect: true)
        }
        return frame
    }

    mutating func receive(_ piece: [UInt8], answering ask: Ask) throws(UpdateFailure) -> UpdateStep {
        guard var exchange = link.exchange else { return self.ask(ask) }
        exchange.left = remaining(of: exchange.left)
        link.exchange = exchange
        guard let frame = try frame(completedBy: piece) else { return try waitLonger(for: ask) }
        guard exchange.request.isAnswered(by: frame, sequence: exchange.sequence) else {
            link.strays += 1
            return try waitLonger(for: ask)
        }
        (link.pieces, link.strays) = (0, 0)
        guard let error = SMPError(in: frame.content) else { return try take(frame.content, ask) }
        guard error.isBusy, exchange.tries < Self.maximumBusy else {
            return try handleRefusal(error, of: ask)
        }
        return rest(ask)
    }

    private mutating func waitLonger(for ask: Ask) throws(UpdateFailure) -> UpdateStep {
        guard let left = link.exchange?.left, left > .zero else { return try handleTimeout(of: ask) }
        return wait()
    }

    /// Pauses, and then repeats `ask`, or continues the upload if that is nil.
    mutating func rest(_ ask: Ask?) -> UpdateStep {
        state = .resting(ask)
        return UpdateStep(.rest(Self.pause), waitsFor: .flash)
    }

    /// Continues after no answer to `ask` has come in time.
    mutating func handleTimeout(of ask: Ask) throws(UpdateFailure) -> UpdateStep {
        link.reassembly.reset()
        if ask == .parameters || ask == .filler, let step = fill() { return step }
        if let exchange = link.exchange, exchange.tries < patience(ask).tries {
            return self.ask(ask, again: true)
        }
        switch ask {
        case .parameters, .filler: return learn(bufferSize: nil, count: nil)
        case .joinedEcho: return noteJoining(isSupported: false)
        case .mode:
            // Servers answer requests that they do not support, so silence leaves the mode open. An image for the first
            // slot, sent to a bootloader that starts images where they are, could replace a working application.
            guard facts.mode != nil || counts.silentModes > 0 else {
                counts.silentModes += 1
                throw failure(
                    .device.noAnswer, "the beacon does not answer the question for its bootloader's mode",
                    mayReconnect: true)
            }
            return self.ask(.slotSizes)
        case .slotSizes: return self.ask(.images(.deciding))
        case .images:
            throw failure(
                .device.noAnswer, "the beacon does not answer the request for its list of images",
                mayReconnect: true)
        // The slot may be erased all the same: the next upload request shows that.
        case .eraseSlot: return try continueUpload()
        case .eraseStorage: return continueWithoutErasing("did not answer the request to erase its settings")
        case .mark(let index): return self.ask(.images(.marked(index)))
        case .confirm: return self.ask(.images(.confirmed))
        case .reset: return restart()
        }
    }

    private mutating func take(_ content: CBORMap, _ ask: Ask) throws(UpdateFailure) -> UpdateStep {
        switch ask {
        case .parameters:
            return learn(bufferSize: content.integer("buf_size"), count: content.integer("buf_count"))
        case .filler: return self.ask(.parameters)
        case .joinedEcho: return noteJoining(isSupported: content.text("r") != nil)
        case .mode:
            facts.mode = content.integer("mode").flatMap(BootloaderMode.init)
            facts.preventsDowngrades = content.flag("no-downgrade")
            return self.ask(.slotSizes)
        case .slotSizes:
            learnSlots(content)
            return self.ask(.images(.deciding))
        case .images(let purpose):
            guard let slots = SlotState.slots(in: content) else { return try malformed(ask) }
            return try decide(by: slots, for: purpose)
        case .eraseSlot: return try continueUpload()
        case .eraseStorage:
            counts.hasErasedStorage = true
            return try activate()
        case .mark(let index): return try checkMark(index, by: SlotState.slots(in: content))
        case .confirm: return self.ask(.images(.confirmed))
        case .reset: return restart()
        }
    }

    private mutating func malformed(_ ask: Ask) throws(UpdateFailure) -> UpdateStep {
        guard let exchange = link.exchange, exchange.tries < patience(ask).tries else {
            throw failure(
                .device.unexpectedAnswer, "the beacon answers the request for its list of images without one",
                mayReconnect: true)
        }
        return rest(ask)
    }

    private mutating func handleRefusal(_ error: SMPError, of ask: Ask) throws(UpdateFailure) -> UpdateStep {
        switch ask {
        case .parameters: return learn(bufferSize: nil, count: nil)
        case .filler: return self.ask(.parameters)
        // A server without the echo command leaves open whether it joins packets.
        case .joinedEcho: return error.isUnsupported ? self.ask(.mode) : noteJoining(isSupported: false)
        case .mode: return self.ask(.slotSizes)
        case .slotSizes: return self.ask(.images(.deciding))
        case .images:
            guard error.isUnsupported else { throw refusal(of: "the request for its list of images", error) }
            throw failure(.smp.imageManagementMissing, "the beacon has SMP, but no list of images")
        case .eraseSlot(let error): throw uploadFailure(error)
        case .eraseStorage: return continueWithoutErasing("does not erase its settings (\(error.words))")
        case .mark(let index): return try handleMarkRefusal(error, of: index)
        case .confirm(let index): return try handleConfirmRefusal(error, of: index)
        case .reset:
            if stage == .restarting { stage = .marking }
            if reasonForFreeing != nil { effect = stage == .fresh ? nil : .intact }
            (isRestarting, reasonForFreeing) = (false, nil)
            throw refusal(of: "the request to restart", error)
        }
    }
}
