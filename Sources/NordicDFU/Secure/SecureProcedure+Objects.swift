import Digests
import Sessions
import UpdateCore

/// How the init packet and the objects of the image are sent, checked and sent again once it is known where to begin.
extension SecureProcedure {
    var initTransfer: SecureTransfer {
        SecureTransfer(.command, 0..<image.initPacket.count, after: 0, isFirst: false)
    }

    var source: [UInt8] { transfer.object == .command ? image.initPacket : image.bytes }

    /// How far the firmware is; 0 while the init packet is being sent.
    var firmwarePosition: Int { transfer.object == .data ? transfer.range.lowerBound : 0 }

    mutating func setReceipts(then request: SecureRequest) -> UpdateStep {
        afterReceipts = request
        return ask(.setReceipts(UInt16(flow.receiptInterval)))
    }

    func range(at offset: Int) -> Range<Int> {
        offset..<min(offset + objectMaximum, image.bytes.count)
    }

    /// A new object that starts at `offset`.
    func object(at offset: Int) -> SecureTransfer {
        let follows = transfer.object == .data && transfer.range.upperBound == offset
        let base = follows ? transfer.checksum : CRC32.checksum(image.bytes[..<offset])
        return SecureTransfer(.data, range(at: offset), after: base, isFirst: settings.areUnderWay)
    }

    mutating func create(_ next: SecureTransfer) -> UpdateStep {
        transfer = next
        check = .object(mismatches: 0)
        let request = SecureRequest.create(next.object, size: next.size)
        return flow.receiptInterval == receiptsOnDevice ? ask(request) : setReceipts(then: request)
    }

    /// The next packets, or what has to be waited for before they may leave.
    mutating func sendOn() -> UpdateStep {
        if !hasLooked, transfer.mayHaveReceipts(flow) { return lookForReceipts(strays: 0) }
        if transfer.isSent {
            check = .object(mismatches: 0)
            return ask(.checksum)
        }
        switch transfer.next(flow, at: pacing.now) {
        case .awaitReceipt:
            state = .awaitingReceipt(strays: 0)
            return UpdateStep(
                .expect(from: SecureService.controlPoint, within: receiptDeadline), waitsFor: flow.waitsFor)
        case .rest(let moment):
            state = .pausing(until: moment)
            return UpdateStep(.rest(moment - pacing.answered))
        case .send(let count):
            state = .streaming(count: count)
            let range = transfer.position..<transfer.position + count
            return UpdateStep(
                .stream(
                    PacketRun(
                        bytes: source[range], target: SecureService.packet, packetLength: flow.payload,
                        payload: transfer.object == .data
                            ? PayloadSpan(at: range.lowerBound, of: total) : nil)))
        }
    }

    mutating func lookForReceipts(strays: Int) -> UpdateStep {
        state = .lookingForReceipts(strays: strays)
        return UpdateStep(.expect(from: SecureService.controlPoint, within: .zero), waitsFor: flow.waitsFor)
    }

    /// The device said how far it is.
    mutating func compare(_ progress: SecureProgress) throws(UpdateFailure) -> UpdateStep {
        switch check {
        case .base:
            check = .object(mismatches: 0)
            if transfer.agrees(with: progress) { return sendOn() }
            return try startOver(
                because: UpdateFailure(
                    .imageCRCMismatch, during: "resuming",
                    message: "the bootloader kept other firmware \(restarts) times although it was told to "
                        + "start over"))
        case .receipt:
            check = .object(mismatches: 0)
            guard transfer.agrees(with: progress) else {
                return try sendObjectAgain(lostEverything: transfer.lacksEverything(progress))
            }
            transfer.confirm(flow, by: pacing.exchange)
            return sendOn()
        case .object(let mismatches):
            if transfer.agrees(with: progress) {
                transfer.confirm(flow, by: pacing.exchange)
                pacing.noteArrival()
                return executeObject()
            }
            // Once may be an answer that came late or twice.
            guard mismatches > 0 else {
                check = .object(mismatches: 1)
                return ask(.checksum)
            }
            return try sendObjectAgain(lostEverything: transfer.lacksEverything(progress))
        }
    }

