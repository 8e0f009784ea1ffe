import Bytes

extension SecureBootloader {
    /// Processes Execute: checks an init packet, or finishes a data object once its bytes are in flash.
    mutating func execute(at now: Duration) -> [FirmwareReaction] {
        switch memory.object {
        case .command:
            do { try executeInit(at: now) } catch { return [refuse(0x04, error, now)] }
            return [answer(0x04, at: now)]
        case .data: return executeData(at: now)
        case nil: return [refuse(0x04, .invalidObject, now)]
        }
    }

    private mutating func executeInit(at now: Duration) throws(ResultCode) {
        let isWhole = memory.progress.initPacket.count == memory.progress.initSize
        if personality.countsEveryObject, isWhole { stay(from: now) }
        guard isWhole else { throw .operationNotPermitted }
        guard !memory.progress.isInitValid, !lacksRoom else { return }
        do { try installInit(at: now) } catch {
            lacksRoom = personality.acceptsRepeatWithoutRoom && error == .insufficientResources
            if !personality.keepsFailedInit { memory.progress = UpdateProgress() }
            throw error
        }
    }

    private mutating func installInit(at now: Duration) throws(ResultCode) {
        guard let packet = decodedInit else { throw .invalidObject }
        let check = InitPacketCheck(personality: personality, identity: identity, settings: settings)
        settings.updateAddress = try check.place(for: packet)
        settings.initPacket = memory.progress.initPacket
        if !personality.erasesAtFirstObject { eraseApplication() }
        guard writeSettings(personality.settingsAtInit, at: now) else { throw .operationFailed }
        memory.progress.isInitValid = true
    }

    mutating func eraseApplication() {
        if settings.updateAddress == identity.layout.applicationStart { settings.applicationSize = 0 }
    }

