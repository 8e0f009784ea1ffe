import Bytes
package import UpdateModel

/// Nordic Secure DFU of one image, as a state machine without I/O (nordic-secure.md, Conversation).
///
/// Rules (all transitions are in this type):
/// 1. Every link starts with Set PRN and Select; what the device holds decides the next step.
/// 2. A response is matched by its opcode, never by its position: receipts and responses to earlier, repeated
///    requests may come at any time and are skipped.
/// 3. Before a request without a response is repeated, the device is asked what it holds.
/// 4. Bytes count as arrived only when offset and CRC confirm them, and no byte is sent past the end of
///    the object that was created.
package struct SecureProcedure: UpdateProcedure {
    enum State: Equatable, Sendable {
        case idle
        case subscribing
        /// Waiting for the response to a request; `tries` counts the attempts.
        case asking(SecureRequest, tries: Int, strays: Int)
        /// Asking what the device holds, after a request without a response and before its repetition.
        case recoveringAnswer(SecureRequest, tries: Int, strays: Int)
        case streaming(count: Int)
        case awaitingReceipt(strays: Int)
        /// Reading the receipts that have already arrived, without waiting for more.
        case lookingForReceipts(strays: Int)
        /// Pausing until the flash has capacity.
        case pausing(until: Duration)
        case pausingBefore(SecureRequest, tries: Int)
        case finished
    }

    static let maximumObjectRetries = 3
    static let maximumTries = 3
    static let maximumStrays = 64
    /// An object of 4096 bytes has fewer packets of 20 bytes.
    static let maximumShortAnswers = 512
    static let maximumRestarts = 2

    let image: SecureImage
    let beginsAfresh: Bool
    let risks: Set<Risk>
    package let expectedVersion: ExpectedVersion?
    var state = State.idle
    package var receiver = Receiver.bootloader
    var flow: FlowControl
    var link: LinkState
    var update = UpdateState()

    /// The update to `image`. `receiptInterval` is the initial PRN: nil lets the procedure choose, 0 requests no
    /// receipts. `versionText` is the version text that the new application has to report; nil uses the package's number.
    /// `risks` are accepted whatever the running application reports. `beginningAfresh`: what the bootloader holds of an
    /// earlier update is not used.
    package init(
        _ image: SecureImage, receiptInterval: Int? = nil, versionText: String? = nil,
        allowing risks: Set<Risk> = [], beginningAfresh beginsAfresh: Bool = false
    ) {
        (self.image, self.risks, self.beginsAfresh) = (image, risks, beginsAfresh)
        expectedVersion =
            image.role.isSystem
            ? versionText.map { ExpectedVersion(text: $0) }
            : ExpectedVersion(number: image.firmwareVersion, text: versionText)
        flow = FlowControl(receiptInterval: receiptInterval)
        link = LinkState(image)
    }

    /// Counts a notification that is not the awaited response; returns the new number of strays. Some devices send a short
    /// checksum response for each packet; these count only beyond `maximumShortAnswers`.
    mutating func countStray(_ bytes: [UInt8], after strays: Int) -> Int {
        guard SecureAnswer(bytes)?.isShortChecksum == true,
            link.transfer.shortAnswers < Self.maximumShortAnswers
        else { return strays + 1 }
        link.transfer.shortAnswers += 1
        return strays
    }

    /// The timeout of a receipt, which is due in the event after its packet. It is short on lossy links, because the
    /// device can be asked.
    var receiptDeadline: Duration {
        let longest = Duration.seconds(1) + (flow.roundTrip ?? .zero) * 2
        guard flow.hasLost, flow.roundTrip != nil else { return longest }
        return min(longest, flow.receiptDeadline(of: flow.window))
    }

    package var total: Int { image.bytes.count }
    package var targetSignature: TargetSignature { TargetSignature(SecureService.controlPoint) }
    /// The bootloader's address minus one, or the same address (nordic-secure.md, Layout).
    package var applicationAddresses: Set<ExpectedAddress> { [.sameAddress, .previousAddress] }
    /// True, because some bootloaders keep at least whole objects when a link is lost.
    package var resumes: Bool { true }
    /// The advice that depends on how the image was sent; refusals have their own.
    package func remedy(for failure: UpdateFailure) -> Advice? {
        guard failure.code == .device.imageHashMismatch, flow.requested != 1 else { return nil }
        return
            "flash again, one packet at a time (\(.receiptInterval, "1")); if that fails too, the flash is worn"
    }

    package mutating func begin(on facts: LinkFacts) throws(UpdateFailure) -> UpdateStep {
        guard !image.bytes.isEmpty, !image.initPacket.isEmpty else { throw UpdateFailure.nothingToSend }
        flow.begin(maximumWriteLength: facts.maximumWriteLength)
        if case .asking(.flashBarrier, _, _) = state { update.hasBarrierFailed = true }
        if case .asking(.protocolVersion, _, _) = state { flow.answersAsOld = true }
        let sending = if case .streaming(let count) = state { count } else { 0 }
        update.held.noteEnd(of: link.transfer, sending: sending)
        link = LinkState(image)
        state = .subscribing
        return UpdateStep(.subscribe(SecureService.controlPoint), notices: [.phase(.preparing)])
    }

    package mutating func note(_ times: CommandTimes) {
        guard let trip = link.pacing.note(times), case .asking(let request, 1, 0) = state else { return }
        if !request.isExecute { flow.note(roundTrip: trip) }
    }

    package mutating func advance(after outcome: DialogueOutcome) throws(UpdateFailure) -> UpdateStep {
        if case .value(let bytes) = outcome { link.noteAnswer(bytes) }
        switch (state, outcome) {
        case (.subscribing, .done): return setReceipts()
        case (.asking(let request, let tries, let strays), .value(let bytes)):
            guard let answer = SecureAnswer(bytes), answer.answers(request) else {
                state = .asking(request, tries: tries, strays: countStray(bytes, after: strays))
                return try expectAgain(request, strays)
            }
            return try handle(answer, to: request, tries)
        case (.asking(let request, let tries, _), .timedOut): return try recoverLostAnswer(to: request, tries)
        case (.recoveringAnswer(let request, let tries, let strays), .value(let bytes)):
            guard let answer = SecureAnswer(bytes), answer.answers(.checksum) else {
                state = .recoveringAnswer(request, tries: tries, strays: countStray(bytes, after: strays))
                return try expectAgain(.checksum, strays)
            }
            return try continueAfterRecovery(by: answer, of: request, tries)
        case (.recoveringAnswer(let request, let tries, _), .timedOut): return try askAgain(request, tries)
        case (.streaming(let count), .done):
            if link.transfer.object == .data { flow.note(sent: count) }
            link.transfer.advance(by: count, of: source, flow, from: link.pacing.began, to: link.pacing.now)
            return continueSending()
        case (.pausing(let moment), .done):
            link.pacing.noteRest(until: moment)
            link.transfer.hasReadReceipts = false
            return continueSending()
        case (.pausingBefore(let request, let tries), .done): return ask(request, tries: tries)
        case (.awaitingReceipt(let strays), .value(let bytes)): return try handle(receipt: bytes, strays)
        case (.lookingForReceipts(let strays), .value(let bytes)):
            guard SecureAnswer(bytes)?.answers(.checksum) == true || strays >= Self.maximumStrays
            else { return lookForReceipts(strays: countStray(bytes, after: strays)) }
            return try handle(receipt: bytes, strays)
        case (.lookingForReceipts, .timedOut):
            link.transfer.hasReadReceipts = true
            return continueSending()
        case (.awaitingReceipt, .timedOut):
            flow.missedReceipts += 1
            link.transfer.check = .receipt(mismatches: 0)
            return ask(.checksum)
        default: throw UpdateFailure.misplaced(outcome, in: state, during: "updating")
        }
    }

    /// A link that ends during the last Execute means that the device has probably finished.
    package var disconnectMeaning: DisconnectMeaning {
        switch state {
        case .asking(.execute(.data, isLast: true), _, _),
            .recoveringAnswer(.execute(.data, isLast: true), _, _):
            .perhapsDone(completion(isConfirmed: false))
        case .pausingBefore(.execute(.data, isLast: true), _):
            link.imageRefusal.map(DisconnectMeaning.refused) ?? .mustContinue
        case .finished: .perhapsDone(completion(isConfirmed: link.unansweredExecutes == 0))
        default: .mustContinue
        }
    }

    /// Whether the refusal may mean that the part is installed already: a bootloader accepts only a higher version of
    /// itself, and a SoftDevice's package need not list the SoftDevice that it installs (docs/formats/init-packet.md).
    package func meansInstalled(_ failure: UpdateFailure) -> Bool {
        image.role.isSystem && failure.during == SecureRequest.execute(.command, isLast: false).step
            && SecureRefusal.perhapsInstalled.contains(failure.code)
    }

    /// Nothing changes until an init packet is executed. From then on the old application stays only if the new image fits
    /// beside it, and no request reveals the free space (nordic-secure.md, Personalities).
    package var effectOnApplication: DeviceState.Application? {
        update.isInitInDoubt ? .unknown : update.effect
    }

    /// The limit of stock bootloaders (nordic-secure.md, Timing).
    package var inactivityLimit: Duration? { .seconds(120) }
    package var mayMove: Bool { false }
    package var part: UpdatePart? { nil }
}

