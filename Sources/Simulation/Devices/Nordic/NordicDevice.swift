public import Bluetooth

/// An application and a Nordic bootloader, or an application that receives updates itself, as a value.
public struct NordicDevice: BeaconDevice {
    public let description: NordicDescription
    /// The bootloader; in an application that receives updates itself, its receiver.
    package internal(set) var bootloader: any Bootloader
    package private(set) var program: Restart.Program

    var isEntering = false
    var application: ButtonlessApplication
    var faults: NordicFaultPlan
    var kbeacon: KBeaconSession?
    private(set) var isDead = false

    package init(
        _ description: NordicDescription, faults: [Fault] = [], retained: RetainedState? = nil,
        retainedImage: [UInt8] = [], at now: Duration
    ) {
        self.description = description
        self.faults = NordicFaultPlan(faults)
        bootloader = description.bootloader(settings: retained?.page ?? description.settings, at: now)
        bootloader.flash.lostWrites = faults.lostFlashWrites
        bootloader.flash.keepsOldApplication = self.faults.has(.keepOldApplication)
        bootloader.flash.place(
            retained == nil ? description.applicationImage : retainedImage,
            at: description.layout.applicationStart)
        program = retained?.program ?? description.program
        if let retained {
            bootloader.resume(retained.memory, settings: retained.settings)
            bootloader.disconnect(at: now)
        }
        application = ButtonlessApplication(description.buttonless, crashesOnName: description.crashesOnName)
        if bootloader.settings.applicationSize == 0 { program = .bootloader }
        isDead = isKilled
        kbeacon = description.session(faults, retained: retained?.kbeacon)
        startSession()
    }

    public var flash: FlashModel {
        get { bootloader.flash }
        set { bootloader.flash = newValue }
    }

    public var memoryStart: Int { description.layout.applicationStart }
    public var retained: RetainedState? { RetainedState(bootloader, program, kbeacon?.memory) }
    /// Whether a start takes time: applications start without delay.
    public var startsSlowly: Bool { program == .bootloader }

    public var inactivityDeadline: Duration? { program == .bootloader ? bootloader.inactivityDeadline : nil }

    public var address: DeviceAddress {
        program == .bootloader && !presence.isAtApplicationAddress
            ? description.bootloaderAddress : description.address
    }

    /// The advert of the running program; a plan replaces that of the application (nordic-secure.md, Layout).
    public var advertising: BeaconAdvertising? {
        guard program == .application else {
            return BeaconAdvertising(
                presence.advertising, every: description.bootloaderAdvertisingInterval, from: address,
                rssi: description.rssi)
        }
        return BeaconAdvertising(
            plan,
            or: [.flags(0x06), .name(description.name, complete: true)] + description.receiverServices
                + (description.batteryMillivolts.map { [BatteryFrames.telemetry($0)] } ?? []),
            every: description.advertisingInterval, from: address, rssi: description.rssi)
    }

    public func isAudible(at now: Duration) -> Bool { !isSwitchedOff && !isDead }

    private var plan: AdvertisingPlan? {
        guard let plan = description.advertising else { return nil }
        return kbeacon?.applyingChanges(to: plan, name: description.name) ?? plan
    }

    package var runningVersion: UInt32 {
        bootloader.settings.runningVersion ?? bootloader.settings.applicationVersion
    }

    var takesUpdates: Bool { program == .bootloader || description.receiver != nil }

    private var presence: BootloaderPresence {
        let given = bootloader.settings.advertisedName
        let isNamed = !given.isEmpty && description.takesName
        return bootloader.presence(
            name: isNamed ? String(decoding: given, as: UTF8.self) : description.bootloaderName)
    }

    public mutating func connect(at now: Duration) -> AttributeServer {
        let server =
            program == .bootloader
            ? presence.server()
            : kbeacon?.server(description.buttonless)
                ?? AttributeServer(description.applicationTable(version: runningVersion), maximumMTU: 247)
        kbeacon?.connect()
        if takesUpdates { bootloader.connect(at: now) }
        return server
    }

    public mutating func disconnect(at now: Duration) -> Duration? {
        application.disconnected()
        kbeacon?.disconnect(at: now)
        if takesUpdates { bootloader.disconnect(at: now) }
        return nil
    }

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

    private var isKilled: Bool {
        faults.has(.deadApplication) && program == .application
            && bootloader.applicationImage != description.applicationImage
    }

    mutating func stayInBootloader(from moment: Duration) {
        program = .bootloader
        isDead = false
        bootloader.stay(from: moment)
    }

    public mutating func linkFault() -> LinkFault? { faults.losesPower(bootloader) ? .powerLoss : nil }

    public func settled(at now: Duration, before reset: Duration?) -> NordicDevice {
        var copy = self
        copy.bootloader = bootloader.settled(at: now)
        if let reset { _ = copy.reset(at: reset) }
        return copy
    }

    public var bond: Int? { bootloader.settings.bonds?.application }

