import Bluetooth

/// A Nordic Legacy DFU bootloader of SDK 4 to 11, as a value.
///
/// nordic-legacy.md, Conversation; nRF5 SDK 11, `dfu_transport_ble.c`, `dfu_single_bank.c`, `dfu_dual_bank.c`. The
/// times that it is given must not decrease. All update state is in RAM: it survives the end of a link, not a reset.
package struct LegacyBootloader: Bootloader {
    package let device: LegacyDevice
    package let identity: BootloaderIdentity
    /// The settings page: whether there is an application, and which image is to be installed.
    package internal(set) var settings: BootloaderSettings
    package var flash: FlashModel
    package internal(set) var statistics = BootloaderStatistics()

    var personality: LegacyPersonality { device.personality }

    var stage = LegacyStage.idle
    var expected = LegacyPacketKind.nothing
    var mode: UInt8 = 0
    var announcement: LegacyAnnouncement?
    var place = 0
    var initBytes: [UInt8] = []
    var initPacket: LegacyInitPacket?
    /// The CRC-16 that is the whole init packet before SDK 7; nil until it has arrived.
    var announcedChecksum: UInt16?
    var received = 0
    /// Whether Start was accepted on this link. On a new link, a client learns only by a Start that a reset is needed.
    var hasStartedHere = false
    /// Set permanently once more bytes arrived than announced.
    var isOverfull = false
    var notificationInterval: UInt16 = 0
    var packetsUntilNotification: UInt16 = 0

    private var handedOver = LegacyDevice.Handover.nothing
    private var isConnected = false
    private var timeout: Duration?
    private var advertisingEnds: Duration?
    /// The pending writes of the settings page: it is erased at `begins`, written by `ends`, and empty in between.
    private var settingsWrites: [(settings: BootloaderSettings, begins: Duration, ends: Duration)] = []

    private static let settingsSize = 32

    package init(
        _ device: LegacyDevice, _ identity: BootloaderIdentity = BootloaderIdentity(key: nil),
        settings: BootloaderSettings = BootloaderSettings(), timing: FlashTiming = .stock,
        at start: Duration = .zero
    ) {
        (self.device, self.identity, self.settings) = (device, identity, settings)
        // Erasing a bank is one operation in the SDK and one per page here, so the queue has no limit; the
        // packet buffers have one.
        flash = FlashModel(timing: timing, capacity: .max)
        timeout = device.personality.inactivityLimit.map { start + $0 }
    }

    package var settledSettings: BootloaderSettings { settingsWrites.last?.settings ?? settings }

    /// The state after a reset: update state does not survive the program.
    package var memory: BootloaderMemory {
        var memory = BootloaderMemory(settings)
        memory.notificationInterval = notificationInterval
        return memory
    }

    package var inactivityDeadline: Duration? {
        [timeout, isConnected ? nil : advertisingEnds].compactMap(\.self).min()
    }

    package var acceptedBytes: Int { received }

    package mutating func connect(at now: Duration) {
        advance(to: now)
        isConnected = true
    }

    /// Ends the link; the update stays as it is, so that a new Start is refused until a reset.
    package mutating func disconnect(at now: Duration) {
        advance(to: now)
        isConnected = false
        hasStartedHere = false
        startAdvertising(at: now)
    }

    package mutating func reset(at now: Duration, entering isEntryRequested: Bool = false) -> Restart {
        advance(to: now)
        flash.dropQueue()
        settings = storedSettings(at: now)
        let time = installPendingImage()
        let restart = Restart(
            program: isApplicationValid && !isEntryRequested ? .application : .bootloader, time: time,
            continues: false)
        let handedOver = isEntryRequested ? device.handover : .nothing
        let (flash, statistics) = (flash, statistics)
        self = LegacyBootloader(device, identity, settings: settings, timing: flash.timing, at: now + time)
        (self.flash, self.statistics, self.handedOver) = (flash, statistics, handedOver)
        startAdvertising(at: now + time)
        return restart
    }

    package mutating func stay(from moment: Duration) {
        timeout = personality.inactivityLimit.map { moment + $0 }
    }

    package func presence(name: String) -> BootloaderPresence {
        BootloaderPresence(
            table: .legacyBootloader(name: name, revision: device.bootloaderRevision, personality),
            maximumMTU: personality.maximumMTU, keepsWordSize: true,
            advertising: isDirected
                ? []
                : [
                    .flags(handedOver == .identity ? 0x04 : 0x06), .name(name, complete: true),
                    .services([AttributeTable.legacyService], complete: false),
                ], isAtApplicationAddress: handedOver != .nothing)
    }

    private var isDirected: Bool { handedOver == .address && personality.directsAdvertising }

    private mutating func startAdvertising(at now: Duration) {
        advertisingEnds = isDirected ? now + personality.directedLimit : nil
    }

    package mutating func advance(to now: Duration) {
        if case .preparing(let moment) = stage, moment <= now {
            flash.advance(to: moment)
            stage = .ready
            // The application was erased, so its entry in the settings is cleared too.
            if place == identity.layout.applicationStart {
                var settings = settledSettings
                settings.applicationSize = 0
                write(settings, at: moment)
            }
        }
        flash.advance(to: now)
        while let next = settingsWrites.first, next.ends <= now {
            settings = next.settings
            settingsWrites.removeFirst()
        }
    }

    mutating func write(_ settings: BootloaderSettings, at now: Duration) {
        guard settings != settledSettings else { return }
        let begins = flash.append(.eraseSettings, at: now) ?? now
        _ = flash.append(.writeSettings(Self.settingsSize), at: now)
        settingsWrites.append((settings, begins, flash.idle(at: now)))
        advance(to: now)
    }

    /// Only an application with Secure DFU's buttonless service has bonds; the bootloader does not use them.
    package mutating func store(bonds: BondKeys) { settings.bonds = bonds }

    /// The settings page at `now`. While it is rewritten, it names no application, as there is no second copy.
    private func storedSettings(at now: Duration) -> BootloaderSettings {
        guard let next = settingsWrites.first, next.begins < now else { return settings }
        var empty = settings
        empty.applicationSize = 0
        empty.activation = nil
        return empty
    }

    /// An application is valid if the settings say so and its first word is not erased; no checksum of it is stored.
    var isApplicationValid: Bool {
        let start = identity.layout.applicationStart
        return settings.applicationSize > 0 && flash.content(start..<start + 4) != [0xFF, 0xFF, 0xFF, 0xFF]
    }

    /// Processes Activate: the link ends at once, the reset waits for the settings. Without a valid image, only resets.
    mutating func activate(at now: Duration) -> [FirmwareReaction] {
        guard stage == .validated, let announcement else {
            statistics.note(LegacyRule.activateBeforeValidate)
            return leave(at: now)
        }
        stage = .closing
        var settings = settledSettings
        settings.activation = .init(kind: announcement.kind, address: place, size: announcement.total)
        // 0xFFFFFFFF stands for no version (docs/formats/nordic-legacy.md).
        if announcement.kind == .application, let version = initPacket?.version, version != .max {
            settings.applicationVersion = version
        }
        write(settings, at: now)
        return [.disconnect(at: now), .reset(at: flash.idle(at: now))]
    }

    /// Installs a pending image; returns how long erasing and programming take, zero if the image is in place already.
    mutating func installPendingImage() -> Duration {
        guard let waiting = settings.activation else { return .zero }
        settings.activation = nil
        let image = flash.content(waiting.address..<waiting.address + waiting.size)
        let start = identity.layout.applicationStart
        switch waiting.kind {
        case .application:
            settings.applicationSize = waiting.size
            guard waiting.address != start else { return .zero }
            flash.place(image, at: start)
        case .softDevice, .softDeviceAndBootloader:
            settings.applicationSize = 0
            settings.softDevice = SoftDeviceImage(image)?.firmwareID ?? settings.softDevice
        case .bootloader, .externalApplication: break
        }
        return (flash.timing.pageErase + flash.timing.pageProgram) * FlashModel.pages(in: waiting.size)
    }
}

