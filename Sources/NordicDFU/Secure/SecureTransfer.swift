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
    /// Whether it was taken up where the device had it, so that what stands before it is not known.
    let wentOnInside: Bool
    /// How often the object was sent before.
    var attempt = 0
    /// The next byte to be sent.
    var position: Int
    /// CRC-32 of the source before `position`.
    var checksum: UInt32
    /// Packets since the Create response; nil once the pause behind it is over.
    var burstPackets: Int?
    /// Packets since the last receipt.
    var sinceReceipt = 0

    /// An object that starts at its first byte.
    init(_ object: SecureObject, _ range: Range<Int>, after baseChecksum: UInt32, isFirst: Bool) {
        self.object = object
        self.range = range
        self.baseChecksum = baseChecksum
        self.isFirst = isFirst
        wentOnInside = false
        position = range.lowerBound
        checksum = baseChecksum
        burstPackets = object == .data ? 0 : nil
    }

    /// An object of which the device has a part already.
    init(_ object: SecureObject, _ range: Range<Int>, goingOnAt position: Int, with checksum: UInt32) {
        self.object = object
        self.range = range
        baseChecksum = checksum
        isFirst = object == .data
        wentOnInside = true
        self.position = position
        self.checksum = checksum
        burstPackets = nil
    }

    var isSent: Bool { position == range.upperBound }
    var size: UInt32 { UInt32(range.count) }

    /// Whether the device has exactly what we have sent.
    func agrees(with progress: SecureProgress) -> Bool {
        progress.offset == position && progress.crc == checksum
    }

    /// How many of the next bytes may leave before something has to be waited for.
    func nextCount(_ flow: FlowControl) -> Int {
        var packets = Int.max / flow.payload
        if let burstPackets { packets = min(packets, max(0, flow.burst(isFirst: isFirst) - burstPackets)) }
        if flow.receiptInterval > 0 { packets = min(packets, flow.receiptInterval - sinceReceipt) }
        return min(range.upperBound - position, packets * flow.payload)
    }

    /// The bytes up to `end` have been sent.
    mutating func advance(by count: Int, of source: [UInt8], _ flow: FlowControl) {
        var digest = CRC32(continuing: checksum)
        digest.update(source[position..<position + count])
        checksum = digest.value
        position += count
        let packets = (count + flow.payload - 1) / flow.payload
        burstPackets = burstPackets.map { $0 + packets }
        sinceReceipt += packets
    }

    /// Once more from the first byte, after a Create.
    mutating func restart() {
        position = range.lowerBound
        checksum = baseChecksum
        sinceReceipt = 0
        burstPackets = object == .data ? 0 : nil
    }
}
