/// How the bootloader of one SDK behaves, as data: a column of the table in nordic-secure.md, Personalities.
///
/// Numbers are those of the stock BLE bootloader for nRF52 (`sdk_config.h`, `nrf_dfu_types.h`). The default of
/// every field is SDK 17.1's.
public struct BootloaderPersonality: Hashable, Sendable {
    /// What writing the settings costs: each copy is one page erase and one write.
    public struct SettingsWrite: Hashable, Sendable {
        /// How many copies: 2 with a backup page.
        public var copies: Int
        /// Bytes a copy.
        public var bytes: Int

        /// A write of `copies` copies with `bytes` bytes each.
        public init(copies: Int, bytes: Int) {
            self.copies = copies
            self.bytes = bytes
        }
    }

    /// What a link that ends leaves of an update.
    public enum Retention: Hashable, Sendable {
        /// Everything in RAM, a partial object and a partial init packet included.
        case everything
        /// What the settings page in flash says.
        case settingsPage
    }

    /// Which application versions are taken, compared with the stored one.
    public enum VersionRule: Hashable, Sendable {
        /// Any, downgrades included.
        case anything
        /// The same or a higher one.
        case sameOrNewer
        /// Only a higher one.
        case newer
    }

    /// Where data waits for flash.
    public enum Buffering: Hashable, Sendable {
        /// One of so many buffers a packet; a packet that is refused keeps its buffer for good.
        case packets(Int)
        /// Four chunks of so many bytes in turn, handed to flash by pointer and filled again unasked.
        case ring(chunk: Int)
    }

    /// What starts the bootloader's patience anew.
    public enum TimeoutRestart: Hashable, Sendable {
        /// Create(command), refused or not, and Execute(data).
        case commandsAndDataExecutes
        /// Create and Execute of either type that are carried out.
        case createsAndExecutes
    }

    /// When an image that needs the application's room costs the application.
    public enum ApplicationErasure: Hashable, Sendable {
        /// When its init packet is executed.
        case initPacket
        /// When its first object is created.
        case firstObject
    }

    /// The SDK, such as `17.1`.
    public var name: String
    /// The largest ATT MTU.
    public var maximumMTU = 247
    /// The largest command object, in bytes.
    public var commandMaximum = 512
    /// The largest data object: one flash page, in bytes.
    public var dataMaximum = 4096
    /// Where data waits for flash.
    public var buffering = Buffering.packets(17)
    /// Flash operations that can wait, the one under way included.
    public var flashQueue = 16
    /// What an executed init packet writes.
    public var settingsAtInit = SettingsWrite(copies: 2, bytes: 896)
    /// What an executed data object writes: nil unless progress is kept in flash.
    public var settingsAtObject: SettingsWrite?
    /// Whether settings are written only when they changed, and never mind a full queue.
    public var writesOnlyChanges = true
    /// Whether an Execute(data) is answered when its bytes are in flash, not when they are on the way.
    public var waitsForFlash = true
    /// What is left when the link ends.
    public var disconnectKeeps = Retention.settingsPage
    /// Which init packets are taken.
    public var initRules = InitRules()
    /// Which application versions are taken.
    public var versionRule = VersionRule.sameOrNewer
    /// The answer to an opcode nobody knows.
    public var unknownOpcode = ResultCode.opcodeNotSupported
    /// The answer to the opcodes 00, 07, 09, 0A and 0B, which BLE never gives a payload.
    public var informationOpcodes = ResultCode.opcodeNotSupported
    /// Whether 08 on the Control Point counts as a data packet without an answer, and 0C resets.
    public var knowsWriteAndAbort = true
    /// Whether a Write Command to the Control Point is as good as a request.
    public var answersCommands = false
    /// Whether a request of another length than its own is refused with 03.
    public var checksLengths = false
    /// The answer to an object type nobody knows.
    public var unknownType = ResultCode.invalidObject
    /// Whether the object that was current stays so after an unknown type.
    public var keepsObjectAtUnknownType = false
    /// Whether Create(data) looks at the size before it looks for an init packet.
    public var checksSizeFirst = false
    /// Whether a PRN carries the refusal of the packet it follows, and zeros after one without room.
    public var receiptsTellRefusals = true
    /// Whether an init packet that fails its checks stays, so that a repeat fails alike.
    public var keepsFailedInit = false
    /// Whether a second Execute of an init packet that there was no room for says 01, without meaning it.
    public var forgivesLackOfRoom = false
    /// Whether Select shows the update's address as crc at offset 0 after a finished or failed image.
    public var showsUpdateAddressAsChecksum = true
    /// Whether Abort ends the link before it resets.
    public var abortEndsLink = true
    /// Whether the settings are lost when power goes while their only page is erased.
    public var losesHalfWrittenSettings = false
    /// When an image that needs the application's room costs the application.
    public var applicationErasure = ApplicationErasure.initPacket
    /// What is looked at in a new SoftDevice after its last byte.
    public var softDeviceChecks: Set<SoftDeviceCheck> = [.structure, .major, .family]
    /// Which boot_validation entry guards the bootloader of a combined image.
    public var bootloaderValidationEntry = 1
    /// How often the device resets from the last Execute to the new application.
    public var resetsToApplication = 2
    /// Whether it lets itself be used only by the central that its application is bonded with.
    public var requiresBonds = false
    /// What starts its patience anew.
    public var timeout = TimeoutRestart.commandsAndDataExecutes
    /// Without any of that for this long the device resets; nil for never.
    public var inactivityLimit: Duration? = Duration.seconds(120)
    /// The same after a SoftDevice was replaced while the application is still valid.
    public var continuationLimit = Duration.seconds(10)
    /// Between asking for the link's end and the reset.
    public var closingTime = Duration.milliseconds(200)

    /// The stock behaviour of SDK 17.1 under another name, to be varied field by field.
    public init(name: String) { self.name = name }
}

extension BootloaderPersonality: CustomStringConvertible {
    /// The SDK.
    public var description: String { "SDK \(name)" }
}
