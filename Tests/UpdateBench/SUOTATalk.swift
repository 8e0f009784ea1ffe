import Bluetooth
package import Dialog
package import Simulation
package import UpdateModel

/// SUOTA's procedure against a receiver, one value against another: no link, no engine, and no time but the flash's.
package struct SUOTATalk {
    package enum Ending: Equatable {
        /// The device has confirmed the image and was told to restart.
        case confirmed
        case unconfirmed
        case failed(UpdateFailure)
        /// More steps than any conversation needs.
        case endless
    }

    package private(set) var receiver: any SUOTAReceiver
    /// The lengths that were announced.
    package private(set) var lengths: [Int] = []
    /// Bytes of the longest chunk.
    package private(set) var longestChunk = 0
    private var now = Duration.zero
    private var waiting: [[UInt8]] = []
    private let personality: SUOTAPersonality

    /// A device whose flash takes no time.
    package init(_ personality: SUOTAPersonality) {
        var instant = personality
        instant.timing = .instant
        // A short image is in place sooner.
        var board = SUOTABoard(instant)
        board.first?.payload = [1]
        self.personality = instant
        receiver = instant.receiver(board)
        receiver.connect(at: now)
    }

    /// One link, from its beginning.
    package mutating func run(_ procedure: SUOTAProcedure) -> Ending {
        var procedure = procedure
        do throws(UpdateFailure) {
            var step = try procedure.begin(on: LinkFacts(maximumWriteLength: personality.maximumMTU - 3))
            for _ in 0..<10_000 {
                if case .end(.complete(let completion)) = step.command {
                    return completion.isConfirmed ? .confirmed : .unconfirmed
                }
                let outcome = carryOut(step.command)
                // Everything takes a moment, so that no status is too early.
                if outcome != .timedOut {
                    procedure.note(CommandTimes(started: now, ended: now + .milliseconds(20)))
                }
                step = try procedure.advance(after: outcome)
            }
            return .endless
        } catch { return .failed(error) }
    }

    /// The image that starts when the link has ended.
    package mutating func restart() -> SUOTABoot {
        _ = receiver.disconnect(at: now)
        return receiver.reset(at: now)
    }

    private mutating func carryOut(_ command: UpdateCommand) -> DialogueOutcome {
        switch command {
        case .read(let source): return read(source)
        case .request(let bytes, let target, _, _):
            waiting = []
            write(bytes, to: target)
            return next()
        case .expect: return next()
        case .write(let bytes, let target, _): write(bytes, to: target)
        case .stream(let run): stream(run)
        case .open: return .opened(maximumPacket: personality.channelMTU)
        case .subscribe, .rest, .list, .find, .readHandle, .readIfAllowed, .end: break
        }
        return .done
    }

    private func read(_ source: Characteristic) -> DialogueOutcome {
        let number: Int? =
            switch source {
            case SUOTAService.status: Int(receiver.status)
            case SUOTAService.memoryInformation: Int(receiver.memoryInfo)
            case SUOTAService.version: personality.version.map(Int.init)
            case SUOTAService.patchDataSize: personality.version == nil ? nil : personality.patchDataSize
            case SUOTAService.mtu: personality.version == nil ? nil : personality.maximumMTU
            case SUOTAService.psm: personality.psm.map(Int.init)
            default: nil
            }
        guard let number else { return .absent }
        return .value((0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    private mutating func stream(_ run: PacketRun) {
        var rest = run.bytes
        while !rest.isEmpty {
            let packet = Array(rest.prefix(run.packetLength))
            rest = rest.dropFirst(run.packetLength)
            longestChunk = max(longestChunk, packet.count)
            switch run.target {
            case .characteristic(let target): write(packet, to: target)
            case .channel: take(receiver.channel(packet, at: now))
            }
        }
    }

    private mutating func write(_ bytes: [UInt8], to target: Characteristic) {
        guard let target = SUOTATarget(target.uuid) else { return }
        if target == .patchLength, bytes.count == 2 { lengths.append(Int(bytes[0]) | Int(bytes[1]) << 8) }
        take(receiver.write(bytes, to: target, at: now))
    }

    private mutating func take(_ reply: SUOTAReply) {
        for case .notify(let value, let due) in reply.reactions {
            waiting.append(value)
            now = max(now, due)
        }
    }

    private mutating func next() -> DialogueOutcome {
        waiting.isEmpty ? .timedOut : .value(waiting.removeFirst())
    }
}
