import Bluetooth

/// A bootloader as a beacon needs it: a value that processes what arrives over a link and returns its reactions.
///
/// Moments must not decrease.
public protocol Bootloader: Sendable {
    /// The settings that the bootloader currently uses.
    var settings: BootloaderSettings { get }
    /// The settings that a reset will find after all pending writes.
    var settledSettings: BootloaderSettings { get }
    /// The rest of the RAM that another run of the program needs in order to resume.
    var memory: BootloaderMemory { get }
    /// The flash with its queue.
    var flash: FlashModel { get set }
    /// When it gives up and resets; nil for never.
    var inactivityDeadline: Duration? { get }
    /// The record of its packets.
    var statistics: BootloaderStatistics { get }
    /// The number of image bytes that it has accepted.
    var acceptedBytes: Int { get }
    /// The meaning of a write of `request` to the Control Point.
    func request(_ request: [UInt8]) -> ClientRequest
    /// The exact bytes of the installed application; empty if there is none.
    var applicationImage: [UInt8] { get }

    /// Its advertising and services under `name`.
    func presence(name: String) -> BootloaderPresence
    /// The same device after all pending flash operations.
    func settled(at now: Duration) -> Self

    /// Restores the RAM of an earlier run of the program.
    mutating func resume(_ memory: BootloaderMemory, settings: BootloaderSettings)
    /// Starts a link.
    mutating func connect(at now: Duration)
    /// Ends the link.
    mutating func disconnect(at now: Duration)
    /// Processes a write to the Control Point.
    mutating func controlPoint(_ request: [UInt8], at now: Duration) -> [FirmwareReaction]
    /// Processes a write to the Packet characteristic.
    mutating func packet(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction]
    /// Restarts after a power loss or a reset; returns what starts next: the bootloader if `isAsked`, on request of the
    /// application.
    mutating func reset(at now: Duration, entering isAsked: Bool) -> Restart
    /// Stores the bootloader's name, on request of the application.
    mutating func store(name: [UInt8], at now: Duration)
    /// Stores the bonds of application and bootloader, on request of the application.
    mutating func store(bonds: BondKeys)
    /// Restarts its inactivity timeout.
    mutating func stay(from moment: Duration)
    /// Records that a value of its service was read.
    mutating func accessed(at now: Duration)
    /// Whether a write of `request` to the Control Point gets a response before a restart.
    func answers(_ request: [UInt8]) -> Bool
}

extension Bootloader {
    /// The accepted bytes in the bootloader's RAM.
    public var acceptedBytes: Int { memory.progress.offset }

    /// A request of Secure DFU (nordic-secure.md, Layout).
    public func request(_ request: [UInt8]) -> ClientRequest { .secure(request) }

    /// Does nothing.
    public mutating func accessed(at now: Duration) {}

    /// True.
    public func answers(_ request: [UInt8]) -> Bool { true }

    /// Does nothing: no bonds.
    public mutating func store(bonds: BondKeys) {}
}

extension SecureBootloader: Bootloader {
    /// The presence that nordic-secure.md, Layout, describes.
    public func presence(name: String) -> BootloaderPresence {
        let maximum = personality.maximumMTU
        let isBonded = personality.requiresBonds
        return BootloaderPresence(
            table: .bootloader(
                name: name, maximumMTU: maximum, answersCommands: personality.answersCommands,
                needsEncryption: isBonded),
            maximumMTU: maximum, keepsWordSize: true,
            controlPoint: AttributeTable.controlPoint, packet: AttributeTable.packet, response: 0x60,
            advertising: [
                // A bootloader that knows its central is not discoverable.
                .flags(isBonded && settings.bonds?.bootloader != nil ? 0x04 : 0x06),
                .services([AttributeTable.dfuService], complete: false), .name(name, complete: true),
            ], isAtApplicationAddress: isBonded)
    }
}
