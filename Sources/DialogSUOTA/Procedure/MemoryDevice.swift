import ByteCoding

/// Which image a device with two of them overwrites.
public enum ImageBank: UInt8, CaseIterable, Sendable {
    /// The device takes the one that it does not run, or the older one.
    case oldest = 0
    /// The first, even if it is the one that runs.
    case first = 1
    /// The second, even if it is the one that runs.
    case second = 2
}

/// Where the image is kept.
public enum MemoryType: UInt8, CaseIterable, Sendable {
    /// An EEPROM on I2C; only DA1458x and DA1453x have that.
    case i2c = 0x12
    /// A flash on SPI, or the flash of a DA1468x or DA1469x.
    case spi = 0x13

    /// What people write.
    public var name: String { self == .i2c ? "i2c" : "spi" }

    /// The type named `name`.
    public init?(name: String) {
        guard let type = Self.allCases.first(where: { $0.name == name.lowercased() }) else { return nil }
        self = type
    }
}

/// A word for the memory device (dialog-suota.md, Commands): bank, two zeros, type.
public enum MemoryDeviceCommand: Hashable, Sendable {
    /// Begin from byte 0.
    case start(MemoryType, ImageBank)
    /// All was sent; check it.
    case end
    /// Restart with the new image.
    case reboot
    /// Leave it.
    case abort

    /// The word as a number, as logs show it.
    public var number: UInt32 {
        switch self {
        case .start(let type, let bank): UInt32(type.rawValue) << 24 | UInt32(bank.rawValue)
        case .reboot: 0xFD00_0000
        case .end: 0xFE00_0000
        case .abort: 0xFF00_0000
        }
    }

    /// The word as it travels.
    public var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.integer(number)
        return writer.bytes
    }
}
