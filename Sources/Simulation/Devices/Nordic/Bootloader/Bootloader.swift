import Bluetooth

/// What a beacon needs of a bootloader: a value that processes the packets of a link and returns its reactions.
///
/// The times that it is given must not decrease.
package protocol Bootloader: Sendable {
    var identity: BootloaderIdentity { get }
    var settings: BootloaderSettings { get }
    /// The settings that a reset will find after all pending writes.
    var settledSettings: BootloaderSettings { get }
    /// The content of its RAM, besides `settings`, from which another run of the program resumes.
    var memory: BootloaderMemory { get }
    var flash: FlashModel { get set }
    var inactivityDeadline: Duration? { get }
    var statistics: BootloaderStatistics { get }
    var acceptedBytes: Int { get }

    func presence(name: String) -> BootloaderPresence
    func settled(at now: Duration) -> Self

    mutating func resume(_ memory: BootloaderMemory, settings: BootloaderSettings)
    mutating func connect(at now: Duration)
    mutating func disconnect(at now: Duration)
    mutating func controlPoint(_ request: [UInt8], at now: Duration) -> [FirmwareReaction]
    mutating func packet(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction]
    /// Carries out what is due by `now`.
    mutating func advance(to now: Duration)
    /// Restarts after a power loss or reset, and returns what starts next. `isEntryRequested` says whether the application has
    /// requested the bootloader.
    mutating func reset(at now: Duration, entering isEntryRequested: Bool) -> Restart
    mutating func store(name: [UInt8], at now: Duration)
    mutating func store(bonds: BondKeys)
    mutating func stay(from moment: Duration)
    /// Records that a value of its service was read.
    mutating func accessed(at now: Duration)
    /// Whether a write of `request` to the Control Point gets a response before a restart.
    func answers(_ request: [UInt8]) -> Bool
}

extension Bootloader {
    package var acceptedBytes: Int { memory.progress.offset }
    package var applicationImage: [UInt8] {
        let start = identity.layout.applicationStart
        return flash.content(start..<start + settings.applicationSize)
    }

    func isInactive(at now: Duration) -> Bool { inactivityDeadline.map { $0 <= now } ?? false }

    package func settled(at now: Duration) -> Self {
        var copy = self
        copy.advance(to: flash.idle(at: now))
        copy.advance(to: copy.flash.idle(at: now))  // an executed object or an erase may queue settings
        return copy
    }

    /// Does nothing: for such a bootloader, the end of the program is a reset, which clears its RAM.
    package mutating func resume(_ memory: BootloaderMemory, settings: BootloaderSettings) {}
    /// Clears nothing: PRN interval and leaked buffers survive a link.
    package mutating func connect(at now: Duration) { advance(to: now) }
    package mutating func store(name: [UInt8], at now: Duration) {}
    package mutating func accessed(at now: Duration) {}
    package func answers(_ request: [UInt8]) -> Bool { true }
    package mutating func store(bonds: BondKeys) {}
}

extension SecureBootloader: Bootloader {
    package func presence(name: String) -> BootloaderPresence {
        guard receiver == nil else { return BootloaderPresence(maximumMTU: 247) }
        let maximum = personality.maximumMTU
        let isBonded = personality.requiresBonds
        return BootloaderPresence(
            table: .bootloader(
                name: name, maximumMTU: maximum, answersCommands: personality.answersCommands,
                needsEncryption: isBonded), maximumMTU: maximum, keepsWordSize: true,
            advertising: [
                // A bootloader that knows its central is not discoverable.
                .flags(isBonded && settings.bonds?.bootloader != nil ? 0x04 : 0x06),
                .services([AttributeTable.dfuService], complete: false), .name(name, complete: true),
            ], isAtApplicationAddress: isBonded)
    }
}

/// The keys of a device's bonds, as numbers: all that matters is whether both sides have the same key.
package struct BondKeys: Codable, Hashable, Sendable {
    package var application: Int?
    /// The bond that the application has shared with the bootloader (nordic-buttonless.md, Bonds).
    package var bootloader: Int?
}

