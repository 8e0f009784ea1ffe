import UpdateModel

extension LegacyProcedure {
    var isAllSent: Bool { link.attempt.position == total }

    mutating func continueSending() -> UpdateStep {
        let packets = pacing.receiptInterval
        let position = link.attempt.position
        let left = total - position
        let count = packets == 0 ? left : min(left, packets * link.packetLength)
        var notices: [UpdateNotice] = []
        if position == 0 {
            notices = [.phase(.transferring)]
        } else if position - link.attempt.reported >= Self.progressStep {
            link.attempt.reported = position
            notices = [.accepted(upTo: position)]
        }
        state = .sending(.image(count))
        return .streaming(
            image.bytes[position..<position + count], to: LegacyService.packet,
            inPacketsOf: link.packetLength, payload: PayloadSpan(at: position, of: total), notices: notices)
    }

    mutating func awaitReceipt() -> UpdateStep {
        state = .awaitingReceipt(strays: 0)
        return UpdateStep(
            .expect(from: LegacyService.controlPoint, within: arrivalLimit),
            waitsFor: isAllSent ? .flash : .answers)
    }

    private var arrivalLimit: Duration { isAllSent ? LegacyRequest.receive.deadline : Self.receiptDeadline }

    mutating func handleReceipt(_ bytes: [UInt8], _ strays: Int) throws(UpdateFailure) -> UpdateStep {
        if let step = try handleTransferAnswer(LegacyAnswer(bytes)) { return step }
        state = .awaitingReceipt(strays: strays + 1)
        return try expectAgain(within: arrivalLimit, strays, during: .receive)
    }

    mutating func handleCount(
        _ bytes: [UInt8], _ tries: Int, _ strays: Int
    ) throws(UpdateFailure) -> UpdateStep {
        let answer = LegacyAnswer(bytes)
        switch answer {
        case .count(let received):
            return update.mayBeActivated ? judgeActivation(by: received) : try judgeCount(received)
        case .status(_, LegacyRequest.report.opcode):
            return update.mayBeActivated ? start() : try requestCountAgain(Self.maximumTries)
        default: break
        }
        if !update.mayBeActivated, let step = try handleTransferAnswer(answer) { return step }
        state = .counting(tries: tries, strays: strays + 1)
        return try expectAgain(.report, strays)
    }

    /// The step after a receipt or a status of the transfer; nil to continue waiting.
    private mutating func handleTransferAnswer(_ answer: LegacyAnswer?) throws(UpdateFailure) -> UpdateStep? {
        switch answer {
        // A late or repeated receipt has a smaller number.
        case .receipt(let received)
        where !isAllSent && link.quirks.agrees(received, with: link.attempt.position):
            return continueAfterReceipt()
        case .status(LegacyAnswer.success, LegacyRequest.receive.opcode):
            guard isAllSent else {
                return try restart(
                    because: UpdateFailure(
                        .device.unexpectedAnswer, during: LegacyRequest.receive.step,
                        message: "the bootloader reports the image as complete "
                            + "after \(link.attempt.position) of \(total) bytes"))
            }
            return requestValidation()
        case .status(let status, LegacyRequest.receive.opcode):
            return try handle(LegacyRefusal(status: status), of: .receive)
        default: return nil
        }
    }

    mutating func requestCount(tries: Int) throws(UpdateFailure) -> UpdateStep {
        guard receiver != .application || update.mayBeActivated else {
            return try restartStalledTransfer(
                "no receipt came for \(arrivalLimit) after \(link.attempt.position) of \(total) bytes")
        }
        return write(.report, tries: tries)
    }

    mutating func requestCountAgain(_ tries: Int) throws(UpdateFailure) -> UpdateStep {
        if tries < (update.mayBeActivated ? Self.maximumTriesAfterValidation : Self.maximumTries) {
            return try requestCount(tries: tries + 1)
        }
        if update.mayBeActivated { return write(.activate, notices: [.phase(.activating)]) }
        throw UpdateFailure(
            .device.noAnswer, during: LegacyRequest.report.step,
            message: "the beacon did not respond to \(tries) requests", mayReconnect: true)
    }

