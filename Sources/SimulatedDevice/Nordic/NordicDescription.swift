public import BluetoothTypes
public import Digests

/// A Nordic beacon to be simulated: what it is and what is in it at first.
public struct NordicDescription: Sendable {
    /// The application's address.
    public var address: DeviceAddress
    /// The bootloader's address: last printed byte + 1, without carry, unless the vendor has made it another
    /// (nordic-secure.md, Layout).
    public var bootloaderAddress: DeviceAddress
    /// How the application lets itself be sent to its bootloader.
    public var buttonless = ButtonlessKind.named
    /// Whether the application crashes when it is given a name for its bootloader.
    public var crashesOnName = false
    /// Whether the bootloader takes the name that the application was given for it.
    public var takesName = true
    /// What the application says of its version.
    public var firmwareRevision = FirmwareRevision.number
    /// What the application says of its hardware, as the Hardware Revision String 2A27; nil for nothing.
    public var hardwareRevision: String?
    /// What the application says of its battery in percent, as the Battery Level 2A19; nil for nothing.
    public var batteryPercent: UInt8?
    /// Whether there is a bond from the start, which the central has too.
    public var isBonded = false
    /// Whether the application keeps the bond when a central pairs with it.
    public var keepsBonds = true
    /// The application's name.
    public var name = "Beacon"
    /// The bootloader's name.
    public var bootloaderName = "DfuTarg"
    /// How the bootloader behaves.
    public var personality = BootloaderPersonality.sdk17_1
    /// What is different where the bootloader is a Legacy one; nil for a Secure one, which `personality`
    /// and the hardware version are about.
    public var legacy: LegacyDevice?
    /// Whether the application before a Legacy bootloader is sent there by the way out that those before Secure ones have.
    public var hasSecureEntry = false
    /// The session in front of the way to the bootloader, where the beacon is a KBeacon; nil for none.
    public var kbeacon: KBeaconDescription?
    /// How the application takes updates itself, by Legacy DFU where there is a Legacy device; nil where a bootloader
    /// takes them.
    public var receiver: ApplicationReceiver?
    /// The hardware version that init packets must name.
    public var hardwareVersion: UInt32 = 52
    /// FWID of the installed SoftDevice; nil without one.
    public var softDevice: UInt16? = 0x100
    /// The application's version.
    public var applicationVersion: UInt32 = 0
    /// The bootloader's version.
    public var bootloaderVersion: UInt32 = 0
    /// The application's bytes; without any the bootloader starts.
    public var applicationImage = [UInt8](repeating: 0xA5, count: 1024)
    /// The key that signatures are held against; nil when applications need none.
    public var key: P256PublicKey?
    /// How long the flash takes.
    public var timing = FlashTiming.stock
    /// Size of the flash and where the application begins.
    public var layout = FlashLayout()
    /// What runs first; an application only if there is one.
    public var program = Restart.Program.bootloader
    /// What the application says of the battery in mV, as Eddystone has it; nil for nothing.
    public var batteryMillivolts: UInt16?
    /// What the application advertises in place of its name and battery; nil for those.
    public var advertising: AdvertisingPlan?
    /// How often the application advertises; nil for at once when somebody begins to listen, and ten times a second from
    /// then on.
    public var advertisingInterval: Duration?
    /// The same of the bootloader.
    public var bootloaderAdvertisingInterval: Duration?
    /// How loud the beacon is heard, in dBm.
    public var rssi: Int8 = -50

    /// A stock beacon at `address`.
    public init(address: DeviceAddress) {
        self.address = address
        bootloaderAddress = address.neighbour(1)
    }

    /// A beacon at `address` with a Legacy bootloader: application and bootloader are named as its kind is, and are
    /// where they are without a bond (nordic-legacy.md, Layout).
    public init(address: DeviceAddress, legacy device: LegacyDevice) {
        self.init(address: address)
        speakLegacy(device)
    }

