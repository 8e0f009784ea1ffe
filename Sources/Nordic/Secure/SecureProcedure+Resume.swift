import Bytes
import UpdateModel

/// Where to start, by what the bootloader holds of init packet and image (nordic-secure.md, Resume).
extension SecureProcedure {
    /// Continues after Select of the init packet; first asks for the bootloader's generation if that is unknown.
    mutating func begin(with selection: SecureSelection) throws(UpdateFailure) -> UpdateStep {
        flow.commandMaximum = selection.maximumSize
        guard flow.isGenerationInDoubt else { return try resumeInit(from: selection) }
        link.initSelection = selection
        return ask(.protocolVersion)
    }

    mutating func continueWithGeneration(isOld: Bool) throws(UpdateFailure) -> UpdateStep {
        flow.answersAsOld = isOld
        guard let held = link.initSelection else { return ask(.select(.command)) }
        return try resumeInit(from: held)
    }

    private mutating func resumeInit(from selection: SecureSelection) throws(UpdateFailure) -> UpdateStep {
        guard image.initPacket.count <= selection.maximumSize else {
            throw UpdateFailure(
                .nordicRefusal.initPacketTooLong, during: "announcing the init packet",
                message: "the init packet has \(image.initPacket.count) bytes, the bootloader accepts "
                    + "\(selection.maximumSize)")
        }
        // A new init packet clears what is held of the image (nordic-secure.md, Resume).
        if beginsAfresh, !update.hasExecutedInit { return create(image.initTransfer) }
        switch ResumePoint(command: image.initPacket, held: selection.progress) {
        case .sendRest:
            prepareTransfer(of: .command, in: 0..<image.initPacket.count, after: selection.progress)
            return continueSending()
        case .execute:
            link.hadInitPacket = true
            update.effect = .unknown
            prepareTransfer(of: .command, in: 0..<image.initPacket.count, after: selection.progress)
            return ask(.execute(.command, isLast: false))
        case .fresh, .recreate, .executeAndSendRest:
            if selection.progress.offset == 0, update.restarts == 0 { link.settings = .expected }
            return create(image.initTransfer)
        }
    }

    mutating func resumeImage(from selection: SecureSelection) throws(UpdateFailure) -> UpdateStep {
        guard selection.maximumSize > 0 else {
            throw UpdateFailure(
                .device.unexpectedAnswer, during: SecureRequest.select(.data).step,
                message: "the bootloader reports an object size of 0 bytes")
        }
        link.objectMaximum = selection.maximumSize
        let end = selection.progress.offset
        guard update.held.note(end) || update.restarts >= Self.maximumRestarts else {
            // The pages after the bytes sent were erased, so the device reports outdated settings.
            return try startOver(
                because: UpdateFailure(
                    .device.imageCRCMismatch, during: "resuming",
                    message: "the bootloader holds \(end) bytes, more than were sent"))
        }
        switch ResumePoint(image: image.bytes, held: selection.progress, maximum: link.objectMaximum) {
        case .fresh:
            let step = mayUseFlashBarrier ? ask(.flashBarrier) : create(object(at: 0))
            return transferring(step, resumedAt: link.hadInitPacket ? 0 : nil)
        case .recreate(let offset):
            let step = create(object(at: offset))
            link.transfer.check = .base
            return transferring(step, resumedAt: offset)
        case .sendRest:
            prepareTransfer(ofImageAfter: selection.progress)
            link.transfer.begin(flow, after: link.pacing.exchange)
            return transferring(continueSending(), resumedAt: end)
        case .executeAndSendRest:
            prepareTransfer(ofImageAfter: selection.progress)
            return transferring(ask(.execute(.data, isLast: false)), resumedAt: end)
        case .execute:
            prepareTransfer(ofImageAfter: selection.progress)
            return transferring(executeObject(), resumedAt: end)
        }
    }

    /// Prepares to send what follows `held` in the image.
    private mutating func prepareTransfer(ofImageAfter held: SecureProgress) {
        // The object with the last byte that the device holds.
        let start = (held.offset - 1) / link.objectMaximum * link.objectMaximum
        prepareTransfer(of: .data, in: range(at: start), after: held)
    }

