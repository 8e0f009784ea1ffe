import Bytes

extension SecureBootloader {
    /// Processes a write to the Packet characteristic.
    ///
    /// Without a free buffer it is ignored before it is counted. With one it counts for the PRN, refused or not
    /// (nordic-secure.md, Conversation and Timing).
    public mutating func packet(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction] {
        advance(to: now)
        guard phase != .closing else { return [] }
        guard !isTired(at: now) else { return leave(at: now) }
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
                let point = personality.receiptsTellRefusals ? nil : point(of: memory.object)
                return countPacket(refusal: nil, point ?? Self.nowhere, at: now)
            }
        } catch {
            guard personality.receiptsTellRefusals else {
                return countPacket(refusal: nil, point(of: memory.object) ?? Self.nowhere, at: now)
            }
            memory.leakedBuffers += 1
            statistics.buffersLeaked = memory.leakedBuffers
            return countPacket(refusal: error.code, Self.nowhere, at: now)
        }
        return countPacket(refusal: nil, point(of: memory.object) ?? Self.nowhere, at: now)
    }

    /// Whether there was room for the packet.
    private mutating func accept(_ bytes: [UInt8], at now: Duration) throws(Refusal) -> Bool {
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
            guard bytes.count <= memory.ring?.length ?? .max else { throw Refusal(.insufficientResources) }
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
        if let room = memory.ring?.room, rest.count >= room {
            fill(rest.prefix(room), at: now)
            rest = rest.dropFirst(room)
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
        if begins == nil {
            memory.progress.rollBack()
        } else {
            memory.ring?.writeOffset += ring.position
        }
        memory.ring?.swap()
        return begins != nil
    }

    /// Counts a packet towards the notification; at zero the notification is sent and the count restarts.
    mutating func countPacket(
        refusal: ResultCode?, _ point: [UInt8], at now: Duration
    ) -> [FirmwareReaction] {
        guard memory.notificationInterval > 0 else { return [] }
        if memory.packetsUntilNotification > 1 {
            memory.packetsUntilNotification -= 1
            return []
        }
        memory.packetsUntilNotification = memory.notificationInterval
        bytesTold = acceptedOfObject
        return [refusal.map { refuse(0x03, $0, now) } ?? answer(0x03, point, at: now)]
    }

    /// The CRC-32 of the received part of the init packet.
    var checksumOfInit: UInt32 { CRC32.checksum(memory.progress.initPacket) }
}
