import TestSupport

@testable import Bluetooth

/// A short recording, written by hand: a link to F0:0D:BE:AC:01:01 (random) on handle 1 that exchanges its MTU, writes
/// to handle 16, is notified from handle 13, and is ended by the peer.
enum Recorded {
    static let header = "6274736e6f6f7000 00000001 000003ea"
    static let moment = "00e03ab44a676000"
    static let records = [
        "00000016 00000016 00000003 00000000" + moment
            + "04 3e 13 01 00 0100 00 01 0101acbe0df0 0c00 0000 5802 00",
        "0000000c 0000000c 00000000 00000000" + moment + "02 0100 0700 0300 0400 02 0502",
        "0000000c 0000000c 00000001 00000000" + moment + "02 0120 0700 0300 0400 03 f700",
        "0000000e 0000000e 00000000 00000000" + moment + "02 0100 0900 0500 0400 52 1000 aabb",
        "0000000d 0000000d 00000001 00000000" + moment + "02 0120 0800 0400 0400 1b 0d00 07",
        "00000007 00000007 00000003 00000000" + moment + "04 05 04 00 0100 13",
    ]
    static let bytes = [UInt8](hex: header + records.joined())
    static let peer = DeviceAddress("F0:0D:BE:AC:01:01")

    static var packets: [(Direction, [UInt8])] {
        [
            (.sent, [0x02, 0x05, 0x02]), (.received, [0x03, 0xF7, 0x00]),
            (.sent, [0x52, 0x10, 0x00, 0xAA, 0xBB]), (.received, [0x1B, 0x0D, 0x00, 0x07]),
        ]
    }

    /// A file of HCI packets, each with its direction.
    static func file(_ packets: [(Direction, String)]) -> [UInt8] {
        packets.reduce(into: [UInt8](hex: header)) { file, packet in
            let bytes = [UInt8](hex: packet.1)
            let length = String(0x1_0000_0000 + bytes.count, radix: 16).dropFirst()
            let flags = packet.0 == .received ? "00000001" : "00000000"
            file += [UInt8](hex: length + length + flags + "00000000" + moment) + bytes
        }
    }
}
