import Bluetooth
import Bytes

/// A beacon of a scenario that accepts FBeacon updates.
struct FBeaconScenarioBeacon: ScenarioBeacon {
    var description: FBeaconDescription
    var faults: [Fault] = []

    var addresses: Set<DeviceAddress> { [description.address] }

    func simulated(
        time: Timekeeper, in folder: StateFolder?
    ) throws(ScenarioError) -> any SimulatedPeer {
        FBeaconBeacon(
            description, time: time, faults: faults,
            retained: try folder?.retainedFlash(of: description.address, size: description.flashSize),
            memory: try folder?.memory(of: description.address))
    }
}

extension FBeaconScenarioBeacon {
    /// A beacon of kind `fbeacon`.
    init(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        var description = FBeaconDescription(address: entry.address)
        description.advertiser = try FeasycomAdvertiser(readingParts: &entry)
        description.advertiser.name = try entry.text("name") ?? description.advertiser.name
        description.advertiser.title = try entry.text("model_name")
        try description.advertiser.standard.read(&entry)
        description.plan = AdvertisingPlan(description.advertiser)
        try description.plan.read(&entry)
        description.rssi = try entry.number("rssi") ?? description.rssi
        description.firmware.version = description.advertiser.version
        description.bootloader = try entry.number("bootloader") ?? description.bootloader
        description.maximumMTU = try entry.number("mtu", in: 23...247) ?? description.maximumMTU
        description.isOpen = try entry.truth("open") ?? true
        description.hasFlowControl = try entry.truth("flow_control") ?? false
        if try entry.choice("flash", of: ["stock": false, "instant": true]) ?? false {
            description.timing = .instant
        }
        description.room = (try entry.number("room_kb", in: 4...16_384) ?? description.room / 1024) * 1024
        guard description.room % FlashModel.pageSize == 0 else {
            throw entry.problem("room_kb must be a multiple of 4")
        }
        description.broadcasts = try entry.number("broadcasts", in: 0...10) ?? description.broadcasts
        try description.access.read(&entry)
        try description.answers.read(&entry)
        try description.entry.read(&entry)
        try description.transfer.read(&entry)
        try description.images.read(&entry, after: description.firmware.version)
        self.init(description: description, faults: try entry.faults())
    }
}

extension FBeaconAccess {
    fileprivate mutating func read(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        isBusy = try entry.truth("busy") ?? isBusy
        endsLinkAfterWrongPIN = try entry.truth("wrong_pin_ends_link") ?? endsLinkAfterWrongPIN
        pin = try entry.pin()
    }
}

extension FBeaconAnswers {
    fileprivate mutating func read(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        form = try entry.choice("answer_form", of: Form.allCases.named) ?? form
        saysLENAME = try entry.truth("says_lename") ?? saysLENAME
        restore = try entry.choice("restore_answer", of: Restore.allCases.named) ?? restore
    }
}

extension FBeaconEntry {
    fileprivate mutating func read(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        restoringDigit = try entry.number("restoring_digit", in: 0...1)
        refusal = try entry.text("entry_refusal")
        length = try entry.number("entry_length", in: 0...14)
        version = try entry.number("entry_version")
        model = try entry.number("entry_model")
        staysConnected = try entry.truth("stays_connected")
        linkEndsAfter = try entry["link_ends_after_ms"]?.milliseconds() ?? linkEndsAfter
    }
}

extension FBeaconTransfer {
    fileprivate mutating func read(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        opening =
            try entry.choice("opening", of: ["C": .skippingPreamble, "S": .whole, "NAK": .sum]) ?? opening
        overwrites = try entry.truth("overwrites") ?? overwrites
        acknowledgesUnchecked = try entry.truth("acknowledges_unchecked") ?? acknowledgesUnchecked
    }
}

extension FBeaconImages {
    fileprivate mutating func read(
        _ entry: inout BeaconEntry, after version: UInt16
    ) throws(YAMLProblem) {
        let next: UInt16? = try entry.number("updated_version")
        guard let list = entry["images"] else {
            self = .any(version: next ?? (version < .max ? version + 1 : version))
            return
        }
        guard next == nil else {
            throw list.problem("'images' have versions of their own: remove 'updated_version'")
        }
        var images: [FBeaconImage] = []
        for value in try list.list() { images.append(try FBeaconImage(value)) }
        self = .known(images)
    }
}

extension FBeaconImage {
    fileprivate init(_ value: YAMLValue) throws(YAMLProblem) {
        let values = try value.values(of: ["length", "crc", "version"])
        guard let length = values["length"], let word = values["crc"], let version = values["version"] else {
            throw value.problem("an image needs 'length', 'crc' and 'version'")
        }
        let digits = try word.text()
        guard digits.count == 4, let checksum = UInt16(digits, radix: 16) else {
            throw word.problem("a CRC must have 4 hexadecimal digits, in quotes: '31c3'")
        }
        self.init(
            length: try length.number(in: 1...16_777_216), checksum: checksum, version: try version.number())
    }
}

extension ScenarioKind {
    /// A Feasycom beacon that accepts updates.
    static let fbeacon = ScenarioKind(
        name: "fbeacon",
        faults: [
            "busy_session": fault { .busy($0) },
            "forget_setting": fault { .forgetSetting($0) },
            "refuse_setting": fault { .refuseSetting($0) },
            "refuse_packet": fault { .refusePacket($0) },
            "refuse_from_packet": fault { .refuseFromPacket($0) },
            "flood_refusals": fault { .floodRefusals($0) },
            "lose_answer": fault { .loseAnswer($0) },
            "delay_answer": fault { .delayAnswer($0, by: .milliseconds(1500)) },
            "wrong_answer": fault { .replaceAnswer($0, with: 0x3F) },
            "cancel_at_packet": fault { .cancelAtPacket($0) },
            "ignore_end": fault { .ignoreEnd($0) },
            "refuse_end": fault { .refuseEnd($0) },
            "cut_in_packet": fault { .cutInPacket($0) },
            "power_loss_in_packet": fault { .powerLossInPacket($0) },
            "keep_old_application": fault { _ in .keepOldApplication },
        ],
        tray: [
            FBeaconScenarioBeacon.placed(9) {
                var description = FBeaconDescription(address: $0)
                description.advertiser.name = "FBeacon 9"
                description.images = .any(version: 840)
                description.rssi = $1
                return FBeaconScenarioBeacon(description: description)
            }
        ]
    ) { (entry: inout BeaconEntry) throws(YAMLProblem) -> any ScenarioBeacon in
        try FBeaconScenarioBeacon(&entry)
    }

    private static func fault(_ make: @escaping @Sendable (Int) -> FBeaconFault) -> NamedFault {
        NamedFault { .fbeacon(make($0)) }
    }
}

extension SimulatedAdapter {
    /// The beacons among `peers` that accept FBeacon updates.
    public var fbeacons: [FBeaconBeacon] { peers.compactMap { $0 as? FBeaconBeacon } }
}
