import Bytes

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
        personality.imageCheck =
            try entry.choice("image_check", of: LegacyPersonality.ImageCheck.allCases.named)
            ?? personality.imageCheck
        handover = try entry.choice("handover", of: Handover.allCases.named) ?? handover
    }
}
