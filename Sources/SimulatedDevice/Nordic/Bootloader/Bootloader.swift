import BluetoothTypes

/// A bootloader as a beacon needs it: a value that takes what comes over a link and says what it does about it.
///
/// Moments must not go backwards.
public protocol Bootloader: Sendable {
    /// The settings as the bootloader goes by them.
    var settings: BootloaderSettings { get }
    /// The settings that a reset will find once everything queued is written.
    var settledSettings: BootloaderSettings { get }
    /// What else is in RAM, as far as another run of the program could go on with it.
    var memory: BootloaderMemory { get }
    /// The flash with its queue.
    var flash: FlashModel { get set }
    /// When it gives up and resets; nil for never.
    var inactivityDeadline: Duration? { get }
    /// What happened to the packets.
    var statistics: BootloaderStatistics { get }
    /// How many bytes of an image it has accepted.
    var acceptedBytes: Int { get }
    /// What a write of `request` to the Control Point asks for.
    func request(_ request: [UInt8]) -> ClientRequest
    /// The installed application: its exact bytes, empty when there is none.
    var applicationImage: [UInt8] { get }

    /// How it shows itself under `name`.
    func presence(name: String) -> BootloaderPresence
    /// The same device once its flash has nothing left to do.
    func settled(at now: Duration) -> Self

    /// Takes up the RAM of an earlier run of the program.
    mutating func resume(_ memory: BootloaderMemory, settings: BootloaderSettings)
    /// A link begins.
    mutating func connect(at now: Duration)
    /// The link ends.
    mutating func disconnect(at now: Duration)
    /// A write to the Control Point.
    mutating func controlPoint(_ request: [UInt8], at now: Duration) -> [FirmwareReaction]
    /// A write to the Packet characteristic.
    mutating func packet(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction]
    /// Power goes or a reset comes; the result says what starts next: the bootloader stays when the
    /// application has asked for it.
    mutating func reset(at now: Duration, entering isAsked: Bool) -> Restart
    /// The application stores what the bootloader is to call itself.
    mutating func store(name: [UInt8], at now: Duration)
    /// The application stores who it is bonded with, and who the bootloader is.
    mutating func store(bonds: BondKeys)
    /// Starts its patience anew.
    mutating func stay(from moment: Duration)
    /// A value of its service was read.
    mutating func accessed(at now: Duration)
    /// Whether the device lives to answer the write of `request` to the Control Point.
    func answers(_ request: [UInt8]) -> Bool
}

extension Bootloader {
    /// As the bootloader's RAM has it.
    public var acceptedBytes: Int { memory.progress.offset }

    /// As Secure DFU has it (nordic-secure.md, Layout).
    public func request(_ request: [UInt8]) -> ClientRequest { .secure(request) }

    /// To most that is nothing.
    public mutating func accessed(at now: Duration) {}

    /// Most answer first.
    public func answers(_ request: [UInt8]) -> Bool { true }

    /// Most bootloaders know no bonds.
    public mutating func store(bonds: BondKeys) {}
}

extension SecureBootloader: Bootloader {
    /// nordic-secure.md, Layout.
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
                // Whoever knows the central is discoverable to nobody.
                .flags(isBonded && settings.bonds?.bootloader != nil ? 0x04 : 0x06),
                .services([AttributeTable.dfuService], complete: false), .name(name, complete: true),
            ], isAtApplicationAddress: isBonded)
    }
}
