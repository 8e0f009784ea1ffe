import BluetoothTypes

/// A Nordic Legacy DFU bootloader of SDK 4 to 11 as a value: requests and packets in, reactions out, time as
/// an argument.
///
/// nordic-legacy.md, Conversation; nRF5 SDK 11, `dfu_transport_ble.c`, `dfu_single_bank.c`, `dfu_dual_bank.c`.
/// Moments must not go backwards. All of the update is in RAM: it outlives a link, and nothing outlives a reset.
public struct LegacyBootloader: Bootloader {
    /// What was built into the device.
    public let device: LegacyDevice
    /// Its key, and where things are in flash.
    public let identity: BootloaderIdentity
    /// The settings page: whether there is an application, and what waits to be put in its place.
    public internal(set) var settings: BootloaderSettings
    /// The flash with its queue.
    public var flash: FlashModel
    /// What happened to the packets.
    public internal(set) var statistics = BootloaderStatistics()

    var personality: LegacyPersonality { device.personality }

    var stage = LegacyStage.idle
    var expected = LegacyPacketKind.nothing
    var mode: UInt8 = 0
    var announcement: LegacyAnnouncement?
    var place = 0
    var initBytes: [UInt8] = []
    var initPacket: LegacyInitPacket?
    /// The whole init packet of before SDK 7.
    var announcedChecksum: UInt16?
    var received = 0
    /// Whether Start was taken on this link: on a new one a client has no other way to find out that it has to reset.
    var hasStartedHere = false
    /// Set for good once more bytes came than were announced.
    var isOverfull = false
    var notificationInterval: UInt16 = 0
    var packetsUntilNotification: UInt16 = 0

    private var handedOver = LegacyDevice.Handover.nothing
    private var isConnected = false
    private var timeout: Duration?
    private var advertisingEnds: Duration?
    private var settingsWrites: [SettingsWrite] = []

    /// A page that is erased first and then written: in between it says nothing.
    private struct SettingsWrite: Sendable {
        let settings: BootloaderSettings
        let begins: Duration
        let ends: Duration
    }

    /// Bytes of the settings.
    private static let settingsSize = 32

    /// A bootloader that starts at `start` with the given settings page.
    public init(
        _ device: LegacyDevice, _ identity: BootloaderIdentity = BootloaderIdentity(key: nil),
        settings: BootloaderSettings = BootloaderSettings(), timing: FlashTiming = .stock,
        at start: Duration = .zero
    ) {
        self.device = device
        self.identity = identity
        self.settings = settings
        // Erasing a bank is one operation to the SDK and one for each page here: the queue is never full,
        // the packet buffers are.
        flash = FlashModel(timing: timing, capacity: .max)
        timeout = device.personality.inactivityLimit.map { start + $0 }
    }

    /// The settings that a reset will find once everything queued is written.
    public var settledSettings: BootloaderSettings { settingsWrites.last?.settings ?? settings }

    /// Nothing of an update outlives the program: what is kept is what a reset leaves.
    public var memory: BootloaderMemory {
        var memory = BootloaderMemory(settings)
        memory.notificationInterval = notificationInterval
        return memory
    }

    /// When it gives up and resets; nil for never.
    public var inactivityDeadline: Duration? {
        [timeout, isConnected ? nil : advertisingEnds].compactMap(\.self).min()
    }

    /// The same device once its flash has nothing left to do.
    public func settled(at now: Duration) -> LegacyBootloader {
        var copy = self
        copy.advance(to: flash.idle(at: now))
        copy.advance(to: copy.flash.idle(at: now))  // what was erased may have written settings
        return copy
    }

    /// Those of the image.
    public var acceptedBytes: Int { received }

    /// As Legacy DFU has it (nordic-legacy.md, Layout).
    public func request(_ request: [UInt8]) -> ClientRequest { .legacy(request) }

    /// Nothing: to a Legacy bootloader, the end of the program is a reset.
    public mutating func resume(_ memory: BootloaderMemory, settings: BootloaderSettings) {}

    /// A link begins.
    public mutating func connect(at now: Duration) {
        advance(to: now)
        isConnected = true
    }

    /// The link ends; the update stays as it is, so that a new start is refused until a reset.
    public mutating func disconnect(at now: Duration) {
        advance(to: now)
        isConnected = false
        hasStartedHere = false
        startAdvertising(at: now)
    }

    /// Power goes or a reset comes; the result says what starts next: the bootloader stays when the
    /// application has asked for it.
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

    /// Legacy bootloaders take no name.
    public mutating func store(name: [UInt8], at now: Duration) {}

    /// Starts its patience anew.
    public mutating func stay(from moment: Duration) {
        timeout = personality.inactivityLimit.map { moment + $0 }
    }

    /// What it offers and how it is heard (nordic-legacy.md, Layout).
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

    /// Whether its patience is at an end.
    func isTired(at now: Duration) -> Bool { inactivityDeadline.map { $0 <= now } ?? false }

    /// Brings flash, settings page and a waiting start up to `now`.
    mutating func advance(to now: Duration) {
        if case .preparing(let moment) = stage, moment <= now {
            flash.advance(to: moment)
            stage = .ready
            // The application's place was erased: its page in the settings goes too.
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

    /// What the page says at `now`: there is no second copy while it is written anew.
    private func storedSettings(at now: Duration) -> BootloaderSettings {
        guard let next = settingsWrites.first, next.begins < now else { return settings }
        var empty = settings
        empty.applicationSize = 0
        empty.activation = nil
        return empty
    }
}
