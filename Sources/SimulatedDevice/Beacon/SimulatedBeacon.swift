public import BluetoothTypes
public import GATT
public import Timing

/// A beacon in memory: an application and a bootloader that take turns, over any `Bearer`.
///
/// It never sleeps on its own account: what is due (a reset, the end of patience) is caught up with
/// whenever somebody looks. Only `serve` waits, for answers that flash delays.
public actor SimulatedBeacon: SimulatedPeer, PacketPeer {
    /// What it is, and what was in it at first.
    public nonisolated let description: BeaconDescription

    let time: Timekeeper
    let keeper: (any BeaconMemory)?
    var faults: FaultPlan
    var bootloader: any Bootloader
    var program: Restart.Program
    var awakens: Duration
    var resetDue: Duration?
    /// Whether that reset leads to the bootloader because the application wants it.
    var isEntering = false
    var application: ButtonlessApplication

    var link: Link?
    var lastLink = 0

    /// One connection.
    struct Link {
        let number: Int
        let controlPoint: BluetoothUUID
        let packet: BluetoothUUID
        let response: UInt8
        var server: AttributeServer
        var schedule = DeliverySchedule()
        var isSilent = false
        var isCut = false
        let outgoing: AsyncStream<DeliverySchedule.Delivery>.Continuation
    }

    /// A beacon as described, or one that goes on from an earlier run of the program.
    ///
    /// `retainedImage` is the flash from the application's start, as a `BeaconMemory` has kept it. To the
    /// beacon the time between the runs is a link that ended.
    public init(
        _ description: BeaconDescription, time: Timekeeper, faults: [Fault] = [],
        retained: RetainedState? = nil, retainedImage: [UInt8] = [], memory: (any BeaconMemory)? = nil
    ) {
        self.description = description
        self.time = time
        self.faults = FaultPlan(faults)
        keeper = memory
        var bootloader = description.bootloader(
            settings: retained?.page ?? description.settings, at: time.now)
        bootloader.flash.lostWrites = self.faults.lostFlashWrites
        bootloader.flash.keepsOldApplication = self.faults.keepsOldApplication
        bootloader.flash.place(
            retained == nil ? description.applicationImage : retainedImage,
            at: description.layout.applicationStart)
        program = retained?.program ?? description.program
        if let retained {
            bootloader.resume(retained.memory, settings: retained.settings)
            bootloader.disconnect(at: time.now)
        }
        application = ButtonlessApplication(
            description.buttonless, crashesOnName: description.crashesOnName)
        if bootloader.settings.applicationSize == 0 { program = .bootloader }
        self.bootloader = bootloader
        awakens = time.now + (program == .bootloader ? self.faults.bootloaderDelay : .zero)
    }

    /// What runs now.
    public var mode: Restart.Program {
        catchUp(to: time.now)
        return program
    }

    /// The application that runs: its exact bytes and its version; nil while the bootloader does.
    public var runningApplication: (image: [UInt8], version: UInt32)? {
        catchUp(to: time.now)
        guard program == .application else { return nil }
        return (bootloader.applicationImage, runningVersion)
    }

    var runningVersion: UInt32 {
        bootloader.settings.runningVersion ?? bootloader.settings.applicationVersion
    }

    /// The bootloader as it is now.
    public var state: any Bootloader {
        catchUp(to: time.now)
        return bootloader
    }

    /// What the beacon has seen.
    public var statistics: BeaconStatistics {
        var statistics = BeaconStatistics()
        statistics.packetsReceived = faults.packets
        statistics.commandsReceived = faults.commands
        statistics.bootloader = bootloader.statistics
        return statistics
    }

    /// Starts the bootloader, as a button held at power-up does.
    public func startBootloader() {
        let now = time.now
        restart(at: now)
        program = .bootloader
        awakens = now + faults.bootloaderDelay
        bootloader.stay(from: awakens)
        persist(at: now)
    }

    /// What a scanner hears at `now`; nil while the beacon is connected or not up (nordic-secure.md, Layout).
    public func advertisement(at now: Duration) -> Advertisement? {
        catchUp(to: now)
        guard link == nil, resetDue == nil, now >= awakens else { return nil }
        var data = AdvertisingData()
        data.elements =
            program == .bootloader
            ? presence.advertising
            : [.flags(0x06), .name(description.name, complete: true)] + description.receiverServices
                + (description.batteryMillivolts.map { [BatteryFrames.telemetry($0)] } ?? [])
        return Advertisement(address: address, rssi: description.rssi, isConnectable: true, data: data)
    }

    /// Whether what runs takes updates.
    var takesUpdates: Bool { program == .bootloader || description.receiver != nil }

    /// What the bootloader calls itself.
    var bootloaderName: String {
        let given = bootloader.settings.advertisedName
        return given.isEmpty || !description.takesName
            ? description.bootloaderName : String(decoding: given, as: UTF8.self)
    }

    /// How the bootloader shows itself.
    var presence: BootloaderPresence { bootloader.presence(name: bootloaderName) }

    /// The address at which the running program is to be found.
    public var address: DeviceAddress {
        program == .bootloader && !presence.isAtApplicationAddress
            ? description.bootloaderAddress : description.address
    }

    /// Serves one link until it ends, by whichever side; a beacon that is not up, or has a link already, ends
    /// it at once. `answer` is whether the link was taken.
    public func serve(_ bearer: some Bearer, answering answer: Rendezvous<Bool>? = nil) async {
        await pump(bearer, answering: answer)
    }
}
