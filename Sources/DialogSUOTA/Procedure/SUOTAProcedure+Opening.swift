import BluetoothTypes
import ByteCoding
import FirmwareModel
import Sessions
import UpdateCore

/// What a device is asked before the update, in this order (dialog-suota.md, Conversation).
enum Question: Equatable, Sendable {
    case information(DeviceInformation)
    case version
    case patchDataSize
    case mtu
    case psm

    private static let all =
        DeviceInformation.allCases.map(Question.information) + [.version, .patchDataSize, .mtu, .psm]

    static let first = Question.information(.manufacturer)

    /// The last that is asked of Device Information.
    static let lastOfInformation = all.last { if case .information = $0 { true } else { false } }

    var next: Question? { Self.all.drop { $0 != self }.dropFirst().first }

    var characteristic: Characteristic {
        switch self {
        case .information(let value): value.characteristic
        case .version: SUOTAService.version
        case .patchDataSize: SUOTAService.patchDataSize
        case .mtu: SUOTAService.mtu
        case .psm: SUOTAService.psm
        }
    }
}

/// From the new link to the word that starts the update.
extension SUOTAProcedure {
    mutating func learn(_ question: Question, _ bytes: [UInt8]?) throws(UpdateFailure) -> UpdateStep {
        var notices: [UpdateNotice] = []
        if let bytes {
            let number = DeviceFacts.number(bytes)
            switch question {
            case .information(let value):
                if let text = DeviceFacts.text(bytes) {
                    facts.information[value] = text
                    notices = [.detail(.deviceInformation(name: value.name, value: text))]
                }
            case .version: facts.version = number
            case .patchDataSize: facts.patchDataSize = number
            case .mtu: facts.mtu = number
            case .psm: facts.psm = number.flatMap { UInt16(exactly: $0) }.flatMap { $0 == 0 ? nil : $0 }
            }
        }
        if question == Question.lastOfInformation {
            notices.append(.detail(.deviceInformationRead(isPresent: !facts.information.isEmpty)))
        }
        var step: UpdateStep
        if let next = question.next {
            state = .introducing(next)
            step = UpdateStep(.read(next.characteristic))
        } else {
            step = try prepare()
        }
        step.notices.insert(contentsOf: notices, at: 0)
        return step
    }

    /// Everything is read. A device that may be done is looked at first.
    private mutating func prepare() throws(UpdateFailure) -> UpdateStep {
        let isInstalled = !hadVersion && versionText.map { facts.runs($0) } ?? false
        switch stage {
        case .verified where isInstalled, .ended where isInstalled:
            stage = .verified
            isUnconfirmed = false
            return finish()
        // What a device that was checking a signature has made of a lost link shows in what it starts, and sending again
        // might cost the old image.
        case .verified where isUnconfirmed && preferences.awaitsSignature && reboots == 0:
            return subscribeAgain()
        case .verified: return reboots < Self.maximumReboots ? reboot() : finish()
        case .ended:
            state = .readingStatus(.end, .lostLink)
            return UpdateStep(.read(SUOTAService.status))
        case .fresh, .begun: return try prepareAttempt()
        }
    }

    /// The device has neither the image nor most of it.
    mutating func prepareAttempt() throws(UpdateFailure) -> UpdateStep {
        var notices: [UpdateNotice] = []
        if isFirstLink {
            isFirstLink = false
            notices = try checkDevice()
        }
        try chooseTransport()
        plan = try BlockPlan.choose(
            uploadSize: upload.count, family, preferences, facts, maximumWriteLength: maximumWriteLength)
        state = .subscribing
        stage = .begun
        return UpdateStep(
            .subscribe(SUOTAService.status),
            notices: notices + planWarnings() + [
                .detail(.ready), log(sizes), log("notifications are turned on"),
            ])
    }

    mutating func start() -> UpdateStep {
        isSubscribed = true
        let command = MemoryDeviceCommand.start(
            family == .da1458x ? preferences.pins.memory : .spi,
            family == .da1458x ? preferences.bank : .oldest)
        clock = UploadClock()
        waited = .zero
        state = .awaiting(.start)
        return UpdateStep(
            .request(
                command.bytes, on: SUOTAService.memoryDevice, answerOn: SUOTAService.status,
                within: Self.glance),
            notices: [log("memory device \(HexText.digits(command.number))")], waitsFor: .flash)
    }

    /// The device waits for the image.
    mutating func hasStarted() -> UpdateStep {
        strays = 0
        clock.updateStart = times?.started
        if let channel {
            state = .opening
            return UpdateStep(
                .open(psm: channel, within: Self.channelDeadline),
                notices: [log("opening a channel on PSM \(HexText.number(channel))")])
        }
        return wire()
    }

    mutating func wire() -> UpdateStep {
        state = .wiring
        return UpdateStep(
            .write(preferences.pins.bytes, on: SUOTAService.pins),
            notices: [log("GPIO map \(HexText.digits(preferences.pins.number))")])
    }

    private var sizes: String {
        guard channel == nil else { return "\(payloadEnd) bytes over a channel" }
        return "upload \(plan.uploadSize), block \(plan.blockSize), chunk \(plan.chunkSize), blocks "
            + "\(plan.blockCount), chunks \(plan.chunkCount), chunks per block \(plan.chunksPerBlock), XOR "
            + HexText.digits(image.trailer)
    }

    /// The channel, where there is one and nobody minds: blocks and chunks are of writes.
    private mutating func chooseTransport() throws(UpdateFailure) {
        channel = nil
        switch preferences.transport {
        case .gatt: return
        case .l2cap:
            guard let psm = facts.psm else {
                throw UpdateFailure(
                    FailureCode(rawValue: "channel-missing"), during: SUOTAStep.preparing.rawValue,
                    message: "the device offers no channel",
                    remedy: "leave \(.transport) out, or use \(.transport, "gatt")")
            }
            channel = psm
        case nil:
            guard family != .da1458x, failedChannels < Self.maximumFailedChannels,
                preferences.blockSize == nil, preferences.chunkSize == nil
            else { return }
            channel = facts.psm
        }
    }
}
