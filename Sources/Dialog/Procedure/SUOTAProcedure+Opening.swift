import Bluetooth
import Bytes
import UpdateModel

/// Values to read before the update, in this order (dialog-suota.md, Conversation).
enum Question: Equatable, Sendable {
    case information(DeviceInformation)
    case version
    case patchDataSize
    case mtu
    case psm

    private static let all =
        DeviceInformation.allCases.map(Question.information) + [.version, .patchDataSize, .mtu, .psm]

    static let first = Question.information(.manufacturer)

    /// The last value of Device Information.
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

/// From the new link to the start command.
extension SUOTAProcedure {
    mutating func learn(_ question: Question, _ bytes: [UInt8]?) throws(UpdateFailure) -> UpdateStep {
        var notices: [UpdateNotice] = []
        if let bytes {
            let number = DeviceFacts.number(bytes)
            switch question {
            case .information(let value):
                if let text = DeviceFacts.text(bytes) {
                    link.facts.information[value] = text
                    notices = [.detail(.deviceInformation(name: value.name, value: text))]
                }
            case .version: link.facts.version = number
            case .patchDataSize: link.facts.patchDataSize = number
            case .mtu: link.facts.mtu = number
            case .psm: link.facts.psm = number.flatMap { UInt16(exactly: $0) }.flatMap { $0 == 0 ? nil : $0 }
            }
        }
        if question == Question.lastOfInformation {
            notices.append(.detail(.deviceInformationRead(isPresent: !link.facts.information.isEmpty)))
        }
        var step: UpdateStep
        if let next = question.next {
            state = .identifying(next)
            step = UpdateStep(.read(next.characteristic))
        } else {
            step = try prepare()
        }
        step.notices.insert(contentsOf: notices, at: 0)
        return step
    }

    /// Everything was read. First checks whether the device has already finished.
    private mutating func prepare() throws(UpdateFailure) -> UpdateStep {
        let isInstalled = !update.hadVersion && versionText.map { link.facts.runs($0) } ?? false
        switch update.stage {
        case .fresh, .begun: return try prepareAttempt()
        case .ended where isInstalled, .unconfirmed where isInstalled, .verified where isInstalled:
            update.stage = .verified
            return finish()
        // If the link was lost while the device was checking a signature, the version it starts shows the result;
        // sending again might cost the old image.
        case .unconfirmed where preferences.awaitsSignature && update.reboots == 0: return subscribeAgain()
        case .unconfirmed, .verified: return update.reboots < Self.maximumReboots ? reboot() : finish()
        case .ended:
            state = .readingStatus(.end, .lostLink)
            return UpdateStep(.read(SUOTAService.status))
        }
    }

    /// The device has neither the image nor most of it.
    mutating func prepareAttempt() throws(UpdateFailure) -> UpdateStep {
        let notices = update.stage == .fresh ? try checkDevice() : []
        let channel = try chooseChannel()
        attempt = AttemptState(
            plan: try BlockPlan.choose(
                uploadSize: upload.count, family, preferences, link.facts,
                maximumWriteLength: link.maximumWriteLength), channel: channel)
        state = .subscribing
        update.stage = .begun
        if update.bank == .inDoubt { update.bank = .written }
        return UpdateStep(
            .subscribe(SUOTAService.status),
            notices: notices + planWarnings() + [
                .detail(.ready), log(sizes), log("notifications are turned on"),
            ])
    }

    mutating func start() -> UpdateStep {
        link.isSubscribed = true
        let command = MemoryDeviceCommand.start(
            family == .da1458x ? preferences.pins.memory : .spi,
            family == .da1458x ? preferences.bank : .oldest)
        link.wait = Wait()
        state = .awaiting(.start)
        return UpdateStep(
            .request(
                command.bytes, on: SUOTAService.memoryDevice, answerOn: SUOTAService.status,
                within: Self.glance),
            notices: [log("memory device \(HexText.digits(command.number))")], waitsFor: .flash)
    }

    /// The device waits for the image.
    mutating func hasStarted() -> UpdateStep {
        attempt.clock.updateStart = times?.started
        if let channel = attempt.channel {
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
        guard attempt.channel == nil else { return "\(payloadEnd) bytes over a channel" }
        let plan = attempt.plan
        return "upload \(plan.uploadSize), block \(plan.blockSize), chunk \(plan.chunkSize), blocks "
            + "\(plan.blockCount), chunks \(plan.chunkCount), chunks per block \(plan.chunksPerBlock), XOR "
            + HexText.digits(image.trailer)
    }

    /// The PSM of the device's channel, unless the user has set writes or sizes of blocks and chunks, which only
    /// writes have.
    private func chooseChannel() throws(UpdateFailure) -> UInt16? {
        switch preferences.transport {
        case .gatt: return nil
        case .l2cap:
            guard let psm = link.facts.psm else {
                throw .preparing(
                    "channel-missing", "the beacon offers no channel", remedy: Self.withoutChannel)
            }
            return psm
        case nil:
            guard family != .da1458x, update.failedChannels < Self.maximumFailedChannels,
                preferences.blockSize == nil, preferences.chunkSize == nil
            else { return nil }
            return link.facts.psm
        }
    }
}
