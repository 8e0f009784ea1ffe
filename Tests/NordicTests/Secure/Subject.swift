import Bytes
import Nordic

/// The test image: byte i is i mod 251.
enum Subject {
    static let initPacket = (0..<140).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }

    static func image(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

    static func firmware(
        _ count: Int = 4100, initPacket: [UInt8] = initPacket, isSigned: Bool = true
    ) -> SecureImage {
        SecureImage(
            initPacket: initPacket, bytes: image(count), isSigned: isSigned, firmwareVersion: 7,
            hardwareVersion: 52, softDevices: [0x98, 0x100])
    }
}

extension UInt32 {
    /// Little-endian, as on the air.
    var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) } }
}

extension [UInt8] {
    /// Two digits a byte.
    var hex: String { HexText.encode(self) }
}
