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
    static let busyPause = Duration.seconds(1)
    static let maximumBusy = 5

    mutating func ask(_ request: Request, again isAgain: Bool = false) -> UpdateStep {
        let encoded = encoded(request)
        let tries = isAgain ? (link.exchange?.tries ?? 0) + 1 : 1
        let frame = encoded.frame(sequence: nextSequence()).bytes
        link.exchange = Exchange(
            request: encoded, sequence: link.sequence, tries: tries,
            left: limits(of: request).timeout + Self.packetAllowance * (frame.count / link.packetLength))
        link.strays = 0
        state = .writing(request)
        return stream(frame, payload: nil)
    }

    mutating func nextSequence() -> UInt8 {
        link.sequence &+= 1
        return link.sequence
    }

    func stream(_ frame: [UInt8], payload: PayloadSpan?) -> UpdateStep {
        .streaming(
            frame[...], to: SMPService.characteristic, inPacketsOf: link.packetLength, payload: payload)
    }

    func wait() -> UpdateStep {
        UpdateStep(
            .expect(from: SMPService.characteristic, within: link.exchange?.left ?? Self.answerLimit),
            waitsFor: .flash)
    }

    private func encoded(_ request: Request) -> SMPRequest {
        switch request {
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
    private func limits(of request: Request) -> (timeout: Duration, tries: Int) {
        switch request {
        case .parameters, .mode: (Self.answerLimit, 2)
        case .joinedEcho, .slotSizes: (Self.answerLimit, 1)
        case .filler: (Self.busyPause, 1)
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

    mutating func receive(_ piece: [UInt8], answering request: Request) throws(UpdateFailure) -> UpdateStep {
        guard var exchange = link.exchange else { return ask(request) }
        exchange.left = remaining(of: exchange.left)
        link.exchange = exchange
        guard let frame = try frame(completedBy: piece) else { return try waitLonger(for: request) }
        guard exchange.request.isAnswered(by: frame, sequence: exchange.sequence) else {
            link.strays += 1
            return try waitLonger(for: request)
        }
        (link.pieces, link.strays) = (0, 0)
        guard let error = SMPError(in: frame.content) else {
            return try handleAnswer(frame.content, to: request)
        }
        guard error.isBusy, exchange.tries < Self.maximumBusy else {
            return try handleRefusal(error, of: request)
        }
        return pause(before: request)
    }

    private mutating func waitLonger(for request: Request) throws(UpdateFailure) -> UpdateStep {
        guard let left = link.exchange?.left, left > .zero else { return try handleTimeout(of: request) }
        return wait()
    }

    /// Pauses, and then repeats `request`, or continues the upload if that is nil.
    mutating func pause(before request: Request?) -> UpdateStep {
        state = .pausing(request)
        return UpdateStep(.rest(Self.busyPause), waitsFor: .flash)
    }

    /// Continues after no answer to `request` has come in time.
    mutating func handleTimeout(of request: Request) throws(UpdateFailure) -> UpdateStep {
        link.reassembly.reset()
        if request == .parameters || request == .filler, let step = sendFiller() { return step }
        if let exchange = link.exchange, exchange.tries < limits(of: request).tries {
            return ask(request, again: true)
        }
        switch request {
        case .parameters, .filler: return noteBuffers(size: nil, count: nil)
        case .joinedEcho: return noteJoining(isSupported: false)
        case .mode:
            // Servers answer requests that they do not support, so silence leaves the mode open. An image for the first
            // slot, sent to a bootloader that starts images where they are, could replace a working application.
            guard facts.mode != nil || counts.modeTimeouts > 0 else {
                counts.modeTimeouts += 1
                throw failure(
                    .device.noAnswer, "the beacon does not answer the query for its bootloader's mode",
                    mayReconnect: true)
            }
            return ask(.slotSizes)
        case .slotSizes: return ask(.images(.deciding))
        case .images:
            throw failure(
                .device.noAnswer, "the beacon does not answer the request for its list of images",
                mayReconnect: true)
        // The slot may be erased all the same: the next upload request shows that.
        case .eraseSlot: return try continueUpload()
        case .eraseStorage: return continueWithoutErasing("did not answer the request to erase its settings")
        case .mark(let index): return ask(.images(.marked(index)))
        case .confirm: return ask(.images(.confirmed))
        case .reset: return restart()
        }
    }

    private mutating func handleAnswer(_ content: CBORMap, to request: Request) throws(UpdateFailure)
        -> UpdateStep
    {
        switch request {
        case .parameters:
            return noteBuffers(size: content.integer("buf_size"), count: content.integer("buf_count"))
        case .filler: return ask(.parameters)
        case .joinedEcho: return noteJoining(isSupported: content.text("r") != nil)
        case .mode:
            facts.mode = content.integer("mode").flatMap(BootloaderMode.init)
            facts.preventsDowngrades = content.flag("no-downgrade")
            return ask(.slotSizes)
        case .slotSizes:
            noteSlots(in: content)
            return ask(.images(.deciding))
        case .images(let purpose):
            guard let slots = SlotState.slots(in: content) else { return try repeatMalformedList(request) }
            return try decide(by: slots, for: purpose)
        case .eraseSlot: return try continueUpload()
        case .eraseStorage:
            counts.hasErasedStorage = true
            return try activate()
        case .mark(let index): return try checkMark(index, by: SlotState.slots(in: content))
        case .confirm: return ask(.images(.confirmed))
        case .reset: return restart()
        }
    }

    private mutating func repeatMalformedList(_ request: Request) throws(UpdateFailure) -> UpdateStep {
        guard let exchange = link.exchange, exchange.tries < limits(of: request).tries else {
            throw failure(
                .device.unexpectedAnswer, "the beacon answers the request for its list of images without one",
                mayReconnect: true)
        }
        return pause(before: request)
    }

    private mutating func handleRefusal(_ error: SMPError, of request: Request) throws(UpdateFailure)
        -> UpdateStep
    {
        switch request {
        case .parameters: return noteBuffers(size: nil, count: nil)
        case .filler: return ask(.parameters)
        // A server without the echo command leaves open whether it joins packets.
        case .joinedEcho: return error.isUnsupported ? ask(.mode) : noteJoining(isSupported: false)
        case .mode: return ask(.slotSizes)
        case .slotSizes: return ask(.images(.deciding))
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
