public import Bluetooth
public import Bytes

public struct NordicDescription: Sendable {
    /// The application's address.
    public var address: DeviceAddress
    /// The bootloader's address: the application's with the last printed byte plus 1, without carry, unless the vendor
    /// changed that (nordic-secure.md, Layout).
    public var bootloaderAddress: DeviceAddress
    public var buttonless = ButtonlessKind.named
    /// Whether the application crashes when it receives a name for its bootloader.
    public var crashesOnName = false
    /// Whether the bootloader uses the name that the application received for it.
    public var takesName = true
    public var firmwareRevision = FirmwareRevision.number
    /// The application's Hardware Revision String 2A27; nil for none.
    public var hardwareRevision: String?
    /// The application's Battery Level 2A19, in percent; nil for none.
    public var batteryPercent: UInt8?
    /// Whether there is a bond from the start, which the central also has.
    public var isBonded = false
    /// Whether the application stores a bond when a central pairs with it.
    public var keepsBonds = true
    public var name = "Beacon"
    public var bootloaderName = "DfuTarg"
    /// The profile of a Secure bootloader.
    public var personality = SecurePersonality.sdk17_1
    /// The Legacy bootloader; nil for a Secure one, which `personality` and the hardware version describe.
    public var legacy: LegacyDevice?
    /// Whether an application with a Legacy bootloader enters it like one with a Secure bootloader.
    public var hasSecureEntry = false
    /// The session that guards the entry into the bootloader of a KBeacon; nil for any other beacon.
    package var kbeacon: KBeaconDescription?
    /// How the application receives updates itself, by Legacy DFU if `legacy` is set; nil if its bootloader does that.
    public var receiver: ApplicationReceiver?
    /// The hardware version that init packets must name.
    public var hardwareVersion: UInt32 = 52
    /// The FWID of the installed SoftDevice; nil without one.
    public var softDevice: UInt16? = 0x100
    public var applicationVersion: UInt32 = 0
    public var bootloaderVersion: UInt32 = 0
    /// The application's bytes; if empty, the bootloader starts.
    public var applicationImage = [UInt8](repeating: 0xA5, count: 1024)
    /// The key that verifies signatures; nil if applications need no signature.
    public var key: P256PublicKey?
    public var timing = FlashTiming.stock
    package var layout = FlashLayout()
    /// The program that starts first; an application only if there is one.
    public var program = Restart.Program.bootloader
    /// The battery voltage in mV, which the application advertises in an Eddystone TLM frame; nil for no frame.
    public var batteryMillivolts: UInt16?
    /// What the application advertises instead of its name and battery; nil to advertise name and battery.
    public var advertising: AdvertisingPlan?
    /// The application's advertising interval; nil to advertise at once when a scanner starts, then every 100 ms.
    public var advertisingInterval: Duration?
    /// The bootloader's advertising interval; nil to advertise at once when a scanner starts, then every 100 ms.
    public var bootloaderAdvertisingInterval: Duration?
    public var rssi: Int8 = -50

    public init(address: DeviceAddress) {
        self.address = address
        bootloaderAddress = address.neighbour(1)
    }

    /// A beacon at `address` with a Legacy bootloader: both programs have the default names of that kind, and their
    /// addresses without a bond (nordic-legacy.md, Layout).
    public init(address: DeviceAddress, legacy device: LegacyDevice) {
        self.init(address: address)
        useLegacyBootloader(device)
    }

    /// Gives the beacon a Legacy bootloader, at its address without a bond.
    public mutating func useLegacyBootloader(_ device: LegacyDevice) {
        legacy = device
        bootloaderName = device.personality.bootloaderName
        if !device.personality.movesAddress { bootloaderAddress = address }
        guard device.personality.deviceRule == .adafruit else { return }
        if device.revision == Self.nRF52840 { layout.size = 0x10_0000 }
        layout.useAdafruitBootloader()
    }

    /// The device revision of Adafruit's bootloader on the chip with 1 MiB of flash.
    private static let nRF52840: UInt16 = 52840

    /// Makes the application receive updates itself; it runs from the start, and there is no bootloader to enter.
    public mutating func acceptUpdates(_ receiver: ApplicationReceiver) {
        self.receiver = receiver
        program = .application
        buttonless = .none
        bootloaderAddress = address
        if timing == .stock, legacy != nil { timing = .serialNOR }
    }

    /// Makes application and bootloader require a bond: the bootloader stays at the application's address
    /// (nordic-buttonless.md, Bonds).
    public mutating func requireBonds() {
        buttonless = .bonded
        personality = personality.requiringBonds
        bootloaderAddress = address
    }

    func bootloader(settings: BootloaderSettings, at start: Duration) -> any Bootloader {
        guard let legacy else {
            return SecureBootloader(
                personality, identity, receiver: receiver, settings: settings, timing: timing, at: start)
        }
        guard let receiver else {
            return LegacyBootloader(legacy, identity, settings: settings, timing: timing, at: start)
        }
        return LegacyReceiver(receiver, identity, settings: settings, timing: timing)
    }

    var dfu: NordicProtocol { legacy == nil ? .secure : .legacy }

    func applicationTable(version: UInt32) -> AttributeTable {
        if let receiver {
            let isNew = version != applicationVersion
            return .receiver(
                receiver, dfu, name: name,
                revision: (isNew ? receiver.updatedRevision : nil) ?? firmwareRevision.text(of: version))
        }
        guard let legacy, !hasSecureEntry else {
            return .application(
                name: name, revision: firmwareRevision.text(of: version), hardware: hardwareRevision,
                battery: batteryPercent, buttonless: buttonless)
        }
        return .legacyApplication(
            name: name, version: version, entering: buttonless == .none ? nil : legacy.personality)
    }

    var legacyApplication: LegacyApplication? {
        guard let legacy, receiver == nil, buttonless != .none, !hasSecureEntry else { return nil }
        return LegacyApplication(personality: legacy.personality, answersEntry: legacy.answersEntry)
    }

    var receiverServices: [AdvertisingData.Element] {
        receiver == nil ? [] : [.services([dfu.service], complete: false)]
    }

    /// The characteristic that responds when the application enters its bootloader.
    var entryCharacteristic: BluetoothUUID? {
        legacy == nil || hasSecureEntry
            ? buttonless.characteristic : legacyApplication.map { _ in LegacyApplication.controlPoint }
    }

    var identity: BootloaderIdentity {
        BootloaderIdentity(hardwareVersion: hardwareVersion, key: key, layout: layout)
    }

    var settings: BootloaderSettings {
        BootloaderSettings(
            applicationVersion: applicationVersion, bootloaderVersion: bootloaderVersion,
            applicationSize: applicationImage.count, softDevice: softDevice,
            bonds: isBonded ? BondKeys(application: 1, bootloader: program == .bootloader ? 1 : nil) : nil)
    }
}

/// How an application reports its version in the Device Information Service, as the Firmware Revision String 2A26.
public enum FirmwareRevision: Hashable, Sendable {
    /// The version number in the application's package.
    case number
    /// `major.minor.patch` of a number that nrfutil computed as major × 10000 + minor × 100 + patch.
    case dotted
    /// A fixed text, whatever runs.
    case text(String)
    /// There is no Firmware Revision String.
    case none

    func text(of version: UInt32) -> String? {
        switch self {
        case .number: String(version)
        case .dotted: "\(version / 10000).\(version / 100 % 100).\(version % 100)"
        case .text(let text): text
        case .none: nil
        }
    }
}
