import Bluetooth
import Bytes

typealias FBeaconScenarioBeacon = FlashScenarioBeacon<FBeaconDevice>

extension FBeaconDescription {
    init(_ file: inout BeaconEntry) throws(YAMLProblem) {
        self.init(address: file.address)
        advertiser = try FeasycomAdvertiser(readingParts: &file)
        advertiser.name = try file.text("name") ?? advertiser.name
        advertiser.title = try file.text("model_name")
        try advertiser.standard.read(&file)
        plan = AdvertisingPlan(advertiser)
        try plan.read(&file)
        rssi = try file.number("rssi") ?? rssi
        firmware.version = advertiser.version
        bootloader = try file.number("bootloader") ?? bootloader
        maximumMTU = try file.number("mtu", in: 23...247) ?? maximumMTU
        isOpen = try file.truth("open") ?? true
        hasFlowControl = try file.truth("flow_control") ?? false
        timing = try file.choice("flash", of: ["stock": .stock, "instant": .instant]) ?? timing
        maximumImageSize = (try file.number("room_kb", in: 4...16_384) ?? maximumImageSize / 1024) * 1024
        guard maximumImageSize % FlashModel.pageSize == 0 else {
            throw file.problem("room_kb must be a multiple of 4")
        }
        broadcasts = try file.number("broadcasts", in: 0...10) ?? broadcasts
        access.isBusy = try file.truth("busy") ?? access.isBusy
        access.endsLinkAfterWrongPIN = try file.truth("wrong_pin_ends_link") ?? access.endsLinkAfterWrongPIN
        access.pin = try file.pin()
        answers.form = try file["answer_form"]?.choice() ?? answers.form
        answers.usesLENAME = try file.truth("says_lename") ?? answers.usesLENAME
        answers.restore = try file["restore_answer"]?.choice() ?? answers.restore
        entry.restoringDigit = try file.number("restoring_digit", in: 0...1)
        entry.refusal = try file.text("entry_refusal")
        entry.length = try file.number("entry_length", in: 0...14)
        entry.version = try file.number("entry_version")
        entry.model = try file.number("entry_model")
        entry.staysConnected = try file.truth("stays_connected")
        entry.linkEndsAfter = try file["link_ends_after_ms"]?.milliseconds() ?? entry.linkEndsAfter
        let openings: [String: FBeaconTransfer.Opening] = ["C": .skippingPreamble, "S": .whole, "NAK": .sum]
        transfer.opening = try file.choice("opening", of: openings) ?? transfer.opening
        transfer.overwrites = try file.truth("overwrites") ?? transfer.overwrites
        transfer.acknowledgesUnchecked =
            try file.truth("acknowledges_unchecked") ?? transfer.acknowledgesUnchecked
        try images.read(&file, after: firmware.version)
    }
}

extension FBeaconImages {
    fileprivate mutating func read(_ entry: inout BeaconEntry, after version: UInt16) throws(YAMLProblem) {
        let next: UInt16? = try entry.number("updated_version")
        guard let list = entry["images"] else {
            self = .any(version: next ?? (version < .max ? version + 1 : version))
            return
        }
        guard next == nil else {
            throw list.problem("'images' have versions of their own: remove 'updated_version'")
        }
        self = .known(try list.list().map { (value) throws(YAMLProblem) in try FBeaconImage(value) })
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
        ], read: FBeaconScenarioBeacon.read)

    private static func fault(_ make: @escaping @Sendable (Int) -> FBeaconFault) -> NamedFault {
        NamedFault { .fbeacon(make($0)) }
    }
}