/// Sending, checking and repeating the init packet and the objects of the image, once the start offset is known.
extension SecureProcedure {
    var source: [UInt8] { link.transfer.object == .command ? image.initPacket : image.bytes }

    /// Offset of the current object in the image; 0 while the init packet is being sent.
    var firmwarePosition: Int { link.transfer.object == .data ? link.transfer.range.lowerBound : 0 }

    mutating func setReceipts() -> UpdateStep { ask(.setReceipts(UInt16(flow.receiptInterval))) }

    func range(at offset: Int) -> Range<Int> { offset..<min(offset + link.objectMaximum, image.bytes.count) }

    func object(at offset: Int) -> SecureTransfer {
        let follows = link.transfer.object == .data && link.transfer.range.upperBound == offset
        let base = follows ? link.transfer.checksum : CRC32.checksum(image.bytes[..<offset])
        return SecureTransfer(.data, range(at: offset), after: base, isFirst: link.settings.areUnderWay)
    }

    mutating func create(_ next: SecureTransfer) -> UpdateStep {
        link.transfer = next
        return flow.receiptInterval == link.receiptInterval ? ask(next.create) : setReceipts()
    }

    mutating func continueSending() -> UpdateStep {
        if link.transfer.mayHaveReceipts(flow) { return lookForReceipts(strays: 0) }
        if link.transfer.isSent {
            link.transfer.check = .object(mismatches: 0)
            return ask(.checksum)
        }
        switch link.transfer.next(flow, at: link.pacing.now) {
        case .awaitReceipt: return awaitReceipt(strays: 0)
        case .rest(let moment):
            flow.hasHeldBack = true
            state = .pausing(until: moment)
            return UpdateStep(.rest(moment - link.pacing.answered))
        case .send(let count):
            state = .streaming(count: count)
            let range = link.transfer.position..<link.transfer.position + count
            let isPayload = link.transfer.object == .data
            return .streaming(
                source[range], to: SecureService.packet, inPacketsOf: flow.payload,
                payload: isPayload ? PayloadSpan(at: range.lowerBound, of: total) : nil)
        }
    }

