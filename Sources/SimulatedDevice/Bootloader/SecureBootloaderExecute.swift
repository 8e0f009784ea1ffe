import Digests

extension SecureBootloader {
    /// Execute: judges an init packet, or closes a data object once flash has caught up.
    mutating func execute(at now: Duration) -> [BootloaderReaction] {
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
        guard memory.progress.initPacket.count == memory.progress.initSize else {
            throw Refusal(.operationNotPermitted)
        }
        guard !memory.progress.isInitValid else { return }
        do { try installInit() } catch {
            if !personality.keepsFailedInit { memory.progress = UpdateProgress() }
            throw error
        }
        writeSettings(personality.settingsAtInit, at: now)
    }

    private mutating func installInit() throws(Refusal) {
        guard let packet = try? InitPacketDecoder.decode(memory.progress.initPacket) else {
            throw Refusal(.invalidObject)
        }
        let check = InitPacketCheck(personality: personality, identity: identity, settings: settings)
        settings.updateAddress = try check.place(for: packet)
        memory.progress.isInitValid = true
        settings.initPacket = memory.progress.initPacket
        // An image that needs the application's room costs the application here and now.
        let isInPlace = settings.updateAddress == identity.layout.applicationStart
        if isInPlace { settings.applicationSize = 0 }
    }

    private mutating func executeData(at now: Duration) -> [BootloaderReaction] {
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

    /// Why the finished image in flash is refused; nil when it is good.
    private func verdict(on packet: DecodedInit) -> Refusal? {
        let start = settings.updateAddress
        let image = flash.content(start..<start + packet.imageSize)
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
        guard border == 0 || SoftDeviceImage(image) != nil else { return false }
        return passes(image[..<border], 0)
            && (border == image.count || passes(image[border...], personality.bootloaderValidationEntry))
    }

    /// The end of an image, good or bad: the answer, the settings, the link's end and the reset.
    private mutating func close(answering refusal: Refusal?, at moment: Duration) -> [BootloaderReaction] {
        flash.advance(to: moment)
        settings.staleChecksum = UInt32(truncatingIfNeeded: settings.updateAddress)
        if let packet = installing, refusal == nil { adopt(packet) }
        settings.initPacket = []
        settings.executedOffset = 0
        settings.executedChecksum = 0
        phase = .closing
        writeSettings(personality.settingsAtInit, at: moment)
        let written = flash.idle(at: moment)
        return [
            .notify([0x60, 0x04] + (refusal?.bytes ?? [ResultCode.success.rawValue]), at: moment),
            .disconnect(at: written), .reset(at: written + personality.closingTime),
        ]
    }

    private mutating func adopt(_ packet: DecodedInit) {
        guard let kind = packet.kind else { return }
        settings.activation = .init(
            kind: kind, address: settings.updateAddress, size: packet.imageSize)
        guard let version = packet.firmwareVersion else { return }
        switch kind {
        case .application: settings.applicationVersion = version
        case .bootloader, .softDeviceAndBootloader: settings.bootloaderVersion = version
        case .softDevice, .externalApplication: break
        }
    }
}
