import UpdateModel

/// What the server takes over this link (docs/protocols/mcuboot-smp.md, Buffers).
extension SMPUpdate {
    /// The longest frame that is worth its memory on both sides.
    static let longestFrame = 8192
    /// A frame that holds any request but an upload.
    static let leastBuffer = 64
    /// More buffers than that are no count.
    static let mostBuffers = 0xFFFF
    /// Links on which joined packets may fail before each frame gets a packet of its own.
    static let maximumJoinedFailures = 2

    /// The server's buffers, nil if it does not report them: then a frame is one packet, and one is under way.
    mutating func learn(bufferSize: Int?, count: Int?) -> UpdateStep {
        guard let bufferSize, bufferSize >= Self.leastBuffer else {
            return ask(link.packetLength < Self.firstFrame && mayJoin ? .joinedEcho : .mode)
        }
        let size = min(bufferSize, Self.longestFrame)
        link.bufferSize = size
        let count = count.flatMap { (1...Self.mostBuffers).contains($0) ? $0 : nil } ?? 1
        // One of them is for the answer.
        let most = min(count - 1, UploadWindow.largest)
        link.window = max(min(most, preferences.window ?? most), 1)
        link.frameLimit = min(size, link.packetLength)
        return ask(size / link.packetLength > 1 && mayJoin ? .joinedEcho : .mode)
    }

    private var mayJoin: Bool { counts.joinedFailures < Self.maximumJoinedFailures }
    /// The shortest first request of an upload with everything that it can have.
    static let firstFrame = 107

    /// The bytes of an echo around its text, at most.
    static let echoOverhead = SMPFrame.headerLength + 6
    /// The bytes of an echo in its second packet, at most: fewer than a header, so that a server that joins
    /// no packets cannot take them for a request.
    static let echoRest = 6
    /// Packets that end a request that was cut.
    static let maximumFillers = 16
    /// The shortest digest that is sent.
    static let leastDigest = 16

    /// Old servers keep a part of a request when a link ends, and add the packets of the next link to it:
    /// they answer none of them, and may write them to the slot. So the upload begins again, under another
    /// digest, once packets have completed that request; nil if no request can have been cut.
    mutating func fill() -> UpdateStep? {
        guard counts.hasJoined, counts.fillers < Self.maximumFillers else { return nil }
        counts.fillers += 1
        if link.exchange?.request == .parameters {
            for index in parts.indices {
                parts[index].digestLength = max(parts[index].digestLength - 1, Self.leastDigest)
                (parts[index].isThere, parts[index].reached) = (false, 0)
            }
        }
        return ask(.filler)
    }

    /// A server that reports a large buffer need not join packets: its echo shows that.
    mutating func frames(areJoined: Bool) -> UpdateStep {
        link.joins = areJoined
        if areJoined { link.frameLimit = joinedLimit }
        return ask(.mode)
    }

    /// As many whole packets as a buffer of the server takes. A part of one follows if it has at least half of
    /// a packet: less is not worth its air time.
    private var joinedLimit: Int {
        let size = link.bufferSize ?? Self.leastJoined
        let rest = size % link.packetLength
        let isWorthwhile = rest >= Self.leastRest && rest * 2 >= link.packetLength
        return isWorthwhile ? size : max(size - rest, min(size, link.packetLength))
    }
    /// The bytes that such a part has at least.
    static let leastRest = 64

    /// The buffer of a server that does not report it (the default of Zephyr).
    static let leastJoined = 384

    /// The last resort if no first request fits a packet, and the server has no echo: it may join packets all the same.
    mutating func joinPackets() -> Bool {
        guard link.joins == nil, link.frameLimit <= link.packetLength else { return false }
        link.frameLimit = joinedLimit
        link.window = 1
        return link.frameLimit > link.packetLength
    }

    mutating func learnSlots(_ content: CBORMap) {
        guard let images = content.list("images") else { return }
        facts.images = []
        for case .map(let image) in images.prefix(16) {
            let number = image.integer("image") ?? 0
            facts.images?.insert(number)
            if let largest = image.integer("max_image_size"), largest > 0 { facts.largest[number] = largest }
            for case .map(let slot) in (image.list("slots") ?? []).prefix(16) {
                guard let place = slot.integer("slot"), let upload = slot.integer("upload_image_id"),
                    (0...255).contains(upload)
                else { continue }
                facts.uploadNumbers[SlotPlace(image: number, slot: place)] = upload
            }
        }
    }
}

/// Uploads that would take hours, although each answer or link brings them forward.
extension SMPUpdate {
    /// The fewest bytes in this time, or over a link. The slowest servers in reports take 1000 a second.
    static let paceTime = Duration.seconds(60)
    static let leastPace = 600
    /// Links in sequence that may bring less.
    static let maximumSlowLinks = 16

    /// The server has taken the first request of a link. Ends an upload that it begins again on each, or that
    /// each brings forward by a few bytes.
    mutating func noteOpening(_ index: Int, at offset: Int, isResumed: Bool) throws(UpdateFailure) {
        let part = parts[index]
        (parts[index].reached, parts[index].opened) = (offset, offset)
        if isResumed {
            let isSlow = offset - part.opened < Self.leastPace
            parts[index].slowLinks = isSlow ? part.slowLinks + 1 : 0
            guard parts[index].slowLinks <= Self.maximumSlowLinks else {
                throw .uploading(
                    .smp.requestsLost,
                    "\(Self.maximumSlowLinks) links have brought less than \(Self.leastPace) bytes each")
            }
        } else if part.reached > offset, link.upload?.isChecked ?? false {
            // Without the digest, every link begins again.
            parts[index].restarts += 1
            guard parts[index].restarts <= Self.maximumRestarts else {
                throw .uploading(
                    .smp.uploadRestarted, "the beacon has begun the upload again \(part.restarts + 1) times")
            }
        }
    }

    /// Ends an upload that would take hours, although each answer brings it forward.
    mutating func checkPace(_ offset: Int) throws(UpdateFailure) {
        guard let upload = link.upload, let now = times?.ended else { return }
        guard let pace = upload.pace, now - pace.since >= Self.paceTime else {
            if upload.pace == nil { link.upload?.pace = (now, offset) }
            return
        }
        guard offset - pace.offset >= Self.leastPace else {
            let (bytes, seconds) = (max(offset - pace.offset, 0), Int(Self.paceTime / .seconds(1)))
            throw .uploading(.smp.requestsLost, "the beacon has taken \(bytes) bytes in \(seconds) s")
        }
        link.upload?.pace = (now, offset)
    }
}
