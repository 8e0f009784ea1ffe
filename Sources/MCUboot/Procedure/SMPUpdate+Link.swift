import UpdateModel

/// What the server accepts over this link (docs/protocols/mcuboot-smp.md, Buffers).
extension SMPUpdate {
    /// The longest frame to send, in bytes; longer ones are not worth the memory on both sides.
    static let longestFrame = 8192
    /// The smallest plausible buffer, in bytes: it holds any request except an upload.
    static let leastBuffer = 64
    /// The highest plausible number of buffers.
    static let mostBuffers = 0xFFFF
    /// How many links may fail with joined packets before each frame is sent as one packet.
    static let maximumJoinedFailures = 2

    /// Notes the server's buffers. If it reports none (nil), a frame is one packet, and one request is under way.
    mutating func noteBuffers(size bufferSize: Int?, count: Int?) -> UpdateStep {
        guard let bufferSize, bufferSize >= Self.leastBuffer else {
            return ask(link.packetLength < Self.firstFrame && mayJoin ? .joinedEcho : .mode)
        }
        let size = min(bufferSize, Self.longestFrame)
        link.bufferSize = size
        let count = count.flatMap { (1...Self.mostBuffers).contains($0) ? $0 : nil } ?? 1
        // One buffer is for the answer.
        let most = min(count - 1, UploadWindow.largest)
        link.window = max(min(most, preferences.window ?? most), 1)
        link.frameLimit = min(size, link.packetLength)
        return ask(size / link.packetLength > 1 && mayJoin ? .joinedEcho : .mode)
    }

    private var mayJoin: Bool { counts.joinedFailures < Self.maximumJoinedFailures }
    /// The length of an upload's first request with all its members and the least data, in bytes.
    static let firstFrame = 107

    /// The maximum number of bytes of an echo request besides its text.
    static let echoOverhead = SMPFrame.headerLength + 6
    /// The maximum number of an echo's bytes in its second packet: fewer than in a header, so that a server that does
    /// not join packets cannot take them for a request.
    static let echoRest = 6
    /// The maximum number of packets to complete a request that was cut.
    static let maximumFillers = 16
    /// The shortest digest that is sent, in bytes.
    static let leastDigest = 16

    /// Sends a packet to complete a request that the end of an earlier link cut; nil if there can be no such request.
    /// Old servers add the packets of the next link to it: they answer none of them, and may write them to the slot. So
    /// the upload begins again, with a digest of another length.
    mutating func sendFiller() -> UpdateStep? {
        guard counts.hasJoined, counts.fillers < Self.maximumFillers else { return nil }
        counts.fillers += 1
        if link.exchange?.request == .parameters {
            for index in parts.indices {
                parts[index].digestLength = max(parts[index].digestLength - 1, Self.leastDigest)
                (parts[index].isUploaded, parts[index].lastWantedOffset) = (false, 0)
            }
        }
        return ask(.filler)
    }

    /// Notes whether the server joins packets to frames, as its echo shows; a large buffer alone does not mean that.
    mutating func noteJoining(isSupported: Bool) -> UpdateStep {
        link.joins = isSupported
        if isSupported { link.frameLimit = joinedLimit }
        return ask(.mode)
    }

    /// The length of as many whole packets as fit into a server's buffer. A shorter packet is added if it has at least
    /// `leastRest` bytes and half a packet: less is not worth its air time.
    private var joinedLimit: Int {
        let size = link.bufferSize ?? Self.leastJoined
        let rest = size % link.packetLength
        let isWorthwhile = rest >= Self.leastRest && rest * 2 >= link.packetLength
        return isWorthwhile ? size : max(size - rest, min(size, link.packetLength))
    }
    /// The least bytes in the shorter packet at the end of a frame.
    static let leastRest = 64

    /// The assumed buffer of a server that does not report it, in bytes (Zephyr's default).
    static let leastJoined = 384

    /// Joins packets as the last resort, if no first request fits into one packet and the server has no echo; returns
    /// whether it does.
    mutating func joinPackets() -> Bool {
        guard link.joins == nil, link.frameLimit <= link.packetLength else { return false }
        link.frameLimit = joinedLimit
        link.window = 1
        return link.frameLimit > link.packetLength
    }

    mutating func noteSlots(in content: CBORMap) {
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

/// Ends uploads that would take hours, although each answer or link advances them.
extension SMPUpdate {
    /// An upload has to advance by `leastPace` bytes in `paceTime`. The slowest known servers take 1000 bytes/s.
    static let paceTime = Duration.seconds(60)
    static let leastPace = 600
    /// How many links in sequence may advance an upload by less than `leastPace` bytes.
    static let maximumSlowLinks = 16

    /// Notes that the server has taken the first request of a link. Ends an upload that begins again over each link, or
    /// that each link advances by a few bytes only.
    mutating func noteOpening(_ index: Int, at offset: Int, isResumed: Bool) throws(UpdateFailure) {
        let part = parts[index]
        (parts[index].lastWantedOffset, parts[index].firstWantedOffset) = (offset, offset)
        if isResumed {
            let isSlow = offset - part.firstWantedOffset < Self.leastPace
            parts[index].slowLinks = isSlow ? part.slowLinks + 1 : 0
            guard parts[index].slowLinks <= Self.maximumSlowLinks else {
                throw .uploading(
                    .smp.requestsLost,
                    "\(Self.maximumSlowLinks) links have brought less than \(Self.leastPace) bytes each")
            }
        } else if part.lastWantedOffset > offset, link.upload?.isChecked ?? false {
            // An upload without the whole digest begins again over every link, which is no fault.
            parts[index].restarts += 1
            guard parts[index].restarts <= Self.maximumRestarts else {
                throw .uploading(
                    .smp.uploadRestarted, "the beacon has begun the upload again \(part.restarts + 1) times")
            }
        }
    }

    /// Ends an upload that would take hours, although each answer advances it.
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
