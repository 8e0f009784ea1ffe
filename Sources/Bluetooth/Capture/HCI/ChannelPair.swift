import Bytes

/// The two ends of a credit-based channel, and its packets on the signalling channel (Vol 3, Part A, 4.22,
/// 4.23, 4.6 and 4.7).
///
/// The kernel negotiates the channel, so its real channel numbers and limits are unknown here. The recorded ones
/// are invented such that each packet is one frame.
struct ChannelPair: Equatable, Sendable {
    static let signals: UInt16 = 0x0005

    let ours: UInt16
    let theirs: UInt16
    private let identifier: UInt8

    private static let count: UInt16 = 32
    private static let longestFrame: UInt16 = 65_533

    /// The `number`th channel of a link, counting from 0.
    init(number: Int) {
        let place = UInt16(truncatingIfNeeded: number % Int(Self.count))
        ours = 0x0040 + place
        theirs = 0x0060 + place
        identifier = UInt8(truncatingIfNeeded: place + 1)
    }

    ///     0  1  0x14, LE Credit Based Connection Request
    ///     1  1  identifier
    ///     2  2  length, 10
    ///     4  2  PSM
    ///     6  2  our channel
    ///     8  2  MTU
    ///    10  2  MPS
    ///    12  2  credits
    func request(psm: UInt16, maximumPacket: Int) -> [UInt8] {
        signal(0x14, psm, ours, UInt16(clamping: maximumPacket), Self.longestFrame, .max)
    }

    /// LE Credit Based Connection Response (0x15): their channel, MTU, MPS, credits, and result 0.
    func response(maximumPacket: Int) -> [UInt8] {
        signal(0x15, theirs, UInt16(clamping: maximumPacket), Self.longestFrame, .max, 0)
    }

    /// Disconnection Request (0x06) or Response (0x07): their channel, then ours.
    func disconnection(isRequest: Bool) -> [UInt8] { signal(isRequest ? 0x06 : 0x07, theirs, ours) }

    /// The frame of a packet: its length in 2 bytes, and the packet (Vol 3, Part A, 3.4.3).
    func frame(_ packet: [UInt8]) -> [UInt8] { UInt16(clamping: packet.count).bytes() + packet }

    private func signal(_ code: UInt8, _ words: UInt16...) -> [UInt8] {
        [code, identifier] + UInt16(words.count * 2).bytes() + words.flatMap { $0.bytes() }
    }
}
