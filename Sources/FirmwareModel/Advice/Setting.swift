/// A setting for validating, building or installing firmware. A program has its own name for each: an option, a field,
/// a button. The raw value is a neutral one.
public enum Setting: String, Hashable, Sendable, CaseIterable {
    /// Bytes in a block.
    case blockSize = "block size"
    /// Bytes in a packet of a block.
    case chunkSize = "chunk size"
    /// How firmware travels: in writes, or over a channel.
    case transport
    /// The bank that is written to.
    case bank
    /// The pins of the device's memory.
    case pins
    /// A named set of pins, bank and block size.
    case profile
    /// Packets for which a device sends one receipt.
    case receiptInterval = "receipt interval"
    /// The digit with which a device restores its default settings.
    case restoreDigit = "restoring digit"
    /// A file of passwords and PINs.
    case secrets = "file of secrets"
    /// A risk that is accepted, by name.
    case risk = "accepted risk"
    /// The version that the device has to show after the update.
    case expectedVersion = "expected version"
    /// The device is not looked at after the update.
    case unverified = "update without verification"
    /// Which device is updated.
    case device
    /// The adapter that is used.
    case adapter
    /// The adapter is switched on for the run.
    case powersOn = "adapter that is switched on"
    /// The key that signatures are checked with.
    case publicKey = "public key"
    /// The SoftDevices that a package requires one of.
    case softDevices = "list of SoftDevices"
    /// The type of device that a package names.
    case deviceType = "device type"
    /// The revision of device that a package names.
    case deviceRevision = "device revision"
    /// The generation of a package's init packet.
    case initPacketFormat = "format of the init packet"
    /// The version of an application in its package.
    case applicationVersion = "application version"
    /// The version of a bootloader in its package.
    case bootloaderVersion = "bootloader version"
    /// The model of a target.
    case targetModel = "model of the target"
}
