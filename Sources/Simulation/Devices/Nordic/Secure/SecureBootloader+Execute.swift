import Bytes

extension SecureBootloader {
    /// Execute: checks an init packet, or closes a data object once flash has caught up.
    mutating func execute(at now: Duration) -> [FirmwareReaction] {
        switch memory.object {
        case .command:
            do { try executeInit(at: now) } catch {
                return [.notify([0x60, 0x04] + error.bytes, at: now)]
            }
            return [answer(0x04, at: now)]
        case .data: return executeData(at: now)
        case nil: return [refuse(0x04, .invalidObject, now)]
        }
    }

    private mutating func executeInit(at now: Duration) throws(Refusal) {
        let isWhole = memory.progress.initPacket.count == memory.progress.initSize
        if personality.timeout == .createsAndExecutes, isWhole { stay(from: now) }
        guard isWhole else { throw Refusal(.operationNotPermitted) }
        guard !memory.progress.isInitValid, !lacksRoom else { return }
        do { try installInit(at: now) } catch {
            lacksRoom = personality.forgivesLackOfRoom && error == Refusal(.insufficientResources)
            if !personality.keepsFailedInit { memory.progress = UpdateProgress() }
            throw error
        }
    }

    private mutating func installInit(at now: Duration) throws(Refusal) {
        guard let packet = try? decodeInit() else { throw Refusal(.invalidObject) }
        let check = InitPacketCheck(personality: personality, identity: identity, settings: settings)
        settings.updateAddress = try check.place(for: packet)
        settings.initPacket = memory.progress.initPacket
        if personality.applicationErasure == .initPacket { eraseApplication() }
        guard writeSettings(personality.settingsAtInit, at: now) else {
            throw Refusal(.operationFailed)
        }
        memory.progress.isInitValid = true
    }

    /// Invalidates the application if the image needs its space.
    mutating func eraseApplication() {
        if settings.updateAddress == identity.layout.applicationStart { settings.applicationSize = 0 }
    }

    private mutating func executeData(at now: Duration) -> [FirmwareReaction] {
        guard personality.waitsForFlash else { return executeDataAtOnce(at: now) }
        stay(from: now)
        let barrier = flash.idle(at: now)
        guard let packet = installing else {
            return close(answering: Refusal(.verificationFailed), at: barrier)
        }
        let progress = memory.progress
        guard progress.received == progress.objectSize else {
            return [refuse(0x04, .operationNotPermitted, now)]
        }
        guard progress.offset < packet.imageSize else {
            flash.advance(to: barrier)
            return close(answering: verdict(on: packet), at: barrier)
        }
        if progress.objectSize > 0 { phase = .executing(until: barrier) }
        advance(to: now)
        return [answer(0x04, at: barrier)]
    }

    /// Execute of SDK 12 to 14: it takes effect even if the settings do not fit in the queue, and the image is hashed
    /// as flash holds it at that moment.
    private mutating func executeDataAtOnce(at now: Duration) -> [FirmwareReaction] {
        guard memory.progress.received == memory.progress.objectSize else {
            return [refuse(0x04, .operationNotPermitted, now)]
        }
        guard finishObject(at: now) else { return [refuse(0x04, .operationFailed, now)] }
        stay(from: now)
        guard let packet = installing else { return close(answering: Refusal(.hashTypeUnsupported), at: now) }
        guard memory.progress.offset == packet.imageSize else { return [answer(0x04, at: now)] }
        return close(answering: verdict(on: packet), at: now)
    }

    /// Why the finished image in flash is refused; nil if it is valid.
    private func verdict(on packet: DecodedInit) -> Refusal? {
        let start = settings.updateAddress
        let image = flash.content(start..<start + packet.imageSize)
        guard packet.hashType == 3 else { return Refusal(.hashTypeUnsupported) }
        guard SHA256Digest.digest(image) == packet.hash.reversed() else {
            return Refusal(.verificationFailed)
        }
        return isBootable(image, packet) ? nil : Refusal(.invalidObject)
    }