/// The stage of a Legacy update (nRF5 SDK 11, `dfu_single_bank.c`); only a reset leads back to `idle`.
enum LegacyStage: Hashable, Sendable {
    case idle
    /// Flash is being erased; Start is answered after that.
    case preparing(until: Duration)
    case ready, receivingInit, receivingImage, failed, validated
    /// The packet buffers overflowed, and nothing is answered any more.
    case stalled
    case closing
}

/// The meaning of a write to the Packet characteristic, which the last request defines.
enum LegacyPacketKind: Hashable, Sendable { case nothing, start, initPacket, image }

/// A device with a Legacy bootloader: the fixed properties of its two programs.
public struct LegacyDevice: Hashable, Sendable {
    /// What the application tells the bootloader about the connected central (nRF5 SDK 11, `dfu_app_handler.c`).
    public enum Handover: String, Hashable, Sendable, CaseIterable {
        /// Nothing: the bootloader advertises to all centrals, at its own address.
        case nothing = "none"
        /// The central's address: the bootloader advertises only to it, without payload, at the application's address.
        case address
        /// A bond with an IRK: the bootloader advertises to all at the application's address, but is not discoverable.
        case identity
    }

    public var personality: LegacyPersonality
    /// The `device_type` that init packets must name; nil for any.
    public var type: UInt16?
    /// The `device_revision` that init packets must name; nil for any.
    public var revision: UInt16?
    /// The bootloader's Firmware Revision String 2A26; nil if it has no Device Information.
    public var bootloaderRevision: String?
    public var handover = Handover.nothing
    /// Whether the request to enter the bootloader gets a response.
    public var answersEntry = true

    /// A device with this bootloader that accepts packages for any device.
    public init(_ personality: LegacyPersonality) { self.personality = personality }
}