    private mutating func prepareTransfer(
        of object: SecureObject, in range: Range<Int>, after held: SecureProgress
    ) {
        link.transfer = SecureTransfer(
            object, range, after: held.crc, isFirst: object == .data, resumingAt: held.offset)
    }

    private func transferring(_ step: UpdateStep, resumedAt offset: Int?) -> UpdateStep {
        step.after([.phase(.transferring)] + (offset.map { [.resumed(at: $0)] } ?? []))
    }

    /// Sends a new init packet, which clears what the device holds and cannot be resumed (nordic-secure.md, Resume). After
    /// the last attempt the update fails with `failure`.
    mutating func startOver(because failure: UpdateFailure) throws(UpdateFailure) -> UpdateStep {
        guard update.restarts < Self.maximumRestarts else { throw failure }
        update.restarts += 1
        link.hadInitPacket = false
        update.held.clear()
        return create(image.initTransfer).after([.retry(reason: failure.code, from: 0)])
    }
}

/// How to continue with what the device already holds: the tables of nordic-secure.md, Resume.
enum ResumePoint: Equatable, Sendable {
    /// The device holds nothing usable: create the first object.
    case fresh
    /// It holds other data, or too much: create the object from this offset, and check that the device returns to it.
    case recreate(at: Int)
    /// It holds a part of an object: send the rest, then execute it.
    case sendRest
    /// It holds whole objects: execute the last one, then send the rest. If it was executed already, the response is 08.
    case executeAndSendRest
    /// It holds everything: execute the init packet, or the last object.
    case execute

    /// For an init packet, of which the device holds `progress`. If that differs, the whole packet is sent again.
    init(command source: [UInt8], held progress: SecureProgress) {
        let offset = progress.offset
        guard offset > 0, offset <= source.count, CRC32.checksum(source[..<offset]) == progress.crc else {
            self = .fresh
            return
        }
        self = offset == source.count ? .execute : .sendRest
    }

    /// For an image in objects of at most `maximum` bytes. At offset 0 the CRC has no meaning. An offset inside a word
    /// shows that the packets had a length that flash cannot write; the CRC does not show it.
    init(image: [UInt8], held progress: SecureProgress, maximum: Int) {
        let offset = progress.offset
        guard offset > 0 else {
            self = .fresh
            return
        }
        guard offset <= image.count, CRC32.checksum(image[..<offset]) == progress.crc,
            offset == image.count || (offset % maximum).isMultiple(of: 4)
        else {
            let excess = offset % maximum == 0 ? maximum : offset % maximum
            self = .recreate(at: min(max(0, offset - excess), (image.count - 1) / maximum * maximum))
            return
        }
        self =
            offset == image.count
            ? .execute : offset.isMultiple(of: maximum) ? .executeAndSendRest : .sendRest
    }
}

/// The number of bytes of the image that the device can have, by its responses and by what was sent over all links.
struct HeldFirmware: Equatable, Sendable {
    /// The most bytes that the device can have from earlier links; nil on the first link.
    private var most: Int?
    /// The end of the last object whose Execute was acknowledged, or the number that the device has reported since.
    private var executed = 0
    /// Whether the device once reported less than it had executed, or more than it can have. It then writes its progress
    /// to flash late, so its reports may be outdated.
    private var writesLate = false

    /// Records the number of bytes that the device reports; returns whether it can have so many.
    mutating func note(_ held: Int) -> Bool {
        let isPossible = held <= most ?? .max
        writesLate = writesLate || held < executed || !isPossible
        executed = held
        return isPossible
    }

    mutating func note(executed end: Int) { executed = end }

    /// Records the end of a link during `transfer`, with `count` more bytes that may have arrived. A device that writes
    /// late may report the previous object instead of the one created since.
    mutating func noteEnd(of transfer: SecureTransfer, sending count: Int) {
        guard transfer.object == .data else { return }
        most =
            writesLate && !transfer.hasResumedInside ? transfer.range.lowerBound : transfer.position + count
    }

    mutating func clear() { executed = 0 }

    /// Records that the device has refused the whole image, so that it holds nothing.
    mutating func refuse() { self = HeldFirmware(most: 0, writesLate: writesLate) }
}
