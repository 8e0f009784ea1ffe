import Digests

/// The object that is being sent: where it lies, how far it is, and what the device must say then.
///
/// Used for the init packet and for every data object; checksums run from the first byte of the init packet
/// or of the image, not of the object (nordic-secure.md, Checks).
struct SecureTransfer: Equatable, Sendable {
    let object: SecureObject
    /// Where the object lies in its source.
    let range: Range<Int>
    /// CRC-32 of the source before `range`.
    let baseChecksum: UInt32
    /// Whether the flash is still busy with what came before the first object.
    let isFirst: Bool
    /// How often the object was sent before.
    var attempt = 0
    /// The next byte to be sent.
    var position: Int
    /// CRC-32 of the source before `position`.
    var checksum: UInt32
    /// What the flash has to do for the object; nil for an init packet, which stays in RAM, and before Create
    /// is answered.
    private(set) var forecast: FlashForecast?
    /// Where sending begins, with the CRC-32 there, and where the device begins to count packets for its receipts.
    private var start: SecureProgress
    /// The first byte that was sent over this link.
    private let first: Int
    /// Up to where receipts have come, and the CRC-32 there.
    private(set) var receipted: SecureProgress
    /// All receipts are taken that had come when the last packets left.
    var hasLooked = false
    var check = Check.object(mismatches: 0)
    /// How many checksum answers without offset and CRC have come.
    var shortAnswers = 0
    /// The device has answered Create, or had a part already.
    private(set) var hasBegun = false
    /// How often in a row it was gone on with where it was gone on with before.
    private var standstills = 0
    private static let maximumStandstills = 8

    /// An object that starts at its first byte.
    init(_ object: SecureObject, _ range: Range<Int>, after baseChecksum: UInt32, isFirst: Bool) {
        self.object = object
        self.range = range
        self.baseChecksum = baseChecksum
        self.isFirst = isFirst
        first = range.lowerBound
        position = range.lowerBound
        checksum = baseChecksum
        receipted = SecureProgress(offset: range.lowerBound, crc: baseChecksum)
        start = receipted
    }

    /// An object of which the device has a part already.
    init(_ object: SecureObject, _ range: Range<Int>, goingOnAt position: Int, with checksum: UInt32) {
        self.object = object
        self.range = range
        baseChecksum = checksum
        isFirst = object == .data
        self.position = position
        self.checksum = checksum
        receipted = SecureProgress(offset: position, crc: checksum)
        start = receipted
        first = position
        hasBegun = true
    }

    var isSent: Bool { position == range.upperBound }
    /// Whether it was taken up where the device had it, so that what stands before it is not known.
    var wentOnInside: Bool { first > range.lowerBound }
    /// Whether the device had all of it before.
    var wasWhole: Bool { first == range.upperBound }
    var create: SecureRequest { .create(object, size: UInt32(range.count)) }

    /// Whether the device has exactly what we have sent.
    func agrees(with progress: SecureProgress) -> Bool {
        progress.offset == position && progress.crc == checksum
    }

    /// Whether the device has nothing of what was sent of the object, which was more than a packet.
    func lacksEverything(_ progress: SecureProgress, _ flow: FlowControl) -> Bool {
        object == .data && position - range.lowerBound > flow.payload
            && progress == SecureProgress(offset: range.lowerBound, crc: baseChecksum)
    }

    /// Packets on the way that no receipt speaks of.
    func outstanding(_ flow: FlowControl) -> Int {
        (position - receipted.offset + flow.payload - 1) / flow.payload
    }

    /// What has to happen before, or with, the next packets.
    func next(_ flow: FlowControl, at now: Duration) -> NextStep {
        var packets = (range.upperBound - position + flow.payload - 1) / flow.payload
        if flow.receiptInterval > 0 { packets = min(packets, flow.window - outstanding(flow)) }
        guard packets > 0 else { return .awaitReceipt }
        guard let forecast else { return .send(bytes(packets, flow)) }
        guard !isReceiptOverdue(flow, forecast, at: now) else { return .awaitReceipt }
        let room = forecast.room(at: now)
        let worthwhile = min(packets, forecast.handful)
        // What fits beside the erase need not wait for more.
        guard room >= worthwhile || room > 0 && now < forecast.erased else {
            return .rest(until: forecast.moment(for: worthwhile))
        }
        return .send(bytes(min(packets, room), flow))
    }

    /// Whether receipts may have come that tell when packets have arrived.
    func mayHaveReceipts(_ flow: FlowControl) -> Bool {
        !hasLooked && forecast?.wantsReceipts == true && flow.hasOwnReceipts
            && outstanding(flow) >= flow.receiptInterval
    }

