import Bytes

package enum ImageBank: UInt8, CaseIterable, Sendable {
    /// The device chooses the bank: one without a valid image, otherwise the one with the older image.
    case oldest = 0
    /// The first bank, even if its image is running.
    case first = 1
    /// The second bank, even if its image is running.
    case second = 2
}

package enum MemoryType: UInt8, Sendable {
    /// An EEPROM on I2C; only on DA1458x and DA1453x.
    case i2c = 0x12
    /// A flash on SPI, or the flash of a DA1468x or DA1469x.
    case spi = 0x13

    package var name: String { self == .i2c ? "i2c" : "spi" }
}

/// A command to the memory device: 4 bytes with bank, 00, 00, type (dialog-suota.md, Commands).
enum MemoryDeviceCommand: Hashable, Sendable {
    /// Starts an upload at byte 0.
    case start(MemoryType, ImageBank)
    case end
    case reboot
    case abort

    var number: UInt32 {
        switch self {
        case .start(let type, let bank): UInt32(type.rawValue) << 24 | UInt32(bank.rawValue)
        case .reboot: 0xFD00_0000
        case .end: 0xFE00_0000
        case .abort: 0xFF00_0000
        }
    }

    var bytes: [UInt8] { number.bytes() }
}