    mutating func awaitReceipt(strays: Int) -> UpdateStep {
        state = .awaitingReceipt(strays: strays)
        return UpdateStep(
            .expect(from: SecureService.controlPoint, within: receiptDeadline), waitsFor: flow.waitsFor)
    }

    mutating func lookForReceipts(strays: Int) -> UpdateStep {
        state = .lookingForReceipts(strays: strays)
        return UpdateStep(.expect(from: SecureService.controlPoint, within: .zero), waitsFor: flow.waitsFor)
    }

    mutating func compare(_ progress: SecureProgress) throws(UpdateFailure) -> UpdateStep {
        let agrees = link.transfer.agrees(with: progress)
        switch link.transfer.check {
        // A single mismatch may be a late or repeated response.
        case .object(mismatches: 0) where !agrees:
            link.transfer.check = .object(mismatches: 1)
            return ask(.checksum)
        case .receipt(mismatches: 0) where !agrees:
            link.transfer.check = .receipt(mismatches: 1)
            return ask(.checksum)
        case .object where agrees:
            link.transfer.confirm(flow, by: link.pacing.exchange)
            link.pacing.noteArrival()
            return executeObject()
        case .receipt where agrees, .part where agrees:
            link.transfer.check = .object(mismatches: 0)
            link.transfer.confirm(flow, by: link.pacing.exchange)
            return continueSending()
        case .object, .receipt, .part:
            guard link.transfer.holdsPart(progress, of: source) else {
                return try sendObjectAgain(lostEverything: link.transfer.lacksEverything(progress, flow))
            }
            return link.transfer.check == .part ? sendAgain(after: progress) : setReceiptsAfterLoss()
        case .base:
            link.transfer.check = .object(mismatches: 0)
            if agrees { return continueSending() }
            return try startOver(
                because: UpdateFailure(
                    .device.imageCRCMismatch, during: "resuming",
                    message: "the bootloader kept other firmware \(update.restarts) times despite requests "
                        + "to start over"))
        }
    }

    /// Sets the receipt interval again after a loss. The next request asks which part the device has; the rest is sent
    /// again.
    private mutating func setReceiptsAfterLoss() -> UpdateStep {
        let wasTrial = flow.isTrial
        if flow.window == 1 { flow.noteGap() } else { flow.noteLoss() }
        // The device counts packets from here on. Its response also means that no earlier checksum response is still to
        // come: one taken for the next would make us send packets twice, and past the end of the object.
        link.transfer.check = .part
        return rest(afterTrial: wasTrial, before: setReceipts())
    }

    /// Pauses before `step` after a loss in a trial, because the flash queue is then full.
    private mutating func rest(afterTrial wasTrial: Bool, before step: UpdateStep) -> UpdateStep {
        guard wasTrial, case .asking(let request, let tries, _) = state else { return step }
        return pause(Self.trialRest, before: request, tries: tries)
    }

