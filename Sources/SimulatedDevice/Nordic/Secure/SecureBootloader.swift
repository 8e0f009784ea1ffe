/// A Nordic Secure DFU bootloader as a value: requests and packets in, reactions out, time as an argument.
///
/// nordic-secure.md, Conversation and Personalities; nRF5 SDK 17.1, `nrf_dfu_req_handler.c` and `nrf_dfu_ble.c`, SDK
/// 14.2, `dfu_req_handling.c` and `nrf_ble_dfu.c`. Moments must not go backwards.
public struct SecureBootloader: Sendable {
    enum Phase: Hashable, Sendable {
        /// Takes requests.
        case open
        /// An Execute waits for flash; the object counts as executed from this moment on.
        case executing(until: Duration)
        /// On the way to a reset: nothing is answered any more.
        case closing
    }

    /// How it behaves.
    public let personality: BootloaderPersonality
    /// What was built into it.
    public let identity: BootloaderIdentity
    /// The settings as they are in RAM.
    public internal(set) var settings: BootloaderSettings
    /// What else is in RAM.
    public internal(set) var memory: BootloaderMemory
    /// The flash with its queue.
    public var flash: FlashModel
    /// When it gives up and resets; nil for never.
    public internal(set) var inactivityDeadline: Duration?
    /// What happened to the packets.
    public internal(set) var statistics = BootloaderStatistics()

    var phase = Phase.open
    /// Whether the init packet that is here was refused for lack of room.
    var lacksRoom = false
    /// Until when the client has to wait for an answer.
    var answerDue = Duration.zero
    /// How many bytes of the object the last answer or receipt named; nil where none came since it was created.
    var bytesTold: Int?
    /// Whether the object was created on this link: on a new one a client tries Execute to find out where it is.
    var hasCreatedHere = false
    private var stored: BootloaderSettings
    private var settingsWrites: [(settings: BootloaderSettings, begins: Duration)] = []

    /// A bootloader that starts at `start` with the given settings page.
    public init(
        _ personality: BootloaderPersonality, _ identity: BootloaderIdentity,
        settings: BootloaderSettings = BootloaderSettings(), timing: FlashTiming = .stock,
        at start: Duration = .zero
    ) {
        self.personality = personality
        self.identity = identity
        self.settings = settings
        stored = settings
        memory = BootloaderMemory(settings)
        flash = FlashModel(timing: timing, capacity: personality.flashQueue)
        inactivityDeadline = personality.inactivityLimit.map { start + $0 }
    }

    /// The settings that a reset will find once everything queued is written.
    public var settledSettings: BootloaderSettings { settingsWrites.last?.settings ?? stored }

    /// The same device once its flash has nothing left to do.
    public func settled(at now: Duration) -> SecureBootloader {
        var copy = self
        copy.advance(to: flash.idle(at: now))
        copy.advance(to: copy.flash.idle(at: now))  // an object that counts as executed may write settings
        return copy
    }

    /// Takes up the RAM of an earlier run of the program.
    public mutating func resume(_ memory: BootloaderMemory, settings: BootloaderSettings) {
        self.memory = memory
        self.settings = settings
        statistics.buffersLeaked = memory.leakedBuffers
    }

    /// A link begins.
    ///
    /// Nothing is forgotten here: PRN interval and leaked buffers outlive a link.
    public mutating func connect(at now: Duration) { advance(to: now) }

    /// The link ends.
    public mutating func disconnect(at now: Duration) {
        advance(to: now)
        hasCreatedHere = false
        guard phase != .closing, personality.disconnectKeeps == .settingsPage else { return }
        phase = .open
        let executed = memory.progress.isInitValid ? memory.progress.initPacket : nil
        settings = stored
        memory.progress = UpdateProgress(settings)
        // The flag is not part of the settings: an old init packet that shows up again is not executed.
        memory.progress.isInitValid = executed != nil && executed == settings.initPacket
    }

