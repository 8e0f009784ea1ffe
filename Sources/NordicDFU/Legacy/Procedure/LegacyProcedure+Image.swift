import Sessions
import UpdateCore

/// How the image is sent, and how it is known to have arrived.
extension LegacyProcedure {
    var isAllSent: Bool { link.attempt.position == total }

    mutating func sendOn() -> UpdateStep {
        let packets = pacing.receiptInterval
        let position = link.attempt.position
        let left = total - position
        let count = packets == 0 ? left : min(left, packets * link.quirks.packetLength)
        var notices: [UpdateNotice] = []
        if position == 0 {
            notices = [.phase(.transferring)]
        } else if position - link.attempt.told >= Self.block {
            link.attempt.told = position
            notices = [.accepted(upTo: position)]
        }
        state = .sending(.image(count))
        return UpdateStep(
            .stream(
                PacketRun(
                    bytes: image.bytes[position..<position + count], target: LegacyService.packet,
                    packetLength: link.quirks.packetLength, payload: PayloadSpan(at: position, of: total))),
            notices: notices)
    }

    mutating func awaitReceipt() -> UpdateStep {
        state = .awaitingReceipt(strays: 0)
        return UpdateStep(
            .expect(from: LegacyService.controlPoint, within: arrivalDeadline),
            waitsFor: isAllSent ? .flash : .answers)
    }

    private var arrivalDeadline: Duration {
        isAllSent ? LegacyRequest.receive.deadline : Self.receiptDeadline
    }

    /// A notification while packets are under way.
    mutating func hear(_ bytes: [UInt8], _ strays: Int) throws(UpdateFailure) -> UpdateStep {
        if let step = try handle(LegacyAnswer(bytes)) { return step }
        state = .awaitingReceipt(strays: strays + 1)
        return try expectAgain(within: arrivalDeadline, strays, during: .receive)
    }

    /// A notification while the number of received bytes was asked for.
    mutating func hear(
        _ bytes: [UInt8], countedAt tries: Int, _ strays: Int
    ) throws(UpdateFailure) -> UpdateStep {
        let answer = LegacyAnswer(bytes)
        switch answer {
        case .count(let received):
            return update.mayBeActivated ? goOn(activated: received) : try judge(received)
        case .status(_, LegacyRequest.report.opcode):
            return update.mayBeActivated ? start() : try countAgain(Self.maximumTries)
        default: break
        }
        if !update.mayBeActivated, let step = try handle(answer) { return step }
        state = .counting(tries: tries, strays: strays + 1)
        return try expectAgain(.report, strays)
    }

    /// What follows from a receipt or a status of the transfer; nil where nothing does.
    private mutating func handle(_ answer: LegacyAnswer?) throws(UpdateFailure) -> UpdateStep? {
        switch answer {
        // An earlier one that comes late, or twice, has a smaller number.
        case .receipt(let received)
        where !isAllSent && link.quirks.agrees(received, with: link.attempt.position):
            return acknowledged()
        case .status(LegacyAnswer.success, LegacyRequest.receive.opcode):
            guard isAllSent else {
                return try restart(
                    because: UpdateFailure(
                        .unexpectedAnswer, during: LegacyRequest.receive.step,
                        message: "the bootloader has all bytes after \(link.attempt.position) of \(total)"))
            }
            return arrived()
        case .status(let status, LegacyRequest.receive.opcode):
            return try take(LegacyRefusal(status: status), of: .receive)
        default: return nil
        }
    }

    /// Asks how many bytes have come.
    mutating func count(tries: Int) throws(UpdateFailure) -> UpdateStep {
        guard receiver != .application || update.mayBeActivated else {
            return try stalled(
                "no receipt came for \(arrivalDeadline) after \(link.attempt.position) of \(total) bytes")
        }
        return write(.report, tries: tries)
    }

    /// The question was not answered, or refused.
    mutating func countAgain(_ tries: Int) throws(UpdateFailure) -> UpdateStep {
        if tries < (update.mayBeActivated ? Self.maximumTriesOnceChecked : Self.maximumTries) {
            return try count(tries: tries + 1)
        }
        if update.mayBeActivated { return write(.activate, notices: [.phase(.activating)]) }
        throw UpdateFailure(
            .noAnswer, during: LegacyRequest.report.step,
            message: "asked \(tries) times, the device did not answer", mayReconnect: true)
    }

    /// A stall is told from a lost receipt by what has arrived, and from slowness by whether more arrives.
    private mutating func judge(_ counted: UInt32) throws(UpdateFailure) -> UpdateStep {
        if link.quirks.agrees(counted, with: link.attempt.position) {
            return isAllSent ? arrived() : acknowledged()
        }
        guard counted == link.attempt.lastCount else {
            link.attempt.lastCount = counted
            return awaitReceipt()
        }
        return try stalled(
            "\(counted) of the \(link.attempt.position) bytes that were sent have arrived, and no more come")
    }

    private mutating func stalled(_ message: String) throws(UpdateFailure) -> UpdateStep {
        let step = try restart(
            because: UpdateFailure(Self.stalled, during: LegacyRequest.receive.step, message: message))
        if !pacing.isSlowest { pacing.slowDown() }
        return step
    }

    private mutating func acknowledged() -> UpdateStep {
        noteArrival(link.attempt.position)
        return sendOn()
    }

    private mutating func arrived() -> UpdateStep {
        noteArrival(total)
        return ask(.validate, notices: [.accepted(upTo: total), .phase(.activating)])
    }

    private mutating func noteArrival(_ bytes: Int) {
        link.attempt.lastCount = nil
        guard bytes > update.furthest else { return }
        update.furthest = bytes
        update.fruitlessRestarts = 0
    }

    /// The link ended after Activate. A device that still has the image has not heard it; one that has not was
    /// restarted since.
    private mutating func goOn(activated received: UInt32) -> UpdateStep {
        if link.quirks.agrees(received, with: total) {
            update.mayBeActivated = false
            return write(.activate, notices: [.phase(.activating)])
        }
        // Of a SoftDevice or a bootloader nothing else can be seen; a second time is proof enough.
        guard image.role.isSystem, update.unansweredActivations > 1 else { return start() }
        update.mayBeActivated = false
        state = .finished
        return UpdateStep(.end(.complete(completion())))
    }
}
