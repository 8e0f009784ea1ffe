/// What somebody who validates, builds or installs firmware can set. A program has its own name for each: an option, a
/// field, a button.
public enum Setting: String, Hashable, Sendable, CaseIterable {
    /// Bytes of a block.
    case blockSize = "block size"
    /// Bytes of a chunk.
    case chunkSize = "chunk size"
    /// Over which way firmware goes.
    case transport
    /// The bank that is written to.
    case bank
    /// The pins of the device's memory.
    case pins
    /// A file with pins and more.
    case profile
    /// A risk that is taken, by name.
    case risk = "accepted risk"
    /// The version that the device has to show in the end.
    case expectedVersion = "expected version"
    /// That the device is not looked at in the end.
    case unverified = "update without verification"
    /// The device that is meant.
    case device
    /// The adapter that is used.
    case adapter
    /// That an adapter is switched on for the run.
    case powersOn = "adapter that is switched on"
    /// The key that signatures are compared with.
    case publicKey = "public key"
    /// SoftDevices that a package asks for.
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
