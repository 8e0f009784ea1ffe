/// A setting for validating, building or installing firmware. Each program has its own name for it: an option,
/// a field, a button. The raw value is a neutral name.
public enum Setting: String, Hashable, Sendable, CaseIterable {
    /// Bytes in a block.
    case blockSize = "block size"
    /// Bytes in a packet of a block.
    case chunkSize = "chunk size"
    /// The transport: writes, or a channel.
    case transport
    /// The bank that is written to.
    case bank
    /// The pins of the device's memory.
    case pins
    /// A named set of pins, bank and block size.
    case profile
    /// The number of packets per receipt from the device.
    case receiptInterval = "receipt interval"
    /// The digit that makes a device restore its default settings.
    case restoreDigit = "restoring digit"
    /// A file of passwords and PINs.
    case secrets = "file of secrets"
    /// A risk that is accepted, by name.
    case risk = "accepted risk"
    /// The version that the device has to report after the update.
    case expectedVersion = "expected version"
    /// The device is not checked after the update.
    case unverified = "update without verification"
    /// The device to update.
    case device
    /// The adapter to use.
    case adapter
    /// The adapter is switched on for the run.
    case powersOn = "adapter that is switched on"
    /// The key to check signatures with.
    case publicKey = "public key"
    /// The SoftDevices of which a package requires one.
    case softDevices = "list of SoftDevices"
    /// The device type in a package.
    case deviceType = "device type"
    /// The device revision in a package.
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
