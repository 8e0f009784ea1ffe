package import Bluetooth
import Bytes
import UpdateModel

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

    mutating func sendOn() -> UpdateStep {
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
            return UpdateStep(
                .stream(
                    PacketRun(
                        bytes: source[range], target: SecureService.packet, packetLength: flow.payload,
                        payload: link.transfer.object == .data
                            ? PayloadSpan(at: range.lowerBound, of: total) : nil)))
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
            return sendOn()
        case .object, .receipt, .part:
            guard link.transfer.holdsPart(progress, of: source) else {
                return try sendObjectAgain(lostEverything: link.transfer.lacksEverything(progress, flow))
            }
            return link.transfer.check == .part ? goOn(at: progress) : recover()
        case .base:
            link.transfer.check = .object(mismatches: 0)
            if agrees { return sendOn() }
            return try startOver(
                because: UpdateFailure(
                    .device.imageCRCMismatch, during: "resuming",
                    message: "the bootloader kept other firmware \(update.restarts) times despite requests "
                        + "to start over"))
        }
    }

    /// After a loss, prepares to send again what follows the part that the device has.
    private mutating func recover() -> UpdateStep {
        let wasTrial = flow.isTrial
        if flow.window == 1 { flow.noteGap() } else { flow.noteLoss() }
        // The device counts packets from here on. Its response also means that no earlier offset and CRC is still on
        // its way, which would cause packets to be sent twice, and past the end of the object.
        link.transfer.check = .part
        return rest(afterTrial: wasTrial, before: setReceipts())
    }

    /// Pauses before `step` after a loss in a trial: the flash queue is full then, with no capacity for more packets.
    private mutating func rest(afterTrial wasTrial: Bool, before step: UpdateStep) -> UpdateStep {
        guard wasTrial, case .asking(let request, let tries, _) = state else { return step }
        return pause(Self.trialRest, before: request, tries: tries)
    }

    private mutating func goOn(at progress: SecureProgress) -> UpdateStep {
        link.transfer.goOn(at: progress, flow)
        let resumed = link.transfer.object == .data ? progress.offset : 0
        return sendOn().after([.retry(reason: .device.imageCRCMismatch, from: resumed)])
    }

    mutating func executeObject() -> UpdateStep {
        guard link.transfer.object == .data else { return ask(.execute(.command, isLast: false)) }
        let isLast = link.transfer.range.upperBound == image.bytes.count
        let request = SecureRequest.execute(.data, isLast: isLast)
        guard isLast else { return ask(request) }
        var step =
            flow.restBeforeLastExecute(idle: restOfFlash).map { pause($0, before: request, tries: 1) }
            ?? ask(request)
        step.notices.append(.phase(.activating))
        return step
    }

    private var restOfFlash: Duration? {
        link.pacing.isKnown ? link.transfer.forecast.map { $0.idle - link.pacing.now } : nil
    }

    mutating func pause(_ length: Duration, before request: SecureRequest, tries: Int) -> UpdateStep {
        state = .pausingBefore(request, tries: tries)
        return UpdateStep(.rest(length))
    }

    mutating func executed(isLast: Bool) -> UpdateStep {
        let end = link.transfer.position
        // If there was perhaps nothing to execute, Execute has not waited for the flash.
        if !link.transfer.wasWhole { link.settings = .none }
        if let length = link.pacing.flashTime { flow.note(busyFor: length) }
        flow.noteExecuted(atOnce: link.pacing.wait.map(flow.isAtOnce) ?? false)
        noteSettings()
        flow.noteClean()
        update.held.note(executed: end)
        if isLast {
            update.effect = image.role == .application && link.unansweredExecutes == 0 ? .new : .unknown
            state = .finished
            return finished(at: end)
        }
        return create(object(at: end)).after([.accepted(upTo: end)])
    }

    /// The end after the response to the last Execute, which may be a late response to an earlier one.
    private func finished(at end: Int) -> UpdateStep {
        UpdateStep(
            .end(.complete(completion(isConfirmed: link.unansweredExecutes == 0))),
            notices: [.accepted(upTo: end)])
    }

    /// The time that a stock flash needs for a full queue.
    private static let trialRest = Duration.milliseconds(250)

    /// Sends an object that did not arrive as sent again, slower. `mayBeExecuted`: it may have been executed all the
    /// same, so the device first has to report whether it went back to the object's first byte.
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
        let hasResumedInside = link.transfer.wentOnInside
        var again =
            link.transfer.object == .command ? image.initTransfer : object(at: link.transfer.range.lowerBound)
        again.attempt = link.transfer.attempt + 1
        let step = rest(afterTrial: wasTrial, before: create(again))
        // The device goes back to its own last executed object, which may be another one.
        if link.transfer.object == .data, hasResumedInside || mayBeExecuted { link.transfer.check = .base }
        return step.after([.retry(reason: .device.imageCRCMismatch, from: firmwarePosition)])
    }

    /// Sends the whole image again after the restart that follows.
    mutating func beginAgain(because failure: UpdateFailure) -> UpdateStep {
        update.hasFailedWhole = true
        flow.noteFlashFailure()
        link = LinkState(image)
        update.held.refuse()
        state = .idle
        return UpdateStep(
            .end(.restart(Restart(timeout: completion(isConfirmed: false).timeout, repeating: failure))))
    }

    /// Allows 10 s + 0.1 ms per byte to copy and start the image; 30 s + 0.25 ms if an application received it.
    func completion(isConfirmed: Bool) -> Completion {
        Completion(
            isConfirmed: isConfirmed, expectedAddresses: applicationAddresses,
            timeout: receiver == .bootloader
                ? .milliseconds(10_000 + image.bytes.count / 10)
                : .milliseconds(30_000 + image.bytes.count / 4), mayStayInBootloader: image.role.isSystem)
    }
}

package enum SecureService {
    /// The service of the bootloader, and of applications with a buttonless characteristic.
    package static let uuid = BluetoothUUID(0xFE59)
    /// Requests by write, responses by notification. Only programs that take updates have it.
    package static let controlPoint = Characteristic(uuid, vendor(0x0001))
    /// Init packet and image, by write without response.
    package static let packet = Characteristic(uuid, vendor(0x0002))

    static func vendor(_ number: UInt64) -> BluetoothUUID {
        BluetoothUUID(high: 0x8EC9_0000_F315_4F60 | number << 32, low: 0x9FB8_8388_30DA_EA50)
    }
}
