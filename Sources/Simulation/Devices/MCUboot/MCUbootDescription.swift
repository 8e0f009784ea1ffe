public import Bluetooth

/// The configuration of a simulated beacon with MCUboot and an SMP server.
public struct MCUbootDescription: FlashDescription {
    /// The images of one number, in their two slots, as bytes of files; a slot can hold anything.
    public struct Pair: Hashable, Sendable {
        /// What is in slot 0, where the bootloader looks first.
        public var first: [UInt8]?
        public var second: [UInt8]?

        public init(first: [UInt8]? = MCUbootFirmware().file, second: [UInt8]? = nil) {
            (self.first, self.second) = (first, second)
        }
    }

    public let address: DeviceAddress
    public var name = "Beacon"
    /// The signal strength at the scanner, in dBm.
    public var rssi: Int8 = -50
    /// How often it advertises; nil for at once when a scanner starts, then ten times a second.
    public var advertisingInterval: Duration?
    /// Whether it advertises the SMP service; many applications advertise only a name.
    public var advertisesService = true
    /// What it advertises instead of service and name; nil to advertise those.
    public var advertising: AdvertisingPlan?
    /// The largest MTU that it agrees on.
    public var maximumMTU = 247
    public var timing = FlashTiming.stock
    /// The size of a slot in bytes, a multiple of a page.
    public var slotSize = 192 * 1024
    /// The factory images: one pair for each image number, at most two.
    public var images = [Pair()]
    public var bootloader = MCUbootRules()
    public var application = MCUbootApplication()
    /// Applications with these versions, as the list of images writes them; all others behave like `application`.
    public var applications: [String: MCUbootApplication] = [:]
    public var server = SMPServerRules()
    /// Whether subscribing to answers requires an encrypted link; then it can pair.
    public var needsEncryption = false
    /// Whether there is a bond from the start.
    public var isBonded = false
    /// The level that the Battery Service reports, in percent; nil without that service.
    public var batteryPercent: UInt8?
    /// How long an application takes to start.
    public var startTime = Duration.milliseconds(500)

    /// A beacon at `address` that runs version 1.0.0.
    public init(address: DeviceAddress) { self.address = address }

    /// The address in flash of a slot, for images that are linked for one.
    public func slotAddress(image: Int, slot: Int) -> Int {
        layout.start(ImageSlot(image: image, slot: slot))
    }

    var layout: SlotLayout { SlotLayout(images: max(1, images.count), slotSize: slotSize) }
    package var flashSize: Int { layout.flashSize }
}

/// How a bootloader is built (mcuboot-smp.md, Marking).
public struct MCUbootRules: Hashable, Sendable {
    /// How images change places; the raw value is the number that a device reports.
    public enum Mode: Int, CaseIterable, Hashable, Sendable {
        /// Images are exchanged through a scratch area.
        case swapScratch = 1
        /// The image in slot 1 replaces that in slot 0; there is no way back.
        case overwriteOnly = 2
        /// Images are exchanged after one was moved by a sector.
        case swapMove = 3
        /// The newest image runs where it is.
        case directXIP = 4
        /// The same, but an image that is not confirmed is erased.
        case directXIPRevert = 5
        /// The newest image runs from RAM.
        case ramLoad = 6
        /// Images are exchanged with an offset of a sector.
        case swapOffset = 9

        var exchanges: Bool { [.swapScratch, .swapMove, .swapOffset].contains(self) }
        /// Whether an image in slot 1 gets into slot 0.
        var moves: Bool { exchanges || self == .overwriteOnly }
    }

    public var mode = Mode.swapMove
    /// The hash of the key with which images must be signed; nil accepts any key, and unsigned images.
    public var keyHash: [UInt8]?
    /// Whether the hash of an image must be SHA-256. Otherwise SHA-384 and SHA-512 are accepted, and not calculated.
    public var requiresSHA256 = false
    /// Whether it decrypts images; otherwise encrypted ones are invalid.
    public var decrypts = false
    public var preventsDowngrade = false
    /// Whether an image with a lower security counter is refused.
    public var countsSecurity = false
    /// How long an exchange of two images, or a copy, takes; the beacon is silent meanwhile.
    public var swapTime = Duration.seconds(15)

    public init() {}
}

public struct MCUbootApplication: Hashable, Sendable {
    /// The firmware revision in Device Information.
    public enum Revision: Hashable, Sendable {
        /// The version of the image.
        case version
        /// There is no Device Information.
        case none
        /// A text that does not follow the version.
        case text(String)
    }

    /// Whether it confirms itself when it starts.
    public var confirmsItself = false
    public var hasServer = true
    /// Whether it crashes at once: the bootloader starts again, and reverts it if it was not confirmed.
    public var crashes = false
    /// Whether it hangs: it advertises nothing, until the next power loss.
    public var hangs = false
    public var revision = Revision.version
    /// The slot that it was linked for: run from the other one, it hangs. Nil if it runs from any.
    public var linkedSlot: Int?

    public init() {}
}

/// How an SMP server is built (mcuboot-smp.md, Commands).
public struct SMPServerRules: Hashable, Sendable {
    /// What it answers to the question for the bootloader's mode.
    public enum ModeAnswer: String, CaseIterable, Hashable, Sendable {
        case mode
        /// −1.
        case unknown
        /// The command is not supported.
        case none
    }

    public var manner = SMPManner.zephyr
    /// Whether maps and lists have definite lengths.
    public var hasDefiniteLengths = false
    /// Whether successful answers contain `rc: 0`; those of Mynewt always do.
    public var addsCode = false
    /// Whether flags that are false are left out of the list of images.
    public var leavesOutFalseFlags = false
    /// Whether a request can arrive in pieces.
    public var reassembles = false
    /// The bytes in a buffer: the longest request with its header.
    public var bufferSize = 384
    /// The number of buffers, for requests and answers.
    public var buffers = 4
    /// Whether it answers the question for its buffers.
    public var tellsBuffers = true
    public var modeAnswer = ModeAnswer.mode
    /// Whether it answers the question for its slots.
    public var tellsSlots = true
    /// Whether it compares an upload with the client's SHA-256.
    public var checksUpload = false
    /// Whether it erases page by page while it receives, instead of everything before the first answer.
    public var erasesProgressively = false
    /// Whether chunks, except the last one, must have a multiple of 4 bytes, as with old flash drivers.
    public var needsAlignedChunks = false
    /// Whether the running image can be confirmed; otherwise that is not supported.
    public var confirmsRunningImage = true
    /// Whether the list shows what runs on other cores, in slot 0 of their images.
    public var listsOtherCores = true
    /// Whether an image that is not of the running number, such as that of a network core, can be confirmed.
    public var confirmsOtherImages = false
    /// Whether it can erase the storage, with the bond in it.
    public var erasesStorage = true
    /// Whether some notifications are shorter than the MTU allows, as when its stack runs out of buffers.
    public var sendsShortPieces = false
    /// How long it works on a request, in addition to its flash.
    public var answerTime = Duration.milliseconds(2)

    /// A server of Zephyr in its default configuration.
    public init() {}
}
