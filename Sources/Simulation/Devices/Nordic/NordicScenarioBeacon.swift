import Bluetooth
import Bytes
import FoundationEssentials
import Glibc

struct NordicScenarioBeacon: ScenarioBeacon {
    var description: NordicDescription
    var faults: [Fault] = []

    var addresses: Set<DeviceAddress> { [description.address, description.bootloaderAddress] }

    func simulated(time: Timekeeper, in folder: StateFolder?) throws(ScenarioError) -> any SimulatedPeer {
        let retained = try folder?.retained(description)
        return NordicBeacon(
            description, time: time, faults: faults, retained: retained?.state,
            retainedImage: retained?.image ?? [], memory: try folder?.memory(of: description.address))
    }
}

extension NordicScenarioBeacon {
    init(secure entry: inout BeaconEntry) throws(YAMLProblem) {
        var description = NordicDescription(address: entry.address)
        description.firmwareRevision = Self.revision(try entry.text("firmware_revision"))
        try description.readSecure(&entry)
        self.init(description: description, faults: try entry.faults())
    }

    init(legacy entry: inout BeaconEntry) throws(YAMLProblem) {
        var description = NordicDescription(address: entry.address, legacy: try LegacyDevice(&entry))
        let ways = [
            "legacy": ButtonlessKind?.none, "none": .some(.none), "sdk-14": .named, "sdk-13": .nameless,
            "sdk-14-bonded": .bonded,
        ]
        if let way = try entry.choice("buttonless", of: ways), let way {
            description.buttonless = way
            description.hasSecureEntry = way != .none
        }
        try description.readCommon(&entry)
        self.init(description: description, faults: try entry.faults())
    }

    /// A beacon of the built-in tray. Its SoftDevice is S132 4.0.2, which the sample packages require.
    static func builtIn(
        _ number: UInt8, _ name: String, _ change: (inout NordicDescription) -> Void
    ) -> Self? {
        placed(number) {
            var description = NordicDescription(address: $0)
            (description.name, description.rssi, description.softDevice) = (name, $1, 0x98)
            change(&description)
            return Self(description: description)
        }
    }

    private static func revision(_ text: String?) -> FirmwareRevision {
        switch text {
        case "number", nil: .number
        case "dotted": .dotted
        case "none": .none
        case .some(let text): .text(text)
        }
    }
}

extension NordicDescription {
    private static let personalities: [String: SecurePersonality] = [
        "sdk-12.3": .sdk12_3, "sdk-13.1": .sdk13_1, "sdk-14.2": .sdk14_2, "sdk-15.0": .sdk15_0,
        "sdk-15.3": .sdk15_3, "sdk-16.0": .sdk16_0, "sdk-17.1": .sdk17_1,
        "sdk-17.1-saving-progress": .sdk17_1SavingProgress,
    ]

    mutating func readSecure(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        personality = try entry.choice("personality", of: Self.personalities) ?? .sdk17_1
        buttonless = try entry["buttonless"]?.choice() ?? .named
        if buttonless == .bonded { requireBonds() }
        isBonded = try entry.truth("bonded") ?? false
        hardwareVersion = try entry.number("hardware") ?? hardwareVersion
        bootloaderVersion = try entry.number("bootloader_version") ?? 0
        crashesOnName = try entry.truth("crashes_on_name") ?? false
        takesName = try entry.truth("bootloader_takes_name") ?? true
        try readCommon(&entry)
    }

    /// Reads the keys of both kinds of bootloader; `receiver` takes precedence.
    fileprivate mutating func readCommon(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        key = try entry["key"]?.publicKey()
        program =
            try entry.choice("mode", of: ["bootloader": .bootloader, "application": .application])
            ?? .bootloader
        timing = try entry.choice("flash", of: ["stock": .stock, "instant": .instant]) ?? .stock
        name = try entry.text("name") ?? name
        bootloaderName = try entry.text("bootloader_name") ?? bootloaderName
        let installed: UInt16 = try entry.number("softdevice") ?? 0x98
        softDevice = installed == 0 ? nil : installed
        applicationVersion = try entry.number("application_version") ?? 0
        rssi = try entry.number("rssi") ?? rssi
        batteryMillivolts = try entry.number("battery_mv", in: 1...UInt16.max)
        advertising = try entry.advertising()
        advertisingInterval = try entry.advertisingInterval("advertising_ms")
        bootloaderAdvertisingInterval =
            try entry.advertisingInterval("bootloader_advertising_ms") ?? advertisingInterval
        bootloaderAddress = try entry["bootloader_address"]?.address() ?? bootloaderAddress
        if let kilobytes = try entry.number("flash_kb", in: 256...4096) as Int? {
            layout.size = kilobytes * 1024
        }
        if let receiver = entry["receiver"] { try acceptUpdates(receiver) }
    }
}

extension YAMLValue {
    /// The key that verifies signatures; nil if packages need no signature.
    fileprivate func publicKey() throws(YAMLProblem) -> P256PublicKey? {
        switch try text() {
        case "test": return TestKey.publicKey
        case "none": return nil
        case let digits:
            let bytes = (try? HexText.decode(digits)) ?? []
            guard bytes.count == 64,
                let key = P256PublicKey(x: bytes[..<32].reversed(), y: bytes[32...].reversed())
            else {
                throw problem("a key must be 'test', 'none', or the 128 digits of a public key")
            }
            return key
        }
    }
}

/// The P-256 key of RFC 6979, appendix A.2.5. Its private half is public knowledge: simulated bootloaders and the
/// sample packages use it, no product may.
enum TestKey {
    private static let digits =
        "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
        + "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"

