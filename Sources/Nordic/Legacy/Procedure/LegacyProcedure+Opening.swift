import Bluetooth
import Bytes
import UpdateModel

extension LegacyProcedure {
    /// Refuses an image whose init packet does not list the SoftDevice that the bootloader reports. Adafruit's
    /// bootloader reports `0.8.0 s140 6.1.1`, its earlier versions `S132 2.0.1, 0.5.0`.
    mutating func checkSoftDevice(in text: String) throws(UpdateFailure) {
        let words = text.split { $0 == " " || $0 == "," }
        let names = zip(words, words.dropFirst()).map { "\($0) \($1)" }
        guard let installed = names.lazy.compactMap({ SoftDeviceNames.id(of: $0) }).first,
            let packet = image.initPacket
        else { return }
        let list = packet.softDeviceRequirements.map(UInt32.init)
        let any = UInt32(LegacyInitPacket.anySoftDevice)
        guard !list.contains(installed), !list.contains(any) else {
            update.isAdafruit = AdafruitHardware.chips(ofBootloaderReporting: text) != nil
            return
        }
        let named = list.isEmpty ? "none" : list.map { SoftDeviceNames.text(of: $0) }.joined(separator: ", ")
        throw UpdateFailure(
            .nordicRefusal.softdeviceMismatch, during: "asking the bootloader",
            message: "the bootloader reports SoftDevice \(SoftDeviceNames.text(of: installed)), but the "
                + "package lists \(named); nothing was erased",
            remedy: image.role.isSystem
                ? "use a package for the SoftDevice that is installed"
                : "first bring the unit to the SoftDevice that the package names, or build with "
                    + "\(.softDevices) for its own")
    }

    /// Reads a bootloader's information, if it may show a reason to refuse the update before anything is erased.
    mutating func ask(after version: [UInt8]?) throws(UpdateFailure) -> UpdateStep {
        guard receiver != .application, !update.hasSentStart, image.initPacket != nil else {
            return try prepare(version)
        }
        state = .readingInformation(version: version)
        return UpdateStep(.readIfAllowed(.firmwareRevision))
    }

    mutating func prepare(_ version: [UInt8]?) throws(UpdateFailure) -> UpdateStep {
        link.quirks = receiver == .application ? .application : LegacyQuirks.of(version: version)
        pacing.begin(link.quirks)
        try checkInitPacket(version)
        if update.mayBeActivated {
            return receiver == .application ? write(.activate) : try requestCount(tries: 1)
        }
        if update.hasSentStart, receiver != .bootloader { return waitUntilForgotten() }
        guard let rest = link.quirks.restBeforeStart else { return start() }
        state = .resting(before: .start(mode: nil))
        return UpdateStep(.rest(rest))
    }

    /// Waits until an application has forgotten an earlier update, so that Start begins a new one.
    mutating func waitUntilForgotten(notices: [UpdateNotice] = []) -> UpdateStep {
        link.attempt = AttemptState()
        state = .waitingUntilForgotten(strays: 0)
        return UpdateStep(
            .expect(from: LegacyService.controlPoint, within: Self.forgetTime), notices: notices,
            waitsFor: .flash)
    }

    mutating func start() -> UpdateStep {
        update.mayBeActivated = false
        update.isStartPending = true
        update.isStartInDoubt = true
        update.hasSentStart = true
        return write(.start(mode: update.usesOldStart ? nil : image.mode))
    }

    mutating func continueAfterWriting(_ request: LegacyRequest, _ tries: Int) throws(UpdateFailure)
        -> UpdateStep
    {
        switch request {
        case .start: return send(.sizes)
        case .beginInit: return send(.initPacket)
        case .setReceipts: return write(.receive)
        case .receive:
            state = .resting(before: .receive)
            return UpdateStep(.rest(link.quirks.restBeforeData))
        case .report:
            state = .counting(tries: tries, strays: 0)
            return UpdateStep(.expect(from: LegacyService.controlPoint, within: request.deadline))
        case .activate where update.mayBeActivated || receiver == .application:
            state = .awaitingStart(strays: 0)
            return UpdateStep(.expect(from: LegacyService.controlPoint, within: Self.startDeadline))
        case .activate:
            state = .finished
            return UpdateStep(.end(.complete(completion())))
        case .reset:
            state = .restarting
            return UpdateStep(
                .end(
                    .restart(
                        Restart(
                            timeout: Self.restartTimeout, repeating: link.reason,
                            isAfterLoss: link.reason == nil))))
        case .completeInit, .validate: return ask(request)
        }
    }