    private func isBootable(_ image: [UInt8], _ packet: DecodedInit) -> Bool {
        let entries = packet.bootValidation
        guard entries.allSatisfy({ $0.type <= 3 }) else { return false }
        func passes(_ part: ArraySlice<UInt8>, _ index: Int) -> Bool {
            guard entries.indices.contains(index), entries[index].type == 3 else { return true }
            return entries[index].bytes.count == 64 && identity.accepts(entries[index].bytes, of: Array(part))
        }
        guard packet.kind == .softDevice || packet.kind == .softDeviceAndBootloader else {
            return passes(image[...], 0)
        }
        let border = min(Int(packet.softDeviceSize), image.count)
        guard border == 0 || fits(SoftDeviceImage(image), of: border, packet.kind) else { return false }
        return passes(image[..<border], 0)
            && (border == image.count || passes(image[border...], personality.bootloaderValidationEntry))
    }

    /// Checks the fields of a new SoftDevice against the installed one.
    private func fits(_ image: SoftDeviceImage?, of size: Int, _ kind: FirmwareKind?) -> Bool {
        let checks = personality.softDeviceChecks
        if checks.contains(.structure) {
            let end = FlashLayout.masterBootRecord + FlashModel.pages(in: size) * FlashModel.pageSize
            guard let image, image.end >= end else { return false }
        }
        guard kind == .softDevice, let old = installedRelease, let new = image?.release else { return true }
        return !(checks.contains(.major) && old.major != new.major)
            && !(checks.contains(.family) && old.family != new.family)
    }

    /// Family and major version of the installed SoftDevice, if its FWID is known.
    private var installedRelease: SoftDeviceRelease? {
        settings.softDevice.flatMap(SoftDeviceRelease.init(firmwareID:))
    }

    /// Ends an image, valid or not: the response, the settings, the end of the link and the reset.
    private mutating func close(answering refusal: Refusal?, at moment: Duration) -> [FirmwareReaction] {
        flash.advance(to: moment)
        let before = settings
        if personality.showsUpdateAddressAsChecksum {
            settings.staleChecksum = UInt32(truncatingIfNeeded: settings.updateAddress)
        }
        if let packet = installing, refusal == nil { adopt(packet) }
        settings.initPacket = []
        settings.executedOffset = 0
        settings.executedChecksum = 0
        let isWritten = writeSettings(personality.settingsAtInit, at: moment)
        let told = refusal.map(personality.initRules.told)
        guard isWritten else {
            // The device is not reset in this case, and the image must be sent again.
            settings = before
            memory.progress = UpdateProgress()
            return [refuse(0x04, .operationFailed, moment)]
        }
        phase = .closing
        let written = flash.idle(at: moment)
        return [
            .notify([0x60, 0x04] + (told?.bytes ?? [ResultCode.success.rawValue]), at: moment),
            .disconnect(at: written), .reset(at: written + personality.closingTime),
        ]
    }

    /// An application does not survive a change of its SoftDevice's major version.
    private func keepsApplication(_ packet: DecodedInit) -> Bool {
        let start = settings.updateAddress
        let image = SoftDeviceImage(flash.content(start..<start + packet.imageSize))
        guard personality.softDeviceChecks.contains(.major), let old = installedRelease,
            let new = image?.release
        else { return true }
        return old.major == new.major
    }

    private mutating func adopt(_ packet: DecodedInit) {
        guard let kind = packet.kind else { return }
        settings.activation = .init(
            kind: kind, address: settings.updateAddress, size: packet.imageSize,
            bootloaderSize: kind == .softDeviceAndBootloader ? Int(packet.bootloaderSize) : nil)
        if kind == .softDeviceAndBootloader, !keepsApplication(packet) { settings.applicationSize = 0 }
        guard let version = packet.firmwareVersion else { return }
        switch kind {
        case .application:
            settings.runningVersion = settings.runningVersion ?? settings.applicationVersion
            settings.applicationVersion = version
        case .bootloader, .softDeviceAndBootloader: settings.bootloaderVersion = version
        case .softDevice, .externalApplication: break
        }
    }
}