    /// Power goes or a reset comes; the result says what starts next: the bootloader stays when the
    /// application has asked for it.
    public mutating func reset(at now: Duration, entering isAsked: Bool = false) -> Restart {
        advance(to: now)
        settings = stored
        settingsWrites = []
        flash.dropQueue()
        let next = activate()
        let restart =
            isAsked
            ? Restart(
                program: .bootloader, time: next.time, resets: next.resets, continues: next.continues)
            : next
        // Erased when an application starts (nordic-buttonless.md, Conversation).
        if restart.program == .application { settings.advertisedName = [] }
        stored = settings
        memory = BootloaderMemory(settings)
        lacksRoom = false
        statistics.buffersLeaked = 0
        phase = .open
        inactivityDeadline = limit(after: restart).map { now + restart.time + $0 }
        return restart
    }

    /// The application stores what the bootloader is to call itself.
    public mutating func store(name: [UInt8], at now: Duration) {
        settings.advertisedName = name
        stored.advertisedName = name
    }

    /// The application stores who it is bonded with, and who the bootloader is.
    public mutating func store(bonds: BondKeys) {
        settings.bonds = bonds
        stored.bonds = bonds
    }

    /// Starts its patience anew.
    public mutating func stay(from moment: Duration) {
        inactivityDeadline = personality.inactivityLimit.map { moment + $0 }
    }

    /// Whether its patience is at an end.
    func isTired(at now: Duration) -> Bool { inactivityDeadline.map { $0 <= now } ?? false }

    /// Brings flash, settings page and a waiting Execute up to `now`.
    mutating func advance(to now: Duration) {
        if case .executing(let moment) = phase, moment <= now {
            flash.advance(to: moment)
            finishObject(at: moment)
        }
        flash.advance(to: now)
        while let next = settingsWrites.first, next.begins <= now {
            stored = next.settings
            settingsWrites.removeFirst()
        }
    }

    /// The current object counts as executed; whether there was room for the settings that say so.
    @discardableResult
    mutating func finishObject(at moment: Duration) -> Bool {
        phase = .open
        memory.progress.finishObject()
        guard let cost = personality.settingsAtObject else { return true }
        settings.executedOffset = memory.progress.executedOffset
        settings.executedChecksum = memory.progress.executedChecksum
        return writeSettings(cost, at: moment)
    }

    /// Queues the settings as they are; whether the queue took them, where that makes a difference.
    ///
    /// With a backup they count from the moment their first write begins; before that the backup still holds
    /// the old. Without one there is nothing between the erase and the end of the write.
    mutating func writeSettings(_ cost: BootloaderPersonality.SettingsWrite, at now: Duration) -> Bool {
        guard personality.writesOnlyChanges else { return rewriteSettings(cost, at: now) }
        guard settings != settledSettings else { return true }
        var first: Duration?
        for _ in 0..<cost.copies {
            _ = flash.append(.eraseSettings, at: now)
            let begins = flash.append(.writeSettings(cost.bytes), at: now)
            first = first ?? begins
        }
        if let first { settingsWrites.append((settings, first)) }
        advance(to: now)
        return true
    }

    private mutating func rewriteSettings(
        _ cost: BootloaderPersonality.SettingsWrite, at now: Duration
    ) -> Bool {
        guard let erases = flash.append(.eraseSettings, at: now) else { return false }
        if personality.losesHalfWrittenSettings { settingsWrites.append((blankSettings, erases)) }
        guard flash.append(.writeSettings(cost.bytes), at: now) != nil else { return false }
        settingsWrites.append((settings, flash.idle(at: now)))
        advance(to: now)
        return true
    }

    /// What a bootloader makes of an erased settings page.
    private var blankSettings: BootloaderSettings {
        var blank = BootloaderSettings()
        blank.softDevice = settings.softDevice
        blank.bonds = settings.bonds
        return blank
    }

    private func limit(after restart: Restart) -> Duration? {
        restart.continues && settings.applicationSize > 0
            ? personality.continuationLimit : personality.inactivityLimit
    }
}