    private mutating func sendAgain(after progress: SecureProgress) -> UpdateStep {
        link.transfer.rewind(to: progress, flow)
        let resumed = link.transfer.object == .data ? progress.offset : 0
        return continueSending().after([.retry(reason: .device.imageCRCMismatch, from: resumed)])
    }

    mutating func executeObject() -> UpdateStep {
        guard link.transfer.object == .data else { return ask(.execute(.command, isLast: false)) }
        let isLast = link.transfer.range.upperBound == image.bytes.count
        let request = SecureRequest.execute(.data, isLast: isLast)
        guard isLast else { return ask(request) }
        var step =
            flow.restBeforeLastExecute(idle: remainingFlashTime).map { pause($0, before: request, tries: 1) }
            ?? ask(request)
        step.notices.append(.phase(.activating))
        return step
    }

    private var remainingFlashTime: Duration? {
        link.pacing.isKnown ? link.transfer.forecast.map { $0.idle - link.pacing.now } : nil
    }

    mutating func pause(_ length: Duration, before request: SecureRequest, tries: Int) -> UpdateStep {
        state = .pausingBefore(request, tries: tries)
        return UpdateStep(.rest(length))
    }

    mutating func continueAfterExecute(isLast: Bool) -> UpdateStep {
        let end = link.transfer.position
        // An Execute with perhaps nothing to execute has not waited for the flash.
        if !link.transfer.wasComplete { link.settings = .none }
        if let length = link.pacing.flashTime { flow.note(busyFor: length) }
        flow.note(objectOf: link.transfer.range.count, within: link.pacing.objectTime)
        flow.noteExecuted(atOnce: link.pacing.wait.map(flow.isAtOnce) ?? false)
        noteSettings()
        flow.noteObjectWithoutLoss()
        update.held.note(executed: end)
        if isLast {
            update.effect = image.role == .application && link.unansweredExecutes == 0 ? .new : .unknown
            state = .finished
            return finished(at: end)
        }
        return create(object(at: end)).after([.accepted(upTo: end)])
    }

    /// The end after the response to the last Execute. It may be a late response to an earlier one, and is then unconfirmed.
    private func finished(at end: Int) -> UpdateStep {
        UpdateStep(
            .end(.complete(completion(isConfirmed: link.unansweredExecutes == 0))),
            notices: [.accepted(upTo: end)])
    }

    /// The time that a stock flash needs for a full queue.
    private static let trialRest = Duration.milliseconds(250)

    /// Sends an object that did not arrive intact again, slower. `mayBeExecuted`: it may have been executed nevertheless,
    /// so the device first has to report whether it went back to the object's first byte.
    mutating func sendObjectAgain(
        mayBeExecuted: Bool = false, lostEverything: Bool = false
    ) throws(UpdateFailure) -> UpdateStep {
        guard link.transfer.attempt < Self.maximumObjectRetries else {
            let what =
                link.transfer.object == .command ? "the init packet" : "the object at \(firmwarePosition)"
            throw UpdateFailure(
                .device.imageCRCMismatch, during: "comparing checksums",
                message: "\(what) was sent \(link.transfer.attempt + 1) times, but never arrived intact")
        }
        let wasTrial = flow.isTrial
        flow.noteLoss(everything: lostEverything, again: link.transfer.attempt > 0)
        let hasResumedInside = link.transfer.hasResumedInside
        var again =
            link.transfer.object == .command ? image.initTransfer : object(at: link.transfer.range.lowerBound)
        again.attempt = link.transfer.attempt + 1
        let step = rest(afterTrial: wasTrial, before: create(again))
        // The device goes back to its own last executed object, which may be another one.
        if link.transfer.object == .data, hasResumedInside || mayBeExecuted { link.transfer.check = .base }
        return step.after([.retry(reason: .device.imageCRCMismatch, from: firmwarePosition)])
    }

    /// Ends the link so that the whole image is sent again, slower, after the device's restart.
    mutating func restartSlower(because failure: UpdateFailure) -> UpdateStep {
        update.hasRefusedImage = true
        flow.noteFlashFailure()
        link = LinkState(image)
        update.held.refuse()
        state = .idle
        return UpdateStep(
            .end(.restart(Restart(timeout: completion(isConfirmed: false).timeout, repeating: failure))))
    }

    /// Allows 10 s and 0.1 ms per byte for the copy and the start of the image; if an application received it, 30 s and
    /// 0.25 ms per byte.
    func completion(isConfirmed: Bool) -> Completion {
        Completion(
            isConfirmed: isConfirmed, expectedAddresses: applicationAddresses,
            timeout: receiver == .bootloader
                ? .milliseconds(10_000 + image.bytes.count / 10)
                : .milliseconds(30_000 + image.bytes.count / 4), mayStayInBootloader: image.role.isSystem)
    }
}
