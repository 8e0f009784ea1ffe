import Bytes

/// The object being sent: its place in the source, its progress, and what the device is expected to report.
///
/// Used for the init packet and for every data object. Checksums start at the first byte of the init packet or of the
/// image, not of the object (nordic-secure.md, Checks).
struct SecureTransfer: Sendable {
    let object: SecureObject
    let range: Range<Int>
    /// CRC-32 of the source before `range`.
    let baseChecksum: UInt32
    /// Whether the flash may still be writing the settings of Execute(init).
    let isFirst: Bool
    var attempt = 0
    /// Offset of the next byte to be sent.
    var position: Int
    /// CRC-32 of the source before `position`.
    var checksum: UInt32
    /// The flash's work for the object; nil before the response to Create, and for an init packet, which stays in RAM.
    private(set) var forecast: (any FlashForecast)?
    /// The offset where sending started or was resumed, and the CRC-32 there. From here the device counts packets for its
    /// receipts.
    private var start: SecureProgress
    /// Offset of the first byte that this transfer sends.
    private let first: Int
    /// The offset of the last receipt, and the CRC-32 there.
    private(set) var receipted: SecureProgress
    /// Whether the receipts that came during the last packets have been read.
    var hasReadReceipts = false
    var check = Check.object(mismatches: 0)
    /// The number of checksum responses without offset and CRC so far.
    var shortAnswers = 0
    /// Whether the device has acknowledged Create, or already had a part of the object.
    private(set) var hasBegun = false
    /// How often in succession sending was resumed at the same offset.
    private var standstills = 0
    private static let maximumStandstills = 8

    /// Sending starts at `position`, by default the start of `range`. `checksum` is the CRC-32 of the source before it.
    init(
        _ object: SecureObject, _ range: Range<Int>, after checksum: UInt32, isFirst: Bool,
        resumingAt position: Int? = nil
    ) {
        (self.object, self.range, self.isFirst) = (object, range, isFirst)
        first = position ?? range.lowerBound
        self.position = first
        (baseChecksum, self.checksum) = (checksum, checksum)
        receipted = SecureProgress(offset: first, crc: checksum)
        start = receipted
        hasBegun = position != nil
    }

    var isSent: Bool { position == range.upperBound }
    /// Whether sending started inside the object, so that the device's earlier bytes are not known to be right.
    var hasResumedInside: Bool { first > range.lowerBound }
    /// Whether the device already had the whole object.
    var wasComplete: Bool { first == range.upperBound }
    var create: SecureRequest { .create(object, size: UInt32(range.count)) }

    func agrees(with progress: SecureProgress) -> Bool {
        progress.offset == position && progress.crc == checksum
    }

    /// Whether the device has nothing of the object although more than one packet was sent.
    func lacksEverything(_ progress: SecureProgress, _ flow: FlowControl) -> Bool {
        object == .data && position - range.lowerBound > flow.payload
            && progress == SecureProgress(offset: range.lowerBound, crc: baseChecksum)
    }

    /// The number of packets sent without a receipt yet.
    func outstanding(_ flow: FlowControl) -> Int {
        (position - receipted.offset + flow.payload - 1) / flow.payload
    }

    func next(_ flow: FlowControl, at now: Duration) -> NextStep {
        var packets = (range.upperBound - position + flow.payload - 1) / flow.payload
        if flow.receiptInterval > 0 { packets = min(packets, flow.window - outstanding(flow)) }
        guard packets > 0 else { return .awaitReceipt }
        guard let forecast else { return .send(bytes(packets, flow)) }
        guard !isReceiptOverdue(flow, at: now) else { return .awaitReceipt }
        let room = forecast.capacity(at: now)
        let worthwhile = min(packets, forecast.packetsAtOnce)
        // Packets that fit in the queue during the erase need not wait for a whole group.
        guard room >= worthwhile || room > 0 && now < forecast.erased else {
            return .rest(until: forecast.moment(for: worthwhile))
        }
        return .send(bytes(min(packets, room), flow))
    }

    /// Whether unread receipts may have come, which show when packets arrived.
    func mayHaveReceipts(_ flow: FlowControl) -> Bool {
        !hasReadReceipts && forecast?.wantsReceipts == true && flow.hasOwnReceipts
            && outstanding(flow) >= flow.receiptInterval
    }

    private func isReceiptOverdue(_ flow: FlowControl, at now: Duration) -> Bool {
        guard flow.hasOwnReceipts, outstanding(flow) >= flow.receiptInterval else { return false }
        let confirmed = (receipted.offset - start.offset + flow.payload - 1) / flow.payload
        return forecast?.isOverdue(confirmed + flow.receiptInterval - 1, at: now) ?? false
    }

    private func bytes(_ packets: Int, _ flow: FlowControl) -> Int {
        min(range.upperBound - position, packets * flow.payload)
    }