    /// Encrypts with the key of a bond, or pairs if the central has none (nordic-buttonless.md, Bonds).
    public mutating func encrypt(with key: Int?, _ server: inout AttributeServer, at now: Duration) -> (
        LinkEncryption, [BeaconReaction]
    ) {
        let outcome = program == .application ? encryptApplication(key) : encryptBootloader(key)
        // A new central has no cached services to discard.
        guard case .done = outcome, key != nil,
            let packet = server.serviceChange(from: AttributeTable.dfuService)
        else { return (outcome, []) }
        return (outcome, [.send(packet, at: now)])
    }

    private mutating func encryptApplication(_ key: Int?) -> LinkEncryption {
        guard description.buttonless == .bonded else { return .refused("simulated beacons do not pair") }
        var bonds = bootloader.settings.bonds ?? BondKeys()
        if let key { return key == bonds.application ? .done(key: key) : .refused("the key is missing") }
        guard description.keepsBonds else { return .done(key: nil) }
        bonds.application = (bonds.application ?? 0) + 1
        bootloader.store(bonds: bonds)
        return .done(key: bonds.application)
    }

    private func encryptBootloader(_ key: Int?) -> LinkEncryption {
        guard let key, !faults.has(.loseBond) else { return .refused("pairing is not supported") }
        let known = bootloader.settings.bonds?.bootloader
        let isKnown = description.personality.requiresBonds && key == known
        return isKnown ? .done(key: key) : .refused("the key is missing")
    }

    mutating func handOverBond() {
        guard description.buttonless == .bonded, var bonds = bootloader.settings.bonds else { return }
        bonds.bootloader = bonds.application
        bootloader.store(bonds: bonds)
    }

    public var brokenRules: [BrokenRule] { bootloader.statistics.brokenRules + (kbeacon?.brokenRules ?? []) }

    public func meaning(of value: [UInt8], to characteristic: BluetoothUUID) -> WriteMeaning {
        switch characteristic {
        case description.dfu.controlPoint where takesUpdates:
            .request(description.dfu == .secure ? .secure(value) : .legacy(value))
        case description.dfu.packet where takesUpdates: .data
        case description.entryCharacteristic: .request(.entry(value))
        case AttributeTable.kbeaconWrite: .data
        default: .request(ClientRequest("write", ["bytes": value.count]))
        }
    }

    public var acceptedBytes: Int { bootloader.acceptedBytes }
    public var droppedPackets: Int { bootloader.statistics.packetsDropped }

    /// The image that waits to be installed; nil if there is none.
    public func completedUpdate(at now: Duration) -> CompletedUpdate? {
        guard let waiting = bootloader.settledSettings.activation else { return nil }
        var flash = bootloader.flash
        flash.advance(to: flash.idle(at: now))
        return CompletedUpdate(held: flash.content(waiting.address..<waiting.address + waiting.size))
    }
}

extension ClientRequest {
    /// A write to the Control Point of Secure DFU (nordic-secure.md, Layout).
    static func secure(_ request: [UInt8]) -> ClientRequest {
        switch request.first {
        case 0x01: ClientRequest("create", ["object": request.field(1, 1), "bytes": request.field(2, 4)])
        case 0x02: ClientRequest("set-receipts", ["packets": request.field(1, 2)])
        case 0x06: ClientRequest("select", ["object": request.field(1, 1)])
        case let opcode:
            named(
                opcode,
                [
                    0x03: "get-checksum", 0x04: "execute", 0x07: "get-mtu", 0x08: "write", 0x09: "ping",
                    0x0A: "get-hardware-version", 0x0B: "get-firmware-version", 0x0C: "abort",
                ])
        }
    }

    /// A write to the Control Point of Legacy DFU (nordic-legacy.md, Layout).
    static func legacy(_ request: [UInt8]) -> ClientRequest {
        switch request.first {
        case 0x01: ClientRequest("start", request.count > 1 ? ["mode": request.field(1, 1)] : [:])
        case 0x02: ClientRequest("init-packet", request.count > 1 ? ["complete": request.field(1, 1)] : [:])
        case 0x08: ClientRequest("set-receipts", ["packets": request.field(1, 2)])
        case let opcode:
            named(
                opcode,
                [
                    0x03: "receive-image", 0x04: "validate", 0x05: "activate", 0x06: "reset",
                    0x07: "get-received-bytes",
                ])
        }
    }

    /// A write to the characteristic that enters the bootloader (nordic-buttonless.md, Layout).
    static func entry(_ request: [UInt8]) -> ClientRequest {
        request.first == 0x02
            ? ClientRequest("set-name", ["bytes": max(0, request.count - 2)])
            : named(request.first, [0x01: "enter-bootloader"])
    }

    private static func named(_ opcode: UInt8?, _ names: [UInt8: String]) -> ClientRequest {
        opcode.flatMap { names[$0] }.map { ClientRequest($0) }
            ?? ClientRequest("unknown", ["opcode": Int(opcode ?? 0)])
    }
}
