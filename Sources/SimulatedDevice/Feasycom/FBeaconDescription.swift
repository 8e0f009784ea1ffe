public import BluetoothTypes

/// A beacon that takes FBeacon updates: what it is and what is in it at first.
public struct FBeaconDescription: Sendable {
    /// Its address.
    public let address: DeviceAddress
    /// What its frames say. The version in them is that of the application that is installed, whatever stands here, and
    /// `access` says whether they ask for a PIN.
    public var advertiser: FeasycomAdvertiser
    /// Which frames it sends when.
    public var plan: AdvertisingPlan
    /// How loud it is heard, in dBm.
    public var rssi: Int8 = -50
    /// The application from the factory.
    public var firmware = FBeaconFirmware()
    /// The version of its bootloader.
    public var bootloader: UInt16 = 651
    /// Who may give it commands.
    public var access = FBeaconAccess()
    /// How it words its answers.
    public var answers = FBeaconAnswers()
    /// How many broadcasts it has, up to 10; with none it knows neither `BADVDATA` nor `TLM`.
    public var broadcasts = 10
    /// How it begins an update.
    public var entry = FBeaconEntry()
    /// How it takes an image.
    public var transfer = FBeaconTransfer()
    /// Which images it takes, and which versions they are.
    public var images = FBeaconImages.any(version: 831)
    /// The longest packet that it agrees on: 23, 185 and 247 are known.
    public var maximumMTU = 247
    /// Whether FFF3 is there; what it says is not public, and here it says nothing.
    public var hasFlowControl = false
    /// Whether it says that it takes open containers, as no device of the maker's does.
    public var isOpen = true
    /// How fast its flash is.
    public var timing = FlashTiming.stock
    /// Bytes that an image may have, a multiple of a page.
    public var room = 128 * 1024
    /// How long it takes to start.
    public var startTime = Duration.milliseconds(500)

    /// A BP102 at `address` that runs version 830.
    public init(address: DeviceAddress) {
        self.address = address
        advertiser = FeasycomAdvertiser(address: address)
        plan = AdvertisingPlan(advertiser)
    }
}
