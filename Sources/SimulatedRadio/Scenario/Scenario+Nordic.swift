import ByteCoding
import Digests
import SimulatedDevice
import YAMLText

extension Scenario.Cast {
    init(_ entry: BeaconEntry) throws(YAMLProblem) {
        var description = BeaconDescription(address: entry.address)
        switch entry.kind {
        case .secure, .suota:
            description.personality =
                try entry.choice(.personality, of: Self.personalities) ?? .sdk17_1
            description.buttonless =
                try entry.choice(.buttonless, of: ButtonlessKind.allCases.named) ?? .named
        case .legacy:
            description = BeaconDescription(address: entry.address, legacy: try LegacyDevice(entry))
            description.buttonless =
                try entry.choice(.buttonless, of: ["legacy": .named, "none": .none]) ?? .named
        }
        description.key = try Self.key(entry[.key])
        description.program =
            try entry.choice(.mode, of: ["bootloader": .bootloader, "application": .application])
            ?? .bootloader
        description.timing = try entry.choice(.flash, of: ["stock": .stock, "instant": .instant]) ?? .stock
        description.name = try entry.text(.name) ?? description.name
        description.bootloaderName = try entry.text(.bootloaderName) ?? description.bootloaderName
        description.hardwareVersion = try entry.number(.hardware) ?? description.hardwareVersion
        let softDevice: UInt16 = try entry.number(.softDevice) ?? 0x98
        description.softDevice = softDevice == 0 ? nil : softDevice
        description.applicationVersion = try entry.number(.applicationVersion) ?? 0
        description.bootloaderVersion = try entry.number(.bootloaderVersion) ?? 0
        description.rssi = try entry.number(.rssi) ?? description.rssi
        description.batteryMillivolts = try entry.number(.batteryMillivolts, in: 1...UInt16.max)
        description.firmwareRevision = Self.revision(try entry.text(.firmwareRevision))
        description.isBonded = try entry.truth(.bonded) ?? false
        if description.buttonless == .bonded { description.requireBonds() }
        description.crashesOnName = try entry.truth(.crashesOnName) ?? false
        description.takesName = try entry.truth(.bootloaderTakesName) ?? true
        if let value = entry[.bootloaderAddress] { description.bootloaderAddress = try value.address() }
        if let kilobytes = try entry.number(.flashKilobytes, in: 256...4096) as Int? {
            description.layout = FlashLayout(size: kilobytes * 1024)
        }
        if let receiver = entry[.receiver] { try description.takeUpdates(receiver) }
        self.init(description: description)
        faults = try entry.faults()
    }

    private static let personalities: [String: BootloaderPersonality] = [
        "sdk-12.3": .sdk12_3, "sdk-13.1": .sdk13_1, "sdk-14.2": .sdk14_2, "sdk-15.0": .sdk15_0,
        "sdk-15.3": .sdk15_3, "sdk-16.0": .sdk16_0, "sdk-17.1": .sdk17_1,
        "sdk-17.1-saving-progress": .sdk17_1SavingProgress,
    ]

    private static func key(_ value: YAMLValue?) throws(YAMLProblem) -> P256PublicKey? {
        guard let value else { return nil }
        switch try value.text() {
        case "test": return TestKey.publicKey
        case "none": return nil
        case let digits:
            let bytes = (try? HexText.decode(digits)) ?? []
            guard bytes.count == 64,
                let key = P256PublicKey(x: bytes[..<32].reversed(), y: bytes[32...].reversed())
            else {
                throw value.problem("a key is 'test', 'none', or 128 digits as nrfutil prints a public key")
            }
            return key
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
