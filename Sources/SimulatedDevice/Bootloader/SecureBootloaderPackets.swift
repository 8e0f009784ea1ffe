import Digests

extension SecureBootloader {
    /// A write to the Packet characteristic.
    ///
    /// Without a free buffer it is ignored before anything counts it. With one it counts for the PRN,
    /// refused or not (nordic-secure.md, Conversation and Timing).
    public mutating func packet(_ bytes: [UInt8], at now: Duration) -> [BootloaderReaction] {
        advance(to: now)
        guard phase != .closing else { return [] }
        guard !isTired(at: now) else { return leave(at: now) }
        statistics.packetsReceived += 1
        guard memory.leakedBuffers + flash.waitingWrites < personality.packetBuffers else {
            statistics.packetsDropped += 1
            return []
        }
        do {
            guard try accept(bytes, at: now) else {
                statistics.packetsDropped += 1
                return countPacket(refusal: nil, Self.nowhere, at: now)
            }
        } catch {
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
                throw Refusal(.invalidParameter)
            }
            memory.progress.initPacket += bytes
            return true
        case .data:
            guard memory.progress.isInitValid else { throw Refusal(.operationNotPermitted) }
            guard memory.progress.received + bytes.count <= memory.progress.objectSize else {
                throw Refusal(.invalidParameter)
            }
            guard !bytes.isEmpty else { return true }
            let address = settings.updateAddress + memory.progress.offset
            guard flash.append(.write(bytes, at: address), at: now) != nil else { return false }
            memory.progress.accept(bytes)
            return true
        case nil: throw Refusal(.invalidObject)
        }
    }

    /// One packet less until the notification; at the boundary it is sent and the counter starts anew.
    mutating func countPacket(
        refusal: ResultCode?, _ point: [UInt8], at now: Duration
    ) -> [BootloaderReaction] {
        guard memory.notificationInterval > 0 else { return [] }
        if memory.packetsUntilNotification > 1 {
            memory.packetsUntilNotification -= 1
            return []
        }
        memory.packetsUntilNotification = memory.notificationInterval
        return [refusal.map { refuse(0x03, $0, now) } ?? answer(0x03, point, at: now)]
    }

    /// The CRC-32 of the init packet as far as it has arrived.
    var checksumOfInit: UInt32 { CRC32.checksum(memory.progress.initPacket) }
}
