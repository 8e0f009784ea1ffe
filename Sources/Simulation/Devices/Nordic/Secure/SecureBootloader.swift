/// A Nordic Secure DFU bootloader as a value: requests and packets in, reactions out, time as an argument.
///
/// nordic-secure.md, Conversation and Personalities; nRF5 SDK 17.1, `nrf_dfu_req_handler.c` and `nrf_dfu_ble.c`, SDK
/// 14.2, `dfu_req_handling.c` and `nrf_ble_dfu.c`. The times that it is given must not decrease.
///
/// With a `receiver`, it is part of an application: it accepts the same requests, but keeps its address and has no
/// timeout, and a reset alone does not end the update (nordic-secure.md, Applications that take updates).
package struct SecureBootloader: Sendable {
    enum Phase: Hashable, Sendable {
        case open
        /// An Execute waits for flash; the object counts as executed from this moment on.
        case executing(until: Duration)
        case closing
    }

    package let personality: SecurePersonality
    package let identity: BootloaderIdentity
    let receiver: ApplicationReceiver?
    package internal(set) var settings: BootloaderSettings
    package internal(set) var memory: BootloaderMemory
    package var flash: FlashModel
    package internal(set) var inactivityDeadline: Duration?
    package internal(set) var statistics = BootloaderStatistics()

    var phase = Phase.open
    var lacksRoom = false
    var answerDue = Duration.zero
    /// The number of object bytes in the last response or receipt; nil if there was none since the object was created.
    var bytesReported: Int?
    /// Whether the object was created on this link: on a new link, a client may send Execute to find out the state.
    var hasCreatedHere = false
    private var stored: BootloaderSettings
    private var settingsWrites: [(settings: BootloaderSettings, begins: Duration)] = []

    package init(
        _ personality: SecurePersonality, _ identity: BootloaderIdentity,
        receiver: ApplicationReceiver? = nil, settings: BootloaderSettings = BootloaderSettings(),
        timing: FlashTiming = .stock, at start: Duration = .zero
    ) {
        (self.personality, self.identity) = (personality, identity)
        (self.receiver, self.settings) = (receiver, settings)
        stored = settings
        memory = BootloaderMemory(settings)
        flash = FlashModel(timing: timing, capacity: personality.flashQueue)
        stay(from: start)
    }

    package var settledSettings: BootloaderSettings { settingsWrites.last?.settings ?? stored }

    package mutating func resume(_ memory: BootloaderMemory, settings: BootloaderSettings) {
        self.memory = memory
        self.settings = settings
        statistics.buffersLeaked = memory.leakedBuffers
    }

    package mutating func disconnect(at now: Duration) {
        advance(to: now)
        hasCreatedHere = false
        defer { if receiver?.keepsState == false { startOver(at: now) } }
        guard phase != .closing, personality.disconnectKeeps == .settingsPage else { return }
        phase = .open
        let executed = memory.progress.isInitValid ? memory.progress.initPacket : nil
        settings = stored
        memory.progress = UpdateProgress(settings)
        // The settings do not contain the flag: an older init packet that they bring back was not executed.
        memory.progress.isInitValid = executed != nil && executed == settings.initPacket
    }

    /// Forgets what the application has received.
    private mutating func startOver(at now: Duration) {
        var settings = settledSettings
        settings.initPacket = []
        let (flash, statistics) = (flash, statistics)
        self = SecureBootloader(
            personality, identity, receiver: receiver, settings: settings, timing: flash.timing, at: now)
        self.flash = flash
        self.statistics = statistics
    }

    package mutating func reset(at now: Duration, entering isEntryRequested: Bool = false) -> Restart {
        advance(to: now)
        settings = stored
        settingsWrites = []
        flash.dropQueue()
        let next = installPendingImage()
        let restart = Restart(
            program: receiver != nil ? .application : isEntryRequested ? .bootloader : next.program,
            time: next.time,
            resets: next.resets, continues: receiver == nil && next.continues)
        // The name is erased when an application starts (nordic-buttonless.md, Conversation).
        if restart.program == .application { settings.advertisedName = [] }
        stored = settings
        memory = BootloaderMemory(settings)
        lacksRoom = false
        statistics.buffersLeaked = 0
        phase = .open
        let goesOn = restart.continues && settings.applicationSize > 0
        stay(
            from: now + restart.time,
            for: goesOn ? personality.continuationLimit : personality.inactivityLimit)
        return restart
    }

    package mutating func store(name: [UInt8], at now: Duration) {
        settings.advertisedName = name
        stored.advertisedName = name
    }

    package mutating func store(bonds: BondKeys) {
        settings.bonds = bonds
        stored.bonds = bonds
    }

    package mutating func stay(from moment: Duration) { stay(from: moment, for: personality.inactivityLimit) }

    private mutating func stay(from moment: Duration, for limit: Duration?) {
        inactivityDeadline = receiver == nil ? limit.map { moment + $0 } : nil
    }

    package mutating func advance(to now: Duration) {
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

    /// Marks the current object as executed; returns whether the queue had room for the settings that record it.
    @discardableResult mutating func finishObject(at moment: Duration) -> Bool {
        phase = .open
        memory.progress.finishObject()
        guard let cost = personality.settingsAtObject else { return true }
        settings.executedOffset = memory.progress.executedOffset
        settings.executedChecksum = memory.progress.executedChecksum
        return writeSettings(cost, at: moment)
    }

    /// Queues the current settings; returns false if the queue is full, unless the bootloader ignores that.
    ///
    /// With a backup page, they apply from the start of their first write; before that, the backup holds the old ones.
    /// Without a backup page, there are no settings between the erase and the end of the write.
    mutating func writeSettings(_ cost: SecurePersonality.SettingsWrite, at now: Duration) -> Bool {
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
        _ cost: SecurePersonality.SettingsWrite, at now: Duration
    ) -> Bool {
        guard let erases = flash.append(.eraseSettings, at: now) else { return false }
        if personality.losesHalfWrittenSettings {
            let blank = BootloaderSettings(softDevice: settings.softDevice, bonds: settings.bonds)
            settingsWrites.append((blank, erases))
        }
        guard flash.append(.writeSettings(cost.bytes), at: now) != nil else { return false }
        settingsWrites.append((settings, flash.idle(at: now)))
        advance(to: now)
        return true
    }

    /// How long the installation of a verified image takes: erase and program, page by page.
    ///
    /// Zero if there is no such image, and if the image already is in place (single bank).
    package var activationTime: Duration {
        guard let waiting = settledSettings.activation,
            waiting.kind != .application || waiting.address != identity.layout.applicationStart
        else { return .zero }
        // SoftDevice and bootloader are copied separately.
        let second = waiting.bootloaderSize ?? 0
        let pages = FlashModel.pages(in: waiting.size - second) + FlashModel.pages(in: second)
        return (flash.timing.pageErase + flash.timing.pageProgram) * pages
    }

    /// Installs a verified image, if one is pending, and returns what starts next.
    mutating func installPendingImage() -> Restart {
        let time = activationTime
        guard let waiting = settings.activation else { return restart(after: time, resets: 1) }
        settings.activation = nil
        let image = flash.content(waiting.address..<waiting.address + waiting.size)
        if waiting.kind == .application { install(image, from: waiting.address) }
        // The MBR copies a bootloader after an additional reset.
        let resets = personality.resetsToApplication + (waiting.kind.hasBootloader ? 1 : 0)
        if waiting.kind.hasSoftDevice, let number = SoftDeviceImage(image)?.firmwareID {
            settings.softDevice = number
        }
        return restart(after: time, resets: resets, continues: waiting.kind.hasSoftDevice)
    }

    private mutating func install(_ image: [UInt8], from address: Int) {
        let start = identity.layout.applicationStart
        if address != start {
            guard !flash.keepsOldApplication else { return }
            flash.place(image, at: start)
        }
        settings.applicationSize = image.count
        settings.runningVersion = nil
    }

    private func restart(after time: Duration, resets: Int, continues: Bool = false) -> Restart {
        Restart(
            program: settings.applicationSize > 0 && !continues ? .application : .bootloader, time: time,
            resets: resets, continues: continues)
    }
}

enum SecureRule: String, ClientRule {
    case unknownRequest, requestOfWrongLength, unknownObject, emptyObject, initPacketTooLong
    case objectNotAPage = "object-not-a-page"
    case objectTooLong, objectBeyondImage, dataBeforeInit, dataBeforeCreate, dataBeyondObject,
        dataBeforeAnswer, requestBeforeAnswer, executeBeforeAllData, checksumIgnored

    static let prefix = "secure-"
    static let page = "nordic-secure.md,"

    var broken: BrokenRule {
        switch self {
        case .unknownRequest: rule("a request that does not exist", "Refusals")
        case .requestOfWrongLength: rule("a request with too few or too many bytes", "Personalities")
        case .unknownObject: rule("an object that is neither 1, an init packet, nor 2, data", "Refusals")
        case .emptyObject: rule("Create of an empty object", "Personalities")
        case .initPacketTooLong: rule("Create of an init packet longer than Select reports", "Personalities")
        case .objectNotAPage:
            rule(
                "Create of a data object that is neither whole pages nor the rest of the image",
                "Personalities")
        case .objectTooLong: rule("Create of a data object longer than Select reports", "Personalities")
        case .objectBeyondImage: rule("Create of a data object that ends after the image", "Personalities")
        case .dataBeforeInit: rule("data before an init packet was executed", "Conversation")
        case .dataBeforeCreate: rule("data without an object that accepts it", "Checks")
        case .dataBeyondObject: rule("data past the end of its object", "Checks")
        case .dataBeforeAnswer: rule("data before the answer to Execute", "Checks")
        case .requestBeforeAnswer: rule("a request before the answer to the previous one", "Checks")
        case .executeBeforeAllData: rule("Execute of an object that is not complete", "Conversation")
        case .checksumIgnored:
            rule(
                "Execute although the last answer to Get CRC, or the last receipt, named too few bytes",
                "Conversation")
        }
    }
}