    static let publicKey = (try? HexText.decode(digits)).flatMap { P256PublicKey(x: $0[..<32], y: $0[32...]) }
}

extension LegacyDevice {
    private static let personalities: [String: LegacyPersonality] = [
        "sdk-4": .sdk4, "sdk-5.2": .sdk5_2, "sdk-6.1": .sdk6_1, "sdk-7": .sdk7, "sdk-8": .sdk8,
        "dfu-0.7": .hashing, "sdk-11": .sdk11, "sdk-11-two-banks": .sdk11TwoBanks,
        "sdk-11-signed": .sdk11Signed, "adafruit": .adafruit,
    ]

    init(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        self.init(try entry.choice("personality", of: Self.personalities) ?? .sdk11)
        type = try entry.number("device_type")
        revision = try entry.number("device_revision")
        bootloaderRevision = try entry.text("bootloader_revision")
        answersEntry = try entry.truth("answers_entry") ?? true
        personality.imageCheck = try entry["image_check"]?.choice() ?? personality.imageCheck
        personality.packetMaximum =
            try entry.number("packet_maximum", in: 20...244) ?? personality.packetMaximum
        handover = try entry["handover"]?.choice() ?? handover
    }
}

extension NordicDescription {
    /// Makes the application accept updates itself, as `file` specifies (docs/scenarios.md).
    mutating func acceptUpdates(_ file: YAMLValue) throws(YAMLProblem) {
        let values = try file.values(of: [
            "revision", "updated_revision", "services", "switched_off", "answers_activation",
            "answers_every_packet", "keeps_state",
        ])
        var receiver = ApplicationReceiver()
        receiver.updatedRevision = try values["updated_revision"]?.text()
        receiver.otherServices = try values["services"]?.choice() ?? receiver.otherServices
        receiver.isSwitchedOff = try values["switched_off"]?.truth() ?? false
        receiver.answersActivation = try values["answers_activation"]?.truth() ?? false
        receiver.answersEveryPacket = try values["answers_every_packet"]?.truth() ?? false
        receiver.keepsState = try values["keeps_state"]?.truth() ?? false
        if let revision = try values["revision"]?.text() { firmwareRevision = .text(revision) }
        acceptUpdates(receiver)
    }
}

extension ScenarioKind {
    /// A beacon with a Secure bootloader; the default if an entry names no kind.
    static let secure = ScenarioKind(
        name: "nordic-secure",
        faults: both.merging([
            "refuse_execute": NamedFault { .nordic(.answerExecute($0, with: [0x05])) },
            "power_loss_in_object": NamedFault { .nordic(.powerLossInObject($0)) },
            "keep_old_application": NamedFault { _ in .nordic(.keepOldApplication) },
            "corrupt_checksum": NamedFault { .nordic(.corruptChecksum($0)) },
            "lose_answer": NamedFault { .nordic(.loseAnswer($0)) },
            "lose_burst_at_byte": NamedFault(range: 0...Int(Int32.max)) { .nordic(.loseBurst(atByte: $0)) },
        ]) { $1 },
        tray: [
            NordicScenarioBeacon.builtIn(1, "Blinker 1") { $0.key = TestKey.publicKey },
            NordicScenarioBeacon.builtIn(2, "Blinker 2") {
                $0.personality = .sdk15_3
                $0.key = TestKey.publicKey
            },
            NordicScenarioBeacon.builtIn(3, "Open 3") { $0.personality = .sdk16_0 },
            NordicScenarioBeacon.builtIn(4, "Blinker 4") { $0.program = .application },
        ], read: NordicScenarioBeacon.init(secure:))

    private static let both = [
        "lose_bond": NamedFault { _ in .nordic(.loseBond) },
        "dead_application": NamedFault { _ in .nordic(.deadApplication) },
        "ignore_entry": NamedFault { .nordic(.ignoreEntry($0)) },
    ]

    static let legacy = ScenarioKind(
        name: "nordic-legacy", faults: both,
        tray: [NordicScenarioBeacon.builtIn(5, "Lamp 5") { $0.useLegacyBootloader(LegacyDevice(.sdk11)) }],
        read: NordicScenarioBeacon.init(legacy:))
}

extension SimulatedAdapter { public var beacons: [NordicBeacon] { peers.compactMap { $0 as? NordicBeacon } } }

extension StateFolder {
    /// What an earlier run stored for `beacon`; nil if it stored nothing.
    fileprivate func retained(
        _ beacon: NordicDescription
    ) throws(ScenarioError) -> (state: RetainedState, image: [UInt8])? {
        let path = file(beacon.address, ".json")
        var room = beacon.layout.size - beacon.layout.applicationStart
        if beacon.receiver != nil, beacon.legacy != nil { room = max(room, LegacyReceiver.end) }
        guard let json = try contents(of: path, atMost: Self.largestState) else {
            // The flash file is valid only with the state file, which another program may have written just now.
            let flash = file(beacon.address, ".flash")
            guard try contents(of: flash, atMost: room)?.isEmpty ?? true else {
                if access(path.systemPath, F_OK) == 0 { return try retained(beacon) }
                throw ScenarioError(path: flash, problem: Self.notAState)
            }
            return nil
        }
        let state: RetainedState
        do { state = try JSONDecoder().decode(RetainedState.self, from: json) } catch {
            throw ScenarioError(path: path, problem: Self.notAState)
        }
        do throws(RetainedState.Invalid) { try state.check(in: beacon.layout) } catch {
            throw ScenarioError(path: path, problem: "\(error); delete it to start over")
        }
        let image = try contents(of: file(beacon.address, ".flash"), atMost: room)
        return (state, [UInt8](image ?? Data()))
    }
}
