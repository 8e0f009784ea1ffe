import Bytes

/// The image to overwrite on a device with two.
public enum ImageBank: UInt8, CaseIterable, Sendable {
    /// The device chooses the one that it does not run, or the older one.
    case oldest = 0
    /// The first, even if it is running.
    case first = 1
    /// The second, even if it is running.
    case second = 2
}

/// The memory that holds the images.
public enum MemoryType: UInt8, CaseIterable, Sendable {
    /// An EEPROM on I2C; only on DA1458x and DA1453x.
    case i2c = 0x12
    /// A flash on SPI, or the flash of a DA1468x or DA1469x.
    case spi = 0x13

    /// The name in options.
    public var name: String { self == .i2c ? "i2c" : "spi" }

    /// The type named `name`.
    public init?(name: String) {
        guard let type = Self.allCases.first(where: { $0.name == name.lowercased() }) else { return nil }
        self = type
    }
}

/// A command for the memory device (dialog-suota.md, Commands): bank, two zeros, type.
public enum MemoryDeviceCommand: Hashable, Sendable {
    /// Start from byte 0.
    case start(MemoryType, ImageBank)
    /// Everything was sent; check it.
    case end
    /// Restart with the new image.
    case reboot
    /// Leave the update.
    case abort

    /// The command as a number, for logs.
    public var number: UInt32 {
        switch self {
        case .start(let type, let bank): UInt32(type.rawValue) << 24 | UInt32(bank.rawValue)
        case .reboot: 0xFD00_0000
        case .end: 0xFE00_0000
        case .abort: 0xFF00_0000
        }
    }

    /// The command's bytes as sent.
    public var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.integer(number)
        return writer.bytes
    }
}