    mutating func continueAfterSending(_ content: PacketContent) -> UpdateStep {
        switch content {
        case .sizes: return listen(for: .start(mode: nil))
        case .initPacket: return usesOldInit ? listen(for: .beginInit(isOld: true)) : ask(.completeInit)
        case .image(let count):
            link.attempt.position += count
            return awaitReceipt()
        }
    }

    /// The step after Start or the init packet, `request`, has succeeded.
    mutating func continueAfterSuccess(of request: LegacyRequest) -> UpdateStep {
        if case .start = request, initContent != nil { return write(.beginInit(isOld: usesOldInit)) }
        return write(.setReceipts(UInt16(clamping: pacing.receiptInterval)))
    }

    /// Whether the init packet is sent as before SDK 7, without the parameters for its begin and end.
    var usesOldInit: Bool { link.quirks.mayNeedOldStart && !update.usesNewInit }

    /// Refuses an init packet that is only a CRC16, before a bootloader that compares its fields erases anything.
    private func checkInitPacket(_ version: [UInt8]?) throws(UpdateFailure) {
        guard image.initPacket?.isChecksumAlone == true, !link.quirks.mayNeedOldStart else { return }
        let who =
            receiver == .application
            ? "an application that takes updates itself"
            : "this bootloader"
                + (version.map { $0.count == 2 ? " (DFU Version \($0[1]).\($0[0]))" : "" } ?? "")
        throw UpdateFailure(
            .nordicRefusal.extendedInitPacketRequired, during: "preparing",
            message: "the init packet is only a CRC16, for bootloaders of SDK 4.3 to 6.1; \(who) requires "
                + "device type and SoftDevices too",
            remedy:
                "rebuild the package with \(task: .build(.nordicLegacy)), which writes such an init packet")
    }

    /// The init packet as sent: before SDK 7 a CRC16 of the image; nil if none is sent.
    private var initContent: [UInt8]? {
        guard let packet = image.initPacket else { return nil }
        return usesOldInit ? packet.end.crc16?.bytes() : packet.bytes
    }

    private var sizesContent: [UInt8] {
        let sizes = update.usesOldStart ? [image.applicationSize] : image.sizes
        return sizes.flatMap { UInt32(truncatingIfNeeded: $0).bytes() }
    }

    private mutating func send(_ content: PacketContent) -> UpdateStep {
        state = .sending(content)
        let bytes = content == .sizes ? sizesContent : initContent ?? []
        return .streaming(
            bytes[...], to: LegacyService.packet, inPacketsOf: LegacyQuirks.packetLength)
    }

    /// Refuses an init packet for other hardware than the bootloader's, which would refuse it only after erasing the
    /// application. Only Adafruit's bootloader reports its hardware (nordic-legacy.md, Checks).
    func checkHardware(in text: String) throws(UpdateFailure) {
        guard let chips = AdafruitHardware.chips(ofBootloaderReporting: text), !risks.contains(.wrongFamily),
            let packet = image.initPacket, !packet.isChecksumAlone
        else { return }
        if packet.deviceType != AdafruitHardware.deviceType {
            throw mismatch(
                text, "accepts only device type \(AdafruitHardware.deviceType.hex)",
                "device type \(packet.deviceType.hex)")
        }
        guard image.role.isSystem else { return }
        let chip = AdafruitHardware.chip(ofRevision: packet.deviceRevision)
        guard chip.map(chips.contains) != true else { return }
        throw mismatch(
            text, "is on an \(chips.joined(separator: " or "))",
            "device revision \(packet.deviceRevision.hex)" + (chip.map { ", an \($0)" } ?? ""))
    }

    private func mismatch(_ text: String, _ taken: String, _ named: String) -> UpdateFailure {
        let own: Advice =
            "use the package for this product, or build with its \(.deviceType) and \(.deviceRevision)"
        return UpdateFailure(
            .device.hardwareVersionMismatch, during: "asking the bootloader",
            message: "the bootloader reports '\(text)', so it is Adafruit's and \(taken); the init packet "
                + "names \(named); nothing was erased",
            remedy: "\(own); if it is not Adafruit's, \(.risk, "wrong-family") lets the bootloader decide")
    }
}