    private mutating func executeData(at now: Duration) -> [FirmwareReaction] {
        guard personality.waitsForFlash else { return executeDataAtOnce(at: now) }
        stay(from: now)
        let barrier = flash.idle(at: now)
        guard let packet = installing else { return close(answering: .verificationFailed, at: barrier) }
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

    /// Execute of SDK 12 to 14: takes effect even if the settings cannot be written; hashes what flash holds now.
    private mutating func executeDataAtOnce(at now: Duration) -> [FirmwareReaction] {
        guard memory.progress.received == memory.progress.objectSize else {
            return [refuse(0x04, .operationNotPermitted, now)]
        }
        guard finishObject(at: now) else { return [refuse(0x04, .operationFailed, now)] }
        stay(from: now)
        guard let packet = installing else { return close(answering: .hashTypeUnsupported, at: now) }
        guard memory.progress.offset == packet.imageSize else { return [answer(0x04, at: now)] }
        return close(answering: verdict(on: packet), at: now)
    }

    /// Why the finished image in flash is refused; nil if it is valid.
    private func verdict(on packet: DecodedInit) -> ResultCode? {
        let start = settings.updateAddress
        let image = flash.content(start..<start + packet.imageSize)
        guard let hash = packet.hash, hash.type == 3 else { return .hashTypeUnsupported }
        guard SHA256Digest.digest(image) == hash.bytes.reversed() else { return .verificationFailed }
        return isBootable(image, packet) ? nil : .invalidObject
    }

    private func isBootable(_ image: [UInt8], _ packet: DecodedInit) -> Bool {
        let entries = packet.bootValidation
        guard entries.allSatisfy({ $0.type <= 3 }) else { return false }
        func passes(_ part: ArraySlice<UInt8>, _ index: Int) -> Bool {
            guard entries.indices.contains(index), entries[index].type == 3 else { return true }
            return entries[index].bytes.count == 64 && identity.accepts(entries[index].bytes, of: Array(part))
        }
        guard packet.kind?.hasSoftDevice == true else { return passes(image[...], 0) }
        let border = min(Int(packet.softDeviceSize), image.count)
        guard border == 0 || fits(SoftDeviceImage(image), of: border, packet.kind) else { return false }
        return passes(image[..<border], 0)
            && (border == image.count || passes(image[border...], personality.bootloaderValidationEntry))
    }

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

    private var installedRelease: SoftDeviceRelease? {
        settings.softDevice.flatMap(SoftDeviceRelease.init(firmwareID:))
    }

    /// Ends the update with an image, valid or not: the response, the settings, the end of the link and the reset.
    private mutating func close(answering refusal: ResultCode?, at moment: Duration) -> [FirmwareReaction] {
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
        let result = refusal.map(personality.initRules.resultCode)
        guard isWritten else {
            // The device is not reset in this case, and the image must be sent again.
            settings = before
            memory.progress = UpdateProgress()
            return [refuse(0x04, .operationFailed, moment)]
        }
        phase = .closing
        let written = flash.idle(at: moment)
        return [
            refuse(0x04, result ?? .success, moment), .disconnect(at: written),
            .reset(at: written + personality.closingTime),
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

    /// Processes a write to the Packet characteristic.
    ///
    /// Without a free buffer, a packet is ignored and does not count for the PRN. With one, it counts, even if it is
    /// refused (nordic-secure.md, Conversation and Timing).
    package mutating func packet(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction] {
        let reactions = take(bytes, at: now)
        return receiver?.answersEveryPacket == true ? [answer(0x03, at: now)] + reactions : reactions
    }

    private mutating func take(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction] {
        advance(to: now)
        guard phase != .closing else { return [] }
        guard !isInactive(at: now) else { return leave(at: now) }
        statistics.packetsReceived += 1
        if case .executing = phase { statistics.note(SecureRule.dataBeforeAnswer) }
        if case .packets(let count) = personality.buffering,
            memory.leakedBuffers + flash.waitingWrites >= count
        {
            statistics.packetsDropped += 1
            return []
        }
        do {
            guard try accept(bytes, at: now) else {
                statistics.packetsDropped += 1
                return countPacket(sendsOffset: !personality.receiptsReportRefusals, at: now)
            }
        } catch {
            guard personality.receiptsReportRefusals else { return countPacket(at: now) }
            memory.leakedBuffers += 1
            statistics.buffersLeaked = memory.leakedBuffers
            return countPacket(refusal: error, at: now)
        }
        return countPacket(at: now)
    }

    private mutating func accept(_ bytes: [UInt8], at now: Duration) throws(ResultCode) -> Bool {
        switch memory.object {
        case .command:
            guard memory.progress.initPacket.count + bytes.count <= memory.progress.initSize else {
                throw broken(
                    memory.progress.initSize == 0 ? .dataBeforeCreate : .dataBeyondObject, .invalidParameter)
            }
            memory.progress.initPacket += bytes
            return true
        case .data:
            guard memory.progress.isInitValid else { throw broken(.dataBeforeInit, .operationNotPermitted) }
            guard bytes.count <= memory.ring?.length ?? .max else { throw .insufficientResources }
            guard memory.progress.received + bytes.count <= memory.progress.objectSize else {
                throw broken(
                    memory.progress.objectSize == 0 ? .dataBeforeCreate : .dataBeyondObject,
                    .invalidParameter)
            }
            guard !bytes.isEmpty else { return true }
            guard memory.ring == nil else { return collect(bytes, at: now) }
            let address = settings.updateAddress + memory.progress.offset
            guard flash.append(.write(bytes, at: address), at: now) != nil else { return false }
            memory.progress.accept(bytes)
            return true
        case nil: throw broken(.dataBeforeCreate, .invalidObject)
        }
    }

    /// Puts data into the ring, and full chunks into the flash queue; returns whether the queue had room.
    ///
    /// A packet that fills a chunk continues in the next one even if the queue had no room (nRF5 SDK 14.2).
    private mutating func collect(_ bytes: [UInt8], at now: Duration) -> Bool {
        memory.progress.accept(bytes)
        var rest = bytes[...]
        var hadRoom = true
        if let free = memory.ring?.free, rest.count >= free {
            fill(rest.prefix(free), at: now)
            rest = rest.dropFirst(free)
            hadRoom = storeChunk(at: now)
        }
        fill(rest, at: now)
        guard let ring = memory.ring, ring.position > 0,
            ring.writeOffset + ring.position - memory.progress.executedOffset >= memory.progress.objectSize
        else { return hadRoom }
        return storeChunk(at: now) && hadRoom
    }

    private mutating func fill(_ bytes: ArraySlice<UInt8>, at now: Duration) {
        guard let ring = memory.ring, !bytes.isEmpty else { return }
        flash.overwrite(ring.current, at: ring.position, with: bytes, at: now)
        memory.ring?.put(bytes)
    }

    private mutating func storeChunk(at now: Duration) -> Bool {
        guard let ring = memory.ring else { return false }
        let address = settings.updateAddress + ring.writeOffset
        let begins = flash.append(.write(ring.filled, at: address), from: ring.current, at: now)
        if begins == nil { memory.progress.rollBack() } else { memory.ring?.writeOffset += ring.position }
        memory.ring?.swap()
        return begins != nil
    }

    mutating func countPacket(
        refusal: ResultCode? = nil, sendsOffset: Bool = true, at now: Duration
    ) -> [FirmwareReaction] {
        guard memory.notificationInterval > 0 else { return [] }
        if memory.packetsUntilNotification > 1 {
            memory.packetsUntilNotification -= 1
            return []
        }
        memory.packetsUntilNotification = memory.notificationInterval
        bytesReported = acceptedOfObject
        if let refusal { return [refuse(0x03, refusal, now)] }
        let fields = sendsOffset ? offsetAndChecksum(of: memory.object) : nil
        return [answer(0x03, fields ?? [UInt8](repeating: 0, count: 8), at: now)]
    }
}
