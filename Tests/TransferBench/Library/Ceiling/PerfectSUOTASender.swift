import Bytes
import Simulation

/// A SUOTA conversation without unnecessary waits, played against the receiver itself.
struct PerfectSUOTASender {
    /// When the last answer came; the next packet is ready then.
    private(set) var now = Duration.zero
    /// Time between the first and the last packet of every block, in whole events.
    private(set) var carrying = Duration.zero
    private(set) var requests = 0
    private(set) var image = 0

    private var up: ConnectionEvents
    private var down: ConnectionEvents
    private var receiver: any SUOTAReceiver

    init(_ link: LinkModel, _ personality: SUOTAPersonality) {
        var link = link
        link.loss = 0
        up = ConnectionEvents(link)
        down = ConnectionEvents(link)
        var board = SUOTABoard(personality)
        board.pins = nil
        receiver = personality.receiver(board)
        receiver.connect(at: .zero)
    }

    /// Whether the receiver accepted everything.
    mutating func send(_ cargo: SUOTACeiling.Cargo) -> Bool {
        let payload = (0..<cargo.code).map { UInt8(truncatingIfNeeded: $0 % 251) }
        let firmware = SUOTAFirmware(version: "2.0.0", timestamp: 1_700_000_000, payload: payload)
        let file = firmware.stored(receiver.personality.family)
        image = file.count
        guard request(.memoryDevice, [0, 0, 0, 0x13]) == 0x10 else { return false }
        switch cargo.way {
        case .attributes(let block, let chunk):
            request(.pinMap, [0, 0, 0, 0])
            guard block > 0, chunk > 0, sendBlocks(file + [XORChecksum.checksum(file[...])], block, chunk)
            else { return false }
        case .channel(let packet):
            guard packet > 0, receiver.listens(on: receiver.personality.psm ?? 0) else { return false }
            stream(file, by: packet)
        }
        return request(.memoryDevice, [0, 0, 0, 0xFE]) == 0x02
    }

    private mutating func sendBlocks(_ upload: [UInt8], _ block: Int, _ chunk: Int) -> Bool {
        var told = 0
        for start in stride(from: 0, to: upload.count, by: block) {
            let part = upload[start..<min(start + block, upload.count)]
            if part.count != told {
                request(.patchLength, [UInt8(part.count & 0xFF), UInt8(part.count >> 8)])
            }
            told = part.count
            guard send(part, by: chunk) == 0x02 else { return false }
        }
        return true
    }

    /// Sends one block; returns its answer.
    private mutating func send(_ block: ArraySlice<UInt8>, by chunk: Int) -> UInt8? {
        requests += 1
        var first: Int?
        for start in stride(from: block.startIndex, to: block.endIndex, by: chunk) {
            let bytes = Array(block[start..<min(start + chunk, block.endIndex)])
            let arrived = up.arrival(of: bytes.count + 3, readyAt: now)
            first = first ?? up.event
            guard let (status, due) = receiver.write(bytes, to: .patchData, at: arrived).status else {
                continue
            }
            carrying += up.model.interval * (up.event - (first ?? up.event))
            now = down.arrival(of: 4, readyAt: due)
            return status
        }
        return nil
    }

    /// Packets over the channel: each leaves when there is a credit for it. It is taken out of the buffer, which
    /// returns the credit, when flash is done with the previous one.
    private mutating func stream(_ file: [UInt8], by size: Int) {
        let credits = max(receiver.personality.channelCredits, 1)
        var first: Int?
        var taken: [Duration] = []
        for start in stride(from: 0, to: file.count, by: size) {
            let bytes = Array(file[start..<min(start + size, file.count)])
            let credit = taken.count < credits ? now : max(now, taken[taken.count - credits])
            // Its own length, without that of the Attribute Protocol's header.
            let arrived = up.arrival(of: bytes.count + 2, readyAt: credit)
            first = first ?? up.event
            let isIdle = receiver.idle(at: max(arrived, taken.last ?? arrived))
            taken.append(isIdle)
            _ = receiver.channel(bytes, at: isIdle)
        }
        carrying += up.model.interval * (up.event - (first ?? up.event))
        now = max(up.lastArrival, taken.last ?? now)
    }

    /// A Write Request with its response, and a possible notification; returns the notification's value.
    @discardableResult private mutating func request(_ target: SUOTATarget, _ value: [UInt8]) -> UInt8? {
        requests += 1
        let arrived = up.arrival(of: value.count + 3, readyAt: now)
        let reply = receiver.write(value, to: target, at: arrived)
        now = down.arrival(of: 1, readyAt: arrived)
        guard let (status, due) = reply.status else { return nil }
        now = down.arrival(of: 4, readyAt: due)
        return status
    }
}

extension SUOTAReply {
    /// The final value of STATUS, and its time.
    fileprivate var status: (UInt8, Duration)? {
        for case .notify(let value, let due) in reactions.reversed() { return (value.first ?? 0, due) }
        return nil
    }
}