    /// Gives the beacon a Legacy bootloader, which is where it is without a bond.
    public mutating func speakLegacy(_ device: LegacyDevice) {
        legacy = device
        bootloaderName = device.personality.bootloaderName
        if !device.personality.movesAddress { bootloaderAddress = address }
        guard device.personality.deviceRule == .adafruit else { return }
        if device.revision == Self.nRF52840 { layout.size = 0x10_0000 }
        layout.takeAdafruitBootloader()
    }

    /// The device revision of Adafruit's bootloader on the chip with 1 MiB of flash.
    private static let nRF52840: UInt16 = 52840

    /// Makes the application take updates itself; it runs from the start, and there is no bootloader to go to.
    public mutating func takeUpdates(_ receiver: ApplicationReceiver) {
        self.receiver = receiver
        program = .application
        buttonless = .none
        bootloaderAddress = address
        if timing == .stock, legacy != nil { timing = .serialNOR }
    }

    /// Makes application and bootloader those of a central with a bond: the bootloader stays at the
    /// application's address (nordic-buttonless.md, Bonds).
    public mutating func requireBonds() {
        buttonless = .bonded
        personality = personality.requiringBonds
        bootloaderAddress = address
    }

    func bootloader(settings: BootloaderSettings, at start: Duration) -> any Bootloader {
        if let receiver {
            guard legacy == nil else {
                return LegacyReceiver(receiver, identity, settings: settings, timing: timing)
            }
            return SecureReceiver(
                receiver, personality, identity, settings: settings, timing: timing, at: start)
        }
        guard let legacy else {
            return SecureBootloader(personality, identity, settings: settings, timing: timing, at: start)
        }
        return LegacyBootloader(legacy, identity, settings: settings, timing: timing, at: start)
    }

    /// What the application offers, with its version.
    func applicationTable(version: UInt32) -> AttributeTable {
        if let receiver {
            let isNew = version != applicationVersion
            return .receiver(
                name: name,
                revision: (isNew ? receiver.updatedRevision : nil) ?? firmwareRevision.text(of: version),
                receiver,
                legacy == nil
                    ? AttributeTable.secureReceiver(receiver) : AttributeTable.legacyReceiver(receiver))
        }
        guard let legacy, !hasSecureEntry else {
            return .application(
                name: name, revision: firmwareRevision.text(of: version), hardware: hardwareRevision,
                battery: batteryPercent, buttonless: buttonless)
        }
        return .legacyApplication(
            name: name, version: version, revision: buttonless == .none ? nil : legacy.personality)
    }

    /// The application that gives way to a Legacy bootloader.
    var legacyApplication: LegacyApplication? {
        guard let legacy, receiver == nil, buttonless != .none, !hasSecureEntry else { return nil }
        return LegacyApplication(personality: legacy.personality, answersEntry: legacy.answersEntry)
    }

    /// What an application advertises that takes updates itself.
    var receiverServices: [AdvertisingData.Element] {
        guard receiver != nil else { return [] }
        return [
            .services(
                [legacy == nil ? AttributeTable.dfuService : AttributeTable.legacyService], complete: false)
        ]
    }

    /// Where the application answers when it is sent to its bootloader.
    var entryCharacteristic: BluetoothUUID? {
        legacy == nil || hasSecureEntry
            ? buttonless.characteristic : legacyApplication.map { _ in LegacyApplication.controlPoint }
    }

    var identity: BootloaderIdentity {
        BootloaderIdentity(hardwareVersion: hardwareVersion, key: key, layout: layout)
    }

    var settings: BootloaderSettings {
        var settings = BootloaderSettings()
        settings.applicationVersion = applicationVersion
        settings.bootloaderVersion = bootloaderVersion
        settings.applicationSize = applicationImage.count
        settings.softDevice = softDevice
        if isBonded {
            settings.bonds = BondKeys(application: 1, bootloader: program == .bootloader ? 1 : nil)
        }
        return settings
    }
}