    mutating func executeObject() -> UpdateStep {
        guard transfer.object == .data else { return ask(.execute(.command, isLast: false)) }
        let isLast = transfer.range.upperBound == image.bytes.count
        let request = SecureRequest.execute(.data, isLast: isLast)
        guard isLast else { return ask(request) }
        var step =
            flow.restBeforeLastExecute(idle: restOfFlash).map { pause($0, before: request, tries: 1) }
            ?? ask(request)
        step.notices.append(.phase(.activating))
        return step
    }

    /// How long the flash will be at what was sent.
    private var restOfFlash: Duration? {
        pacing.isKnown ? transfer.forecast.map { $0.idle - pacing.now } : nil
    }

    mutating func pause(_ length: Duration, before request: SecureRequest, tries: Int) -> UpdateStep {
        state = .pausingBefore(request, tries: tries)
        return UpdateStep(.rest(length))
    }

    mutating func executed(isLast: Bool) -> UpdateStep {
        let end = transfer.position
        if !isExecutingOnResume { settings = .none }
        isExecutingOnResume = false
        if let length = pacing.flashTime { flow.note(busyFor: length) }
        noteSettings()
        flow.noteClean()
        held.note(executed: end)
        if isLast {
            effect = image.role == .application && unansweredExecutes == 0 ? .new : .unknown
            state = .finished
            return finished(at: end)
        }
        var step = create(object(at: end))
        step.notices.insert(.accepted(upTo: end), at: 0)
        return step
    }

    /// The last Execute was answered; the answer may be that of an earlier one if one is still due.
    private func finished(at end: Int) -> UpdateStep {
        UpdateStep(
            .end(.complete(completion(isConfirmed: unansweredExecutes == 0))), notices: [.accepted(upTo: end)]
        )
    }

    /// The object did not arrive as it was sent: once more, slower. Where it may have been executed all the
    /// same, `mayBeExecuted`, the device has to say first whether it went back to the object's first byte.
    mutating func sendObjectAgain(
        mayBeExecuted: Bool = false, lostEverything: Bool = false
    ) throws(UpdateFailure) -> UpdateStep {
        guard transfer.attempt < Self.maximumObjectRetries else {
            let what = transfer.object == .command ? "the init packet" : "the object at \(firmwarePosition)"
            throw UpdateFailure(
                .imageCRCMismatch, during: "comparing checksums",
                message: "\(what) was sent \(transfer.attempt + 1) times and never arrived intact")
        }
        flow.noteLoss(everything: lostEverything)
        isExecutingOnResume = false
        var again = transfer
        let hasResumedInside = transfer.wentOnInside
        again.attempt += 1
        if hasResumedInside {
            again = transfer.object == .command ? initTransfer : object(at: transfer.range.lowerBound)
            again.attempt = transfer.attempt + 1
        } else {
            again.restart()
        }
        var step = create(again)
        // What the device goes back to is its own last executed object, which may be another one.
        if transfer.object == .data, hasResumedInside || mayBeExecuted { check = .base }
        step.notices.insert(.retry(reason: .imageCRCMismatch, from: firmwarePosition), at: 0)
        return step
    }

    /// The whole image is sent again after the restart that follows.
    mutating func beginAgain(because failure: UpdateFailure) -> UpdateStep {
        hasFailedWhole = true
        flow.noteLoss()
        transfer = initTransfer
        held.refuse()
        state = .idle
        return UpdateStep(
            .end(.restart(Restart(patience: completion(isConfirmed: false).patience, repeating: failure))))
    }

    /// How long a device takes to copy and start its image: 5 s and 0.05 s a kilobyte (nordic-secure.md, Timing), and
    /// as much again for one that is slow.
    func completion(isConfirmed: Bool) -> Completion {
        Completion(
            isConfirmed: isConfirmed, expectedAddresses: applicationAddresses,
            patience: receiver == .bootloader
                ? .milliseconds(10_000 + image.bytes.count / 10)
                : .milliseconds(30_000 + image.bytes.count / 4),
            mayStayInBootloader: image.role.isSystem)
    }
}
