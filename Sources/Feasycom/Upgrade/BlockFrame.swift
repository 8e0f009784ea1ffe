import Bytes

/// How the device requests the payload, by its opening byte.
enum TransferMode: Equatable, Sendable {
    /// `C`: packets with a CRC-16; the first 1024 bytes of the payload are omitted.
    case skipping
    /// `S`: packets with a CRC-16; the whole payload.
    case whole
    /// NAK: packets with an 8-bit sum; the whole payload.
    case summed

    var skipped: Int { self == .skipping ? BlockFrame.dataLength : 0 }
}

/// A byte of the transfer: EOT, ACK, NAK, CAN, or a request for the first block.
enum ControlByte: UInt8, Equatable, Sendable {
    case end = 0x04
    case ack = 0x06
    case nak = 0x15
    case cancel = 0x18
    case skipping = 0x43
    case whole = 0x53

    /// The control byte in a notification; nil if it is something else.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 1 else { return nil }
        self.init(rawValue: bytes[0])
    }

    var mode: TransferMode? {
        switch self {
        case .skipping: .skipping
        case .whole: .whole
        case .nak: .summed
        case .end, .ack, .cancel: nil
        }
    }
}

/// A packet of a transfer (fbeacon.md, Transfer).
///
///     0     1     02
///     1     1     number from 1 on, modulo 256
///     2     1     its complement
///     3     1024  data; a shorter rest is followed by 1A, then zeros
///     1027  2     CRC-16, big-endian; or 1 byte, the sum of the data
enum BlockFrame {
    static let dataLength = 1024
    static let headerLength = 3

    /// The packet with block number `index`, counted from 0.
    static func bytes(of data: some Collection<UInt8>, index: Int, _ mode: TransferMode) -> [UInt8] {
        let number = UInt8(truncatingIfNeeded: index + 1)
        var block = Array(data)
        if block.count < dataLength {
            block.append(0x1A)
            block += [UInt8](repeating: 0, count: dataLength - block.count)
        }
        var writer = ByteWriter([0x02, number, ~number])
        writer.append(block)
        if mode == .summed {
            writer.integer(block.reduce(0 as UInt8, &+))
        } else {
            writer.integer(CRC16.checksum(block), .big)
        }
        return writer.bytes
    }
}