    /// Records that the next `count` bytes were sent between two moments.
    mutating func advance(
        by count: Int, of source: [UInt8], _ flow: FlowControl, from start: Duration, to end: Duration
    ) {
        checksum = Self.checksum(checksum, source[position..<position + count])
        position += count
        hasReadReceipts = false
        forecast?.send((count + flow.payload - 1) / flow.payload, from: start, to: end)
    }

    /// Records that packets may be sent from now on. `idle` is when the flash has finished its earlier work, if known.
    mutating func begin(_ flow: FlowControl, after created: Exchange, and idle: Duration? = nil) {
        hasBegun = true
        guard object == .data else { return }
        forecast = flow.forecast(
            isFirst: isFirst, from: created, after: idle, start: position - range.lowerBound,
            size: range.count)
    }

    /// Accepts `progress` as a receipt, which came at `moment`, if it ends where a receipt is due and has the checksum of
    /// the bytes sent up to there. `isFresh`: it was received as it came, not from a buffer. Returns whether it fits.
    mutating func acceptReceipt(
        _ progress: SecureProgress, of source: [UInt8], _ flow: FlowControl, at moment: Duration,
        isFresh: Bool
    ) -> Bool {
        let due = flow.receiptInterval * flow.payload
        guard due > 0, progress.offset > receipted.offset, progress.offset <= position,
            progress.offset == position || (progress.offset - start.offset).isMultiple(of: due)
        else { return false }
        let sum = Self.checksum(receipted.crc, source[receipted.offset..<progress.offset])
        guard sum == progress.crc else { return false }
        receipted = progress
        let left = outstanding(flow)
        forecast?.note(
            outstanding: left, seenAt: moment, arrivedBy: moment, interval: flow.interval, isFresh: isFresh)
        return true
    }

    mutating func confirm(_ flow: FlowControl, by exchange: Exchange) {
        receipted = SecureProgress(offset: position, crc: checksum)
        forecast?.note(
            outstanding: 0, seenAt: exchange.answered, arrivedBy: flow.received(exchange),
            interval: flow.interval,
            isFresh: true)
    }

    /// Whether the device has only the first part of what was sent, and sending can resume after it. It cannot if nothing
    /// of the object arrived (its page is then erased again), inside a word, or too often at one offset.
    func holdsPart(_ progress: SecureProgress, of source: [UInt8]) -> Bool {
        guard hasBegun, progress.offset >= start.offset, progress.offset > range.lowerBound,
            progress.offset < position, (progress.offset - range.lowerBound).isMultiple(of: 4),
            progress.offset > start.offset || standstills < Self.maximumStandstills
        else { return false }
        return Self.checksum(start.crc, source[start.offset..<progress.offset]) == progress.crc
    }

    /// Returns to `progress`, so that everything after it is sent again. The forecast assumes that all packets sent
    /// earlier are written first.
    mutating func rewind(to progress: SecureProgress, _ flow: FlowControl) {
        standstills = progress.offset > start.offset ? 0 : standstills + 1
        position = progress.offset
        checksum = progress.crc
        (start, receipted) = (progress, progress)
        (hasReadReceipts, check) = (false, .object(mismatches: 0))
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

    enum NextStep: Equatable, Sendable {
        case send(Int)
        case awaitReceipt
        case rest(until: Duration)
    }

    /// The question that the next checksum response answers.
    enum Check: Equatable, Sendable {
        /// Has the whole object arrived?
        case object(mismatches: Int)
        /// Was a receipt that did not match, or did not come, only outdated or delayed?
        case receipt(mismatches: Int)
        /// Which part of what was sent does the device have after a loss?
        case part
        /// Has the device gone back to the offset where sending resumes?
        case base
    }
}

/// One part of a package as sent: init packet first, then the image.
package struct SecureImage: Equatable, Sendable {
    package let initPacket: [UInt8]
    package let bytes: [UInt8]
    package let role: FirmwareRole
    package let isSigned: Bool
    package let firmwareVersion: UInt32?
    package let hardwareVersion: UInt32?
    package let softDevices: [UInt32]

    package init(
        initPacket: [UInt8], bytes: [UInt8], role: FirmwareRole = .application, isSigned: Bool,
        firmwareVersion: UInt32?, hardwareVersion: UInt32?, softDevices: [UInt32]
    ) {
        (self.initPacket, self.bytes, self.role, self.isSigned) = (initPacket, bytes, role, isSigned)
        self.firmwareVersion = firmwareVersion
        (self.hardwareVersion, self.softDevices) = (hardwareVersion, softDevices)
    }

    var initTransfer: SecureTransfer {
        SecureTransfer(.command, 0..<initPacket.count, after: 0, isFirst: false)
    }
}
