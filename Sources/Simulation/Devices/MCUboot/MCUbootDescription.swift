public import Bluetooth

/// The configuration of a simulated beacon with MCUboot and an SMP server.
public struct MCUbootDescription: FlashDescription {
    /// The contents of the two slots of an image number, such as image files; nil for an empty slot.
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
    /// The advertising interval; nil to advertise at once when a scanner starts, then every 100 ms.
    public var advertisingInterval: Duration?
    /// Whether it advertises the SMP service; many applications advertise only a name.
    public var advertisesService = true
    /// What it advertises instead of service and name; nil to advertise service and name.
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
    /// The behaviour of applications by version, in the form of the list of images; all others are like `application`.
    public var applications: [String: MCUbootApplication] = [:]
    public var server = SMPServerRules()
    /// Whether subscribing to answers requires an encrypted link; the beacon then accepts pairing.
    public var needsEncryption = false
    /// Whether there is a bond from the start.
    public var isBonded = false
    /// The level that the Battery Service reports, in percent; nil without that service.
    public var batteryPercent: UInt8?
    /// How long an application takes to start.
    public var startTime = Duration.milliseconds(500)

    /// A beacon at `address` that runs version 1.0.0.
    public init(address: DeviceAddress) { self.address = address }

    /// The flash address of a slot, for images that are linked for one slot.
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
        /// The newest image runs where it is, but one that has run once without being confirmed is erased.
        case directXIPRevert = 5
        /// The newest image runs from RAM.
        case ramLoad = 6
        /// Images are exchanged with an offset of a sector.
        case swapOffset = 9

        var exchanges: Bool { [.swapScratch, .swapMove, .swapOffset].contains(self) }
        /// Whether the mode moves an image from slot 1 to slot 0.
        var moves: Bool { exchanges || self == .overwriteOnly }
    }

    public var mode = Mode.swapMove
    /// The hash of the key with which images must be signed; nil accepts any key, and unsigned images.
    public var keyHash: [UInt8]?
    /// Whether the hash of an image must be SHA-256. Otherwise SHA-384 and SHA-512 are accepted without being verified.
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
    /// The slot that it was linked for, 0 or 1: it hangs if it runs from the other one. Nil if it runs from both.
    public var linkedSlot: Int?

    public init() {}
}

/// How an SMP server is built (mcuboot-smp.md, Commands).
public struct SMPServerRules: Hashable, Sendable {
    /// What it answers to a query for the bootloader's mode.
    public enum ModeAnswer: String, CaseIterable, Hashable, Sendable {
        case mode
        /// The mode −1.
        case unknown
        /// The command is not supported.
        case none
    }

    public var implementation = SMPImplementation.zephyr
    /// Whether maps and lists have definite lengths.
    public var hasDefiniteLengths = false
    /// Whether successful answers contain `rc: 0`; those of Mynewt always do.
    public var addsCode = false
    /// Whether flags that are false are left out of the list of images.
    public var leavesOutFalseFlags = false
    /// Whether a request can arrive in several writes.
    public var reassembles = false
    /// The size of a buffer in bytes: the longest request with its header.
    public var bufferSize = 384
    /// The number of buffers, for requests and answers.
    public var buffers = 4
    public var reportsBuffers = true
    public var modeAnswer = ModeAnswer.mode
    public var reportsSlots = true
    /// Whether it compares an upload with the client's SHA-256.
    public var checksUpload = false
    /// Whether it erases page by page while it receives, instead of everything before the first answer.
    public var erasesProgressively = false
    /// Whether chunks, except the last one, must have a multiple of 4 bytes, as with old flash drivers.
    public var needsAlignedChunks = false
    /// Whether a request without a hash can confirm the running image; otherwise it is refused as not supported.
    public var confirmsRunningImage = true
    /// Whether the list shows what runs on other cores, in slot 0 of their images.
    public var listsOtherCores = true
    /// Whether an image with a number other than 0, such as a network core's, can be confirmed before it runs.
    public var confirmsOtherImages = false
    /// Whether it can erase the storage, including the bond.
    public var erasesStorage = true
    /// Whether some notifications are shorter than the MTU allows, as when its stack runs out of buffers.
    public var sendsShortPieces = false
    /// How long it works on a request, in addition to the time of its flash operations.
    public var answerTime = Duration.milliseconds(2)

    /// A server of Zephyr in its default configuration.
    public init() {}
}
