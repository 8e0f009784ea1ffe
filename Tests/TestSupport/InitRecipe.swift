import Bytes

/// Builds init packets field by field, including wrong ones.
public struct InitRecipe {
    /// The image that the packet is for.
    public var image: [UInt8]
    /// `fw_version`.
    public var version: Int? = 1
    /// `hw_version`.
    public var hardware: Int? = 52
    /// `sd_req`.
    public var softDevices: [Int] = [0x100]
    /// `type`.
    public var type: Int? = 0
    /// `sd_size`.
    public var softDeviceSize = 0
    /// `bl_size`.
    public var bootloaderSize = 0
    /// `app_size`.
    public var applicationSize: Int
    /// `hash_type`.
    public var hashType = 3
    /// `hash`.
    public var hash: [UInt8]
    /// `is_debug`.
    public var isDebug = false
    /// Types of `boot_validation`.
    public var validations: [Int] = []
    /// Builds a packet with a signature.
    public var signature: (type: Int, bytes: [UInt8])?
    /// What follows `init` in its command.
    public var afterInit: [UInt8] = []

    /// A valid packet for `image`, then changed.
    public init(_ image: [UInt8], _ change: (inout Self) -> Void) {
        self.image = image
        applicationSize = image.count
        hash = SHA256Digest.digest(image).reversed()
        change(&self)
    }

    /// The bytes that a signature covers.
    public var initCommand: [UInt8] {
        var bytes = Self.scalar(1, version) + Self.scalar(2, hardware)
        if !softDevices.isEmpty { bytes += Self.field(3, softDevices.flatMap(Self.varint)) }
        bytes += Self.scalar(4, type) + Self.scalar(5, softDeviceSize) + Self.scalar(6, bootloaderSize)
        bytes +=
            Self.scalar(7, applicationSize) + Self.field(8, Self.scalar(1, hashType) + Self.field(2, hash))
        bytes += Self.scalar(9, isDebug ? 1 : 0)
        return validations.reduce(bytes) { $0 + Self.field(10, Self.scalar(1, $1) + Self.field(2, [])) }
    }

    /// The packet.
    public var packet: [UInt8] {
        let command = Self.scalar(1, 1) + Self.field(2, initCommand) + afterInit
        guard let signature else { return Self.field(1, command) }
        return Self.field(
            2, Self.field(1, command) + Self.scalar(2, signature.type) + Self.field(3, signature.bytes))
    }
}

extension InitRecipe {
    private static func varint(_ value: Int) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F | 0x80)] + varint(value >> 7)
    }

    /// A field with a number; nothing for nil.
    public static func scalar(_ number: Int, _ value: Int?) -> [UInt8] {
        value.map { varint(number << 3) + varint($0) } ?? []
    }

    /// A field with bytes.
    public static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
        varint(number << 3 | 2) + varint(bytes.count) + bytes
    }
}
