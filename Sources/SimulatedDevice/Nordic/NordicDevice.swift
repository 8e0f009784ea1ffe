public import BluetoothTypes

/// An application and a Nordic bootloader that take turns, or an application that takes updates itself, as a value.
public struct NordicDevice: BeaconDevice {
    /// What it is, and what was in it at first.
    public let description: NordicDescription
    /// Its bootloader, or what takes updates in its place.
    public internal(set) var bootloader: any Bootloader
    /// What runs.
    public private(set) var program: Restart.Program

    /// Whether the next reset leads to the bootloader because the application wants it.
    var isEntering = false
    var application: ButtonlessApplication
    var faults: NordicFaultPlan
    /// The session of a KBeacon's application.
    var kbeacon: KBeaconSession?
    /// Whether the application that should run does not start.
    private(set) var isDead = false
    /// How what takes updates shows itself on the link that there is.
    private(set) var shown: BootloaderPresence?

    /// A device as described, or one that goes on from an earlier run of the program with what a `BeaconMemory` has
    /// kept: to it the time between the runs is a link that ended.
    public init(
        _ description: NordicDescription, faults: [Fault] = [], retained: RetainedState? = nil,
        retainedImage: [UInt8] = [], at now: Duration
    ) {
        self.description = description
        self.faults = NordicFaultPlan(faults)
        bootloader = description.bootloader(settings: retained?.page ?? description.settings, at: now)
        bootloader.flash.lostWrites = faults.lostFlashWrites
        bootloader.flash.keepsOldApplication = self.faults.keepsOldApplication
        bootloader.flash.place(
            retained == nil ? description.applicationImage : retainedImage,
            at: description.layout.applicationStart)
        program = retained?.program ?? description.program
        if let retained {
            bootloader.resume(retained.memory, settings: retained.settings)
            bootloader.disconnect(at: now)
        }
        application = ButtonlessApplication(
            description.buttonless, crashesOnName: description.crashesOnName)
        if bootloader.settings.applicationSize == 0 { program = .bootloader }
        isDead = isKilled
        kbeacon = description.session(faults, retained: retained?.kbeacon)
        startSession()
    }

    /// The memory of both programs.
    public var flash: FlashModel {
        get { bootloader.flash }
        set { bootloader.flash = newValue }
    }

    /// Where the application begins.
    public var memoryStart: Int { description.layout.applicationStart }
    /// What ran, the settings page, the bootloader's RAM, and what an application keeps.
    public var retained: RetainedState? { RetainedState(bootloader, program, kbeacon?.memory) }
    /// Applications start at once.
    public var startsSlowly: Bool { program == .bootloader }

    /// When the bootloader gives up.
    public var inactivityDeadline: Duration? {
        program == .bootloader ? bootloader.inactivityDeadline : nil
    }

    /// That of the program that runs.
    public var address: DeviceAddress {
        program == .bootloader && !presence.isAtApplicationAddress
            ? description.bootloaderAddress : description.address
    }

    /// What the program that runs says of itself (nordic-secure.md, Layout).
    public func advertisement(at now: Duration) -> Advertisement? {
        guard !isSwitchedOff, !isDead else { return nil }
        if let plan { return plan.latest(at: now, from: address, rssi: description.rssi) }
        var data = AdvertisingData()
        data.elements =
            program == .bootloader
            ? presence.advertising
            : [.flags(0x06), .name(description.name, complete: true)] + description.receiverServices
                + (description.batteryMillivolts.map { [BatteryFrames.telemetry($0)] } ?? [])
        return Advertisement(address: address, rssi: description.rssi, isConnectable: true, data: data)
    }

    /// What an application that has a plan for it sends.
    public func reports(after earlier: Duration, through now: Duration) -> [Advertisement] {
        guard !isSwitchedOff, !isDead else { return [] }
        guard let plan else {
            guard timeline?.comes(after: earlier, through: now) ?? true else { return [] }
            return advertisement(at: now).map { [$0] } ?? []
        }
        return plan.reports(after: earlier, through: now, from: address, rssi: description.rssi)
    }

    /// When its plan has the next frame, or what runs advertises next.
    public func nextReport(after now: Duration) -> Duration {
        plan?.nextReport(after: now) ?? timeline?.next(after: now) ?? now + .milliseconds(100)
    }

    private var timeline: AdvertisingTimeline? {
        let interval =
            program == .bootloader
            ? description.bootloaderAdvertisingInterval : description.advertisingInterval
        return interval.map { AdvertisingTimeline(every: $0, at: address) }
    }

    /// A bootloader always does.
    public func takesLink(at now: Duration) -> Bool {
        !isSwitchedOff && !isDead && plan?.isConnectable(at: now) ?? true
    }

    private var plan: AdvertisingPlan? {
        guard program == .application, let plan = description.advertising else { return nil }
        return kbeacon?.said(in: plan, name: description.name) ?? plan
    }

    /// The version of the application that runs.
    public var runningVersion: UInt32 {
        bootloader.settings.runningVersion ?? bootloader.settings.applicationVersion
    }

    /// Whether what runs takes updates.
    var takesUpdates: Bool { program == .bootloader || description.receiver != nil }

    /// How the bootloader shows itself, under the name that it was given.
    private var presence: BootloaderPresence {
        let given = bootloader.settings.advertisedName
        let isNamed = !given.isEmpty && description.takesName
        return bootloader.presence(
            name: isNamed ? String(decoding: given, as: UTF8.self) : description.bootloaderName)
    }

    /// A link begins, with the services of the program that runs.
    public mutating func connect(at now: Duration) -> AttributeServer {
        let presence = presence
        shown = presence
        let server =
            program == .bootloader
            ? presence.server()
            : kbeacon?.server(description.buttonless)
                ?? AttributeServer(description.applicationTable(version: runningVersion), maximumMTU: 247)
        kbeacon?.connect()
        if takesUpdates { bootloader.connect(at: now) }
        return server
    }

    /// The link has ended, and nothing is reset for that.
    public mutating func disconnect(at now: Duration) -> Duration? {
        application.disconnected()
        kbeacon?.disconnect(at: now)
        if takesUpdates { bootloader.disconnect(at: now) }
        return nil
    }

    /// Power goes or a reset comes.
    public mutating func reset(at now: Duration) -> Duration {
        let restart = bootloader.reset(at: now, entering: isEntering)
        isEntering = false
        application.disconnected()
        program = restart.program
        isDead = isKilled
        kbeacon?.disconnect(at: now)
        kbeacon?.memory.isOff = false
        startSession()
        return restart.time
    }

    /// Whether what runs is an application that is not the first one, and does not start.
    private var isKilled: Bool {
        faults.killsApplication && program == .application
            && bootloader.applicationImage != description.applicationImage
    }

    /// Makes the bootloader what runs, as a button held at power-up does.
    mutating func stayInBootloader(from moment: Duration) {
        program = .bootloader
        isDead = false
        bootloader.stay(from: moment)
    }

    /// Power goes in the middle of an object.
    public mutating func linkFault() -> LinkFault? { faults.losesPower(bootloader) ? .powerLoss : nil }

    /// The same device once its flash has nothing left to do, and after a reset that is due.
    public func settled(at now: Duration, before reset: Duration?) -> NordicDevice {
        var copy = self
        copy.bootloader = bootloader.settled(at: now)
        if let reset { _ = copy.reset(at: reset) }
        return copy
    }
}
