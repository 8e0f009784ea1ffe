import Bluetooth

/// A Nordic Legacy DFU bootloader of SDK 4 to 11 as a value: requests and packets in, reactions out, time as an
/// argument.
///
/// nordic-legacy.md, Conversation; nRF5 SDK 11, `dfu_transport_ble.c`, `dfu_single_bank.c`, `dfu_dual_bank.c`. Moments
/// must not decrease. All update state is in RAM: it survives the end of a link, but not a reset.
public struct LegacyBootloader: Bootloader {
    /// The properties of the device that no update changes.
    public let device: LegacyDevice
    /// Its key and flash layout.
    public let identity: BootloaderIdentity
    /// The settings page: whether there is an application, and which image is to be installed.
    public internal(set) var settings: BootloaderSettings
    /// The flash with its queue.
    public var flash: FlashModel
    /// The record of its packets.
    public internal(set) var statistics = BootloaderStatistics()

    var personality: LegacyPersonality { device.personality }

    var stage = LegacyStage.idle
    var expected = LegacyPacketKind.nothing
    var mode: UInt8 = 0
    var announcement: LegacyAnnouncement?
    var place = 0
    var initBytes: [UInt8] = []
    var initPacket: LegacyInitPacket?
    /// The whole init packet before SDK 7.
    var announcedChecksum: UInt16?
    var received = 0
    /// Whether Start was accepted on this link. On a new link, only another Start tells a client that a reset is
    /// needed.
    var hasStartedHere = false
    /// Set permanently once more bytes arrived than announced.
    var isOverfull = false
    var notificationInterval: UInt16 = 0
    var packetsUntilNotification: UInt16 = 0

    private var handedOver = LegacyDevice.Handover.nothing
    private var isConnected = false
    private var timeout: Duration?
    private var advertisingEnds: Duration?
    private var settingsWrites: [SettingsWrite] = []

    /// A page that is erased first and then written: in between it holds nothing.
    private struct SettingsWrite: Sendable {
        let settings: BootloaderSettings
        let begins: Duration
        let ends: Duration
    }

    /// The size of the settings in bytes.
    private static let settingsSize = 32

    /// A bootloader that starts at `start` with this settings page.
    public init(
        _ device: LegacyDevice, _ identity: BootloaderIdentity = BootloaderIdentity(key: nil),
        settings: BootloaderSettings = BootloaderSettings(), timing: FlashTiming = .stock,
        at start: Duration = .zero
    ) {
        self.device = device
        self.identity = identity
        self.settings = settings
        // Erasing a bank is one operation in the SDK and one per page here: not the queue is limited, but the packet
        // buffers.
        flash = FlashModel(timing: timing, capacity: .max)
        timeout = device.personality.inactivityLimit.map { start + $0 }
    }

    /// The settings that a reset will find after all pending writes.
    public var settledSettings: BootloaderSettings { settingsWrites.last?.settings ?? settings }

    /// Update state does not survive the program: this is the state after a reset.
    public var memory: BootloaderMemory {
        var memory = BootloaderMemory(settings)
        memory.notificationInterval = notificationInterval
        return memory
    }

    /// When it gives up and resets; nil for never.
    public var inactivityDeadline: Duration? {
        [timeout, isConnected ? nil : advertisingEnds].compactMap(\.self).min()
    }

    /// The same device after all pending flash operations.
    public func settled(at now: Duration) -> LegacyBootloader {
        var copy = self
        copy.advance(to: flash.idle(at: now))
        copy.advance(to: copy.flash.idle(at: now))  // an erase may have queued settings
        return copy
    }

    /// The accepted bytes of the image.
    public var acceptedBytes: Int { received }

    /// A request of Legacy DFU (nordic-legacy.md, Layout).
    public func request(_ request: [UInt8]) -> ClientRequest { .legacy(request) }

    /// Does nothing: to a Legacy bootloader, the end of the program is a reset.
    public mutating func resume(_ memory: BootloaderMemory, settings: BootloaderSettings) {}

    /// Starts a link.
    public mutating func connect(at now: Duration) {
        advance(to: now)
        isConnected = true
    }

    /// Ends the link; the update stays as it is, so that a new Start is refused until a reset.
    public mutating func disconnect(at now: Duration) {
        advance(to: now)
        isConnected = false
        hasStartedHere = false
        startAdvertising(at: now)
    }

    /// Restarts after a power loss or a reset; returns what starts next: the bootloader if `isAsked`, on request of the
    /// application.
    public mutating func reset(at now: Duration, entering isAsked: Bool = false) -> Restart {
        advance(to: now)
        flash.dropQueue()
        settings = storedSettings(at: now)
        let time = activate()
        let hasApplication = isApplicationValid
        let restart = Restart(
            program: hasApplication && !isAsked ? .application : .bootloader, time: time, resets: 1,
            continues: false)
        let handedOver = isAsked ? device.handover : .nothing
        let (flash, statistics) = (flash, statistics)
        self = LegacyBootloader(device, identity, settings: settings, timing: flash.timing, at: now + time)
        self.flash = flash
        self.statistics = statistics
        self.handedOver = handedOver
        startAdvertising(at: now + time)
        return restart
    }

    /// Does nothing: Legacy bootloaders accept no name.
    public mutating func store(name: [UInt8], at now: Duration) {}

    /// Restarts its inactivity timeout.
    public mutating func stay(from moment: Duration) {
        timeout = personality.inactivityLimit.map { moment + $0 }
    }

    /// Its services and advertising (nordic-legacy.md, Layout).
    public func presence(name: String) -> BootloaderPresence {
        BootloaderPresence(
            table: .legacyBootloader(name: name, revision: device.bootloaderRevision, personality),
            maximumMTU: personality.maximumMTU,
            keepsWordSize: true, controlPoint: AttributeTable.legacyControlPoint,
            packet: AttributeTable.legacyPacket, response: 0x10,
            advertising: isDirected
                ? []
                : [
                    .flags(handedOver == .identity ? 0x04 : 0x06), .name(name, complete: true),
                    .services([AttributeTable.legacyService], complete: false),
                ],
            isAtApplicationAddress: handedOver != .nothing)
    }

    private var isDirected: Bool { handedOver == .address && personality.directsAdvertising }

    private mutating func startAdvertising(at now: Duration) {
        advertisingEnds = isDirected ? now + personality.directedLimit : nil
    }

    /// Whether its inactivity timeout has expired.
    func isTired(at now: Duration) -> Bool { inactivityDeadline.map { $0 <= now } ?? false }

    /// Advances flash, settings page and a pending Start to `now`.
    mutating func advance(to now: Duration) {
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

    /// Queues the settings page.
    mutating func write(_ settings: BootloaderSettings, at now: Duration) {
        guard settings != settledSettings else { return }
        let begins = flash.append(.eraseSettings, at: now) ?? now
        _ = flash.append(.writeSettings(Self.settingsSize), at: now)
        settingsWrites.append(SettingsWrite(settings: settings, begins: begins, ends: flash.idle(at: now)))
        advance(to: now)
    }

    /// The content of the page at `now`: there is no second copy while it is rewritten.
    private func storedSettings(at now: Duration) -> BootloaderSettings {
        guard let next = settingsWrites.first, next.begins < now else { return settings }
        var empty = settings
        empty.applicationSize = 0
        empty.activation = nil
        return empty
    }
}