    /// If all bytes have arrived, the receipt was lost. If more have arrived since the last count, the device is only slow.
    private mutating func judgeCount(_ counted: UInt32) throws(UpdateFailure) -> UpdateStep {
        if link.quirks.agrees(counted, with: link.attempt.position) {
            return isAllSent ? requestValidation() : continueAfterReceipt()
        }
        guard counted == link.attempt.lastCount else {
            link.attempt.lastCount = counted
            return awaitReceipt()
        }
        return try restartStalledTransfer(
            "\(counted) of the \(link.attempt.position) bytes sent have arrived, and no more follow")
    }

    private mutating func restartStalledTransfer(_ message: String) throws(UpdateFailure) -> UpdateStep {
        guard link.packetLength == LegacyQuirks.packetLength || update.furthest > 0 else {
            throw UpdateFailure(
                .nordicRefusal.longPacketsLost, during: LegacyRequest.receive.step,
                message: "none of the packets of \(link.packetLength) bytes was confirmed: \(message)")
        }
        let step = try restart(
            because: UpdateFailure(
                .nordicRefusal.transferStalled, during: LegacyRequest.receive.step, message: message))
        if !pacing.isSlowest { pacing.slowDown() }
        return step
    }

    private mutating func continueAfterReceipt() -> UpdateStep {
        let notices = noteArrival(link.attempt.position)
        return continueSending().after(notices)
    }

    private mutating func requestValidation() -> UpdateStep {
        let notices = noteArrival(total)
        return ask(.validate, notices: notices + [.accepted(upTo: total), .phase(.activating)])
    }

    /// The notice if more bytes have arrived than over any link before.
    private mutating func noteArrival(_ bytes: Int) -> [UpdateNotice] {
        link.attempt.lastCount = nil
        guard bytes > update.furthest else { return [] }
        update.furthest = bytes
        return [.reached(bytes)]
    }

    /// Decides by the byte count after a link that ended at Activate. A device that has the image did not receive Activate;
    /// one without it has restarted.
    private mutating func judgeActivation(by received: UInt32) -> UpdateStep {
        if link.quirks.agrees(received, with: total) {
            update.mayBeActivated = false
            return write(.activate, notices: [.phase(.activating)])
        }
        // A SoftDevice or bootloader counts as installed after a second Activate, because there is no other sign.
        guard image.role.isSystem, update.unansweredActivations > 1 else { return start() }
        update.mayBeActivated = false
        state = .finished
        return UpdateStep(.end(.complete(completion())))
    }
}

package struct LegacyImage: Equatable, Sendable {
    package let role: FirmwareRole
    package let bytes: [UInt8]
    /// The init packet; nil if the package has none, as before SDK 7.
    package let initPacket: LegacyInitPacket?
    /// Bytes of the SoftDevice, which comes first in the image.
    package let softDeviceSize: Int
    package let bootloaderSize: Int

    /// Sizes in bytes; nil for a size that follows from the role, because the image is only one program.
    package init(
        role: FirmwareRole = .application, bytes: [UInt8], initPacket: LegacyInitPacket?,
        softDeviceSize: Int? = nil, bootloaderSize: Int? = nil
    ) {
        (self.role, self.bytes, self.initPacket) = (role, bytes, initPacket)
        self.softDeviceSize = softDeviceSize ?? (role == .softdevice ? bytes.count : 0)
        self.bootloaderSize = bootloaderSize ?? (role == .bootloader ? bytes.count : 0)
    }

    package init(_ part: LegacyPart) {
        self.init(
            role: part.role, bytes: part.image, initPacket: part.initPacket,
            softDeviceSize: part.softDeviceSize, bootloaderSize: part.bootloaderSize)
    }

    package var applicationSize: Int { role == .application ? bytes.count : 0 }

    var sizes: [Int] { [softDeviceSize, bootloaderSize, applicationSize] }

    /// Which images Start announces: bit 0 the SoftDevice, bit 1 the bootloader, bit 2 the application.
    var mode: UInt8 {
        switch role {
        case .softdevice: 1
        case .bootloader: 2
        case .softdeviceBootloader: 3
        case .application: 4
        }
    }

    /// The application's version in the init packet; nil if it has none or the wildcard (0xFFFFFFFF).
    var countedVersion: UInt32? {
        guard role == .application, let version = initPacket?.applicationVersion else { return nil }
        return version == .max ? nil : version
    }
}