    /// Whether a receipt that should have come has not been seen.
    private func isReceiptOverdue(_ flow: FlowControl, _ forecast: FlashForecast, at now: Duration) -> Bool {
        let outstanding = outstanding(flow)
        guard flow.hasOwnReceipts, outstanding >= flow.receiptInterval else { return false }
        let confirmed = (receipted.offset - start.offset + flow.payload - 1) / flow.payload
        return forecast.isOverdue(confirmed + flow.receiptInterval - 1, at: now)
    }

    private func bytes(_ packets: Int, _ flow: FlowControl) -> Int {
        min(range.upperBound - position, packets * flow.payload)
    }

    /// The next `count` bytes were handed over in the time between two moments.
    mutating func advance(
        by count: Int, of source: [UInt8], _ flow: FlowControl, from start: Duration, to end: Duration
    ) {
        checksum = Self.checksum(checksum, source[position..<position + count])
        position += count
        hasLooked = false
        forecast?.send((count + flow.payload - 1) / flow.payload, from: start, to: end)
    }

    /// The device may be sent packets from now on; its flash has done what was queued before the object at `idle`,
    /// where that is known.
    mutating func begin(_ flow: FlowControl, after created: Exchange, and idle: Duration? = nil) {
        hasBegun = true
        guard object == .data else { return }
        forecast = flow.forecast(
            isFirst: isFirst, from: created, after: idle, start: position - range.lowerBound,
            size: range.count)
    }

    /// Whether `progress` is the receipt of packets that are on the way: it ends where one is due, with the
    /// checksum of what was sent up to there. It was here at `moment`, and not for a while already where it was `awaited`.
    mutating func takeReceipt(
        _ progress: SecureProgress, of source: [UInt8], _ flow: FlowControl, at moment: Duration,
        awaited: Bool
    ) -> Bool {
        let due = flow.receiptInterval * flow.payload
        guard due > 0, progress.offset > receipted.offset, progress.offset <= position,
            progress.offset == position || (progress.offset - start.offset).isMultiple(of: due)
        else { return false }
        let sum = Self.checksum(receipted.crc, source[receipted.offset..<progress.offset])
        guard sum == progress.crc else { return false }
        receipted = progress
        let left = outstanding(flow)
        forecast?.note(outstanding: left, seen: moment, by: moment, interval: flow.interval, awaited: awaited)
        return true
    }

    /// The device has said that it has everything so far.
    mutating func confirm(_ flow: FlowControl, by exchange: Exchange) {
        receipted = SecureProgress(offset: position, crc: checksum)
        forecast?.note(
            outstanding: 0, seen: exchange.answered, by: flow.received(exchange), interval: flow.interval,
            awaited: true)
    }

    /// Whether the device has the first part of what was sent, and nothing else: it can be gone on with there. Not where
    /// nothing of the object has arrived, whose page is erased once more then, nor inside a word, nor for ever.
    func holdsPart(_ progress: SecureProgress, of source: [UInt8]) -> Bool {
        guard hasBegun, progress.offset >= start.offset, progress.offset > range.lowerBound,
            progress.offset < position, (progress.offset - range.lowerBound).isMultiple(of: 4),
            progress.offset > start.offset || standstills < Self.maximumStandstills
        else { return false }
        return Self.checksum(start.crc, source[start.offset..<progress.offset]) == progress.crc
    }

    /// What comes after `progress` is sent again. All that left before is written, by our reckoning, before anything else.
    mutating func goOn(at progress: SecureProgress, _ flow: FlowControl) {
        standstills = progress.offset > start.offset ? 0 : standstills + 1
        position = progress.offset
        checksum = progress.crc
        (start, receipted) = (progress, progress)
        (hasLooked, check) = (false, .object(mismatches: 0))
        forecast = forecast.map {
            flow.forecast(
                erased: $0.idle, isFirst: false, isContinued: true, start: position - range.lowerBound,
                size: range.count)
        }
    }

    private static func checksum(_ base: UInt32, _ bytes: ArraySlice<UInt8>) -> UInt32 {
        var digest = CRC32(continuing: base)
        digest.update(bytes)
        return digest.value
    }
}

extension SecureTransfer {
    /// What to do next with an object that is not sent yet.
    enum NextStep: Equatable, Sendable {
        /// Hand over so many bytes.
        case send(Int)
        /// Wait for a receipt.
        case awaitReceipt
        /// Wait for the flash.
        case rest(until: Duration)
    }

    /// What the answer to a checksum request decides.
    enum Check: Equatable, Sendable {
        /// Whether the object has arrived.
        case object(mismatches: Int)
        /// Whether a receipt that did not fit, or did not come, was only an old one, or is late.
        case receipt(mismatches: Int)
        /// Whether the device still has a part of what was sent.
        case part
        /// Whether the device went back to the offset from which we want to go on.
        case base
    }
}

extension SecureImage {
    /// The init packet, from its first byte.
    var initTransfer: SecureTransfer {
        SecureTransfer(.command, 0..<initPacket.count, after: 0, isFirst: false)
    }
}
