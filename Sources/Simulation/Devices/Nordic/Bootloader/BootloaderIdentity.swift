public import Bytes

/// The properties of a device's bootloader that no update changes.
public struct BootloaderIdentity: Sendable {
    /// The hardware version that init packets must name; 52 on a stock nRF52.
    public var hardwareVersion: UInt32
    /// The key that verifies signatures; nil if applications need none.
    public var key: P256PublicKey?
    /// The layout of the flash.
    public var layout: FlashLayout

    /// The bootloader of the given hardware.
    public init(hardwareVersion: UInt32 = 52, key: P256PublicKey?, layout: FlashLayout = FlashLayout()) {
        self.hardwareVersion = hardwareVersion
        self.key = key
        self.layout = layout
    }

    /// Whether `signature` (r and s, least significant byte first) signs `message`.
    func accepts(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let key else { return true }
        let halves = (
            signature.prefix(32).reversed() as [UInt8], signature.dropFirst(32).reversed() as [UInt8]
        )
        return key.verifies(r: halves.0, s: halves.1, of: message)
    }
}
