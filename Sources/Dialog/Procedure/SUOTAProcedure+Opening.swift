package import Bluetooth
import Bytes
import UpdateModel

/// Values to read before the update, in this order (dialog-suota.md, Conversation). The first four are values of the
/// Device Information Service that distinguish devices (DIS 1.1, 3); their raw values are names in events.
enum Question: String, CaseIterable, Sendable {
    case manufacturer
    case model
    case firmwareRevision = "firmware revision"
    case softwareRevision = "software revision"
    case version
    case patchDataSize
    case mtu
    case psm

    var next: Question? { Self.allCases.drop { $0 != self }.dropFirst().first }

    var characteristic: Characteristic {
        switch self {
        case .manufacturer: Self.information(0x2A29)
        case .model: Self.information(0x2A24)
        case .firmwareRevision: Self.information(0x2A26)
        case .softwareRevision: Self.information(0x2A28)
        case .version: SUOTAService.version
        case .patchDataSize: SUOTAService.patchDataSize
        case .mtu: SUOTAService.mtu
        case .psm: SUOTAService.psm
        }
    }

    private static func information(_ uuid: UInt16) -> Characteristic {
        Characteristic(BluetoothUUID(0x180A), BluetoothUUID(uuid))
    }
}

extension SUOTAProcedure {
    mutating func learn(_ question: Question, _ bytes: [UInt8]?) throws(UpdateFailure) -> UpdateStep {
        var notices: [UpdateNotice] = []
        if let bytes {
            let number = DeviceFacts.number(bytes)
            switch question {
            case .manufacturer, .model, .firmwareRevision, .softwareRevision:
                if let text = DeviceFacts.text(bytes) {
                    link.facts.information[question] = text
                    notices = [.detail(.deviceInformation(name: question.rawValue, value: text))]
                }
            case .version: link.facts.version = number
            case .patchDataSize: link.facts.patchDataSize = number
            case .mtu: link.facts.mtu = number
            case .psm: link.facts.psm = number.flatMap { UInt16(exactly: $0) }.flatMap { $0 == 0 ? nil : $0 }
            }
        }
        if question == .softwareRevision {
            notices.append(.detail(.deviceInformationRead(isPresent: !link.facts.information.isEmpty)))
        }
        guard let next = question.next else { return try prepare().after(notices) }
        state = .identifying(next)
        return UpdateStep(.read(next.characteristic), notices: notices)
    }

    /// The step after all values were read. On a link after the end command, first checks the result.
    private mutating func prepare() throws(UpdateFailure) -> UpdateStep {
        let isInstalled = !update.hadVersion && versionText.map { link.facts.runs($0) } ?? false
        switch update.stage {
        case .fresh, .begun: return try prepareAttempt()
        case .ended where isInstalled, .unconfirmed where isInstalled, .verified where isInstalled:
            update.stage = .verified
            return finish()
        // The link was lost while the device was checking a signature: this link or the version that the device
        // starts shows the result. Sending the image again might destroy the old one.
        case .unconfirmed where preferences.awaitsSignature && update.reboots == 0: return subscribeAgain()
        case .unconfirmed, .verified: return update.reboots < Self.maximumReboots ? reboot() : finish()
        case .ended:
            state = .readingStatus(.end, .lostLink)
            return UpdateStep(.read(SUOTAService.status))
        }
    }

    /// Begins an attempt with byte 0: checks the device, chooses the transport and subscribes.
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
            notices: notices + planWarnings + [
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
                within: Self.readDelay),
            notices: [log("memory device \(HexText.digits(command.number))")], waitsFor: .flash)
    }

    mutating func hasStarted() -> UpdateStep {
        attempt.clock.updateStart = times?.started
        if let channel = attempt.channel {
            state = .opening
            return UpdateStep(
                .open(psm: channel, within: Self.channelDeadline),
                notices: [log("opening a channel on PSM \(HexText.number(channel))")])
        }
        return writePins()
    }

    mutating func writePins() -> UpdateStep {
        state = .writingPins
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

    /// The PSM of the channel to use; nil for writes, which a size of blocks or chunks set by the user also requests.
    private func chooseChannel() throws(UpdateFailure) -> UInt16? {
        switch preferences.transport {
        case .gatt: return nil
        case .l2cap:
            guard let psm = link.facts.psm else {
                throw .preparing(
                    .suota.channelMissing, "the beacon offers no channel", remedy: Self.withoutChannel)
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

package enum SUOTAService {
    package static let uuid = BluetoothUUID(0xFEF5)
    /// Receives the commands start, end, reboot and abort, by write.
    package static let memoryDevice = characteristic(0x8082_CAA8_41A6_4021, 0x91C6_56F9_B954_CC34)
    package static let pins = characteristic(0x7242_49F0_5EC3_4B5F, 0x8804_4234_5AF0_8651)
    /// The number of bytes that the device has received, as 4 bytes.
    package static let memoryInformation = characteristic(0x6C53_DB25_47A1_45FE, 0xA022_7C92_FB33_4FD4)
    /// Receives the number of bytes in each following block, by write of 2 bytes.
    package static let patchLength = characteristic(0x9D84_B9A3_000C_49D8, 0x9183_855B_673F_DA31)
    /// Receives the image, by write without response.
    package static let patchData = characteristic(0x4578_71E8_D516_4CA1, 0x9116_57D0_B17B_9CB2)
    /// Notifies statuses; the last one can be read.
    package static let status = characteristic(0x5F78_DF94_798C_46F5, 0x990A_B3EB_6A06_5C88)
    /// The PSM of the L2CAP channel over which the image can be sent instead of writes, as 2 bytes.
    package static let psm = characteristic(0x61C8_849C_F639_4765, 0x946E_5C34_19BE_BB2A)
    /// The version of the service, as 1 byte: 13 is 1.3.
    package static let version = characteristic(0x64B4_E8B5_0DE5_401B, 0xA21D_ACC8_DB3B_913A)
    /// The largest number of bytes in a write to ``patchData``, as 2 bytes.
    package static let patchDataSize = characteristic(0x42C3_DFDD_77BE_4D9C, 0x8454_8F87_5267_FB3B)
    /// The MTU of this link in bytes, as 2 bytes.
    package static let mtu = characteristic(0xB7DE_1EEA_823D_43BB, 0xA3AF_C490_3DFC_E23C)

    private static func characteristic(_ high: UInt64, _ low: UInt64) -> Characteristic {
        Characteristic(uuid, BluetoothUUID(high: high, low: low))
    }
}