package struct BootloaderStatistics: Hashable, Sendable {
    package internal(set) var packetsReceived = 0
    /// Data packets without effect: refused, or ignored because no buffer or no place in the flash queue was left.
    package internal(set) var packetsDropped = 0
    package internal(set) var objectsCreated = 0
    package internal(set) var buffersLeaked = 0
    package internal(set) var brokenRules: [BrokenRule] = []

    mutating func note(_ rule: some ClientRule) { brokenRules.append(rule.broken) }
}

struct NordicProtocol: Hashable, Sendable {
    let service: BluetoothUUID
    let controlPoint: BluetoothUUID
    let packet: BluetoothUUID
    /// The first byte of a response.
    let response: UInt8

    static let secure = Self(
        service: AttributeTable.dfuService, controlPoint: AttributeTable.controlPoint,
        packet: AttributeTable.packet, response: 0x60)
    static let legacy = Self(
        service: AttributeTable.legacyService, controlPoint: AttributeTable.legacyControlPoint,
        packet: AttributeTable.legacyPacket, response: 0x10)
}

package struct BootloaderPresence: Sendable {
    var table = AttributeTable([])
    var maximumMTU: Int
    /// Whether an MTU below `maximumMTU` is lowered to 4n+3, so that packets carry whole words.
    var keepsWordSize = false
    /// The advertising data; empty if the advertising is directed to one central.
    var advertising: [AdvertisingData.Element] = []
    var isAtApplicationAddress = false

    func server() -> AttributeServer {
        AttributeServer(table, maximumMTU: maximumMTU, keepsWordSize: keepsWordSize)
    }
}

public struct Restart: Hashable, Sendable {
    public enum Program: String, Codable, Sendable { case application, bootloader }

    package let program: Program
    /// The time to install a new image before the start (nordic-secure.md, Timing).
    package let time: Duration
    package var resets = 1
    /// Whether a second part may follow, because a SoftDevice was replaced.
    package let continues: Bool
}

/// The content of the settings page: the state of a bootloader that survives a reset (nordic-secure.md, Resume).
package struct BootloaderSettings: Codable, Hashable, Sendable {
    package struct Activation: Codable, Hashable, Sendable {
        package var kind: FirmwareKind
        package var address: Int
        package var size: Int
        /// The size in bytes of the bootloader that follows a SoftDevice in a combined image; nil in any other image.
        package var bootloaderSize: Int?
    }

    package var applicationVersion: UInt32 = 0
    package var bootloaderVersion: UInt32 = 0
    package var applicationSize = 0
    package var softDevice: UInt16?
    /// The last executed init packet; empty if there is none or its image is complete.
    package var initPacket: [UInt8] = []
    package var updateAddress = 0
    /// The size of the executed objects in bytes, if progress is kept in flash.
    package var executedOffset = 0
    package var executedChecksum: UInt32 = 0
    /// The crc that Select reports at offset 0: it shares memory with the address of the last update.
    package var staleChecksum: UInt32 = 0
    /// The bootloader's name that the application set, valid until an application starts; empty for the default.
    package var advertisedName: [UInt8] = []
    /// The version of the running application; nil if it is `applicationVersion`, which changes as soon as a new image
    /// is verified, before it is installed and runs.
    package var runningVersion: UInt32?
    package var bonds: BondKeys?
    /// The image to install; set between its verification and the next start.
    package var activation: Activation?
}

/// What an image replaces; the number is the init command's field `type` (docs/formats/init-packet.md).
package enum FirmwareKind: UInt64, Codable, Sendable {
    case application = 0
    case softDevice = 1
    case bootloader = 2
    case softDeviceAndBootloader = 3
    /// Firmware for another chip; stock bootloaders do not accept it.
    case externalApplication = 4

    var hasSoftDevice: Bool { self == .softDevice || self == .softDeviceAndBootloader }
    var hasBootloader: Bool { self == .bootloader || self == .softDeviceAndBootloader }
}
