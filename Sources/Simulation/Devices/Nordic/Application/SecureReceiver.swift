import Bluetooth

/// An application that receives Secure DFU itself, as a value: it accepts the requests of a bootloader, but keeps its
/// address, and a reset alone does not end the update (nordic-secure.md, Applications that take updates).
///
/// Moments must not decrease.
struct SecureReceiver: Bootloader {
    let receiver: ApplicationReceiver
    private var core: SecureBootloader

    init(
        _ receiver: ApplicationReceiver, _ personality: BootloaderPersonality, _ identity: BootloaderIdentity,
        settings: BootloaderSettings, timing: FlashTiming, at start: Duration
    ) {
        self.receiver = receiver
        core = SecureBootloader(personality, identity, settings: settings, timing: timing, at: start)
    }

    var settings: BootloaderSettings { core.settings }
    var settledSettings: BootloaderSettings { core.settledSettings }
    var memory: BootloaderMemory { core.memory }
    var statistics: BootloaderStatistics { core.statistics }
    var identity: BootloaderIdentity { core.identity }
    /// An application does not reset to give up.
    var inactivityDeadline: Duration? { nil }
    var flash: FlashModel {
        get { core.flash }
        set { core.flash = newValue }
    }

    func presence(name: String) -> BootloaderPresence {
        BootloaderPresence(
            table: AttributeTable([]), maximumMTU: 247, keepsWordSize: false,
            controlPoint: AttributeTable.controlPoint, packet: AttributeTable.packet, response: 0x60,
            advertising: [])
    }

    func settled(at now: Duration) -> SecureReceiver {
        var copy = self
        copy.core = core.settled(at: now)
        return copy
    }

    mutating func resume(_ memory: BootloaderMemory, settings: BootloaderSettings) {
        core.resume(memory, settings: settings)
    }

    mutating func connect(at now: Duration) { core.connect(at: now) }

    mutating func disconnect(at now: Duration) {
        core.disconnect(at: now)
        guard !receiver.keepsState else { return }
        var settings = core.settledSettings
        settings.initPacket = []
        let (flash, statistics) = (core.flash, core.statistics)
        core = SecureBootloader(
            core.personality, core.identity, settings: settings, timing: flash.timing, at: now)
        core.flash = flash
        core.statistics = statistics
    }

    mutating func controlPoint(_ request: [UInt8], at now: Duration) -> [FirmwareReaction] {
        core.stay(from: now)
        return core.controlPoint(request, at: now)
    }

    mutating func packet(_ bytes: [UInt8], at now: Duration) -> [FirmwareReaction] {
        core.stay(from: now)
        let reactions = core.packet(bytes, at: now)
        return receiver.answersEveryPacket ? [.notify([0x60, 0x03, 0x01], at: now)] + reactions : reactions
    }

    mutating func reset(at now: Duration, entering isAsked: Bool) -> Restart {
        let restart = core.reset(at: now)
        return Restart(program: .application, time: restart.time, resets: restart.resets, continues: false)
    }

    mutating func store(name: [UInt8], at now: Duration) {}
    mutating func stay(from moment: Duration) { core.stay(from: moment) }
}
