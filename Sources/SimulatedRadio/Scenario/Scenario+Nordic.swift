import BluetoothTypes
import ByteCoding
import Digests
import SimulatedDevice

extension Scenario.Cast {
    init(_ file: ScenarioFile.Beacon) throws(Scenario.Flaw) {
        guard let address = DeviceAddress(file.address) else {
            throw Scenario.Flaw(text: "'\(file.address)' is not an address; it looks like F0:0D:BE:AC:01:00")
        }
        var description = BeaconDescription(address: address)
        let kind = try Self.kind(file.kind, address)
        try file.refuseKeys(foreignTo: kind, address)
        switch kind {
        case .secure, .suota:
            description.personality = try Self.personality(file.personality, address)
            description.buttonless = try Self.buttonless(file.buttonless, address)
        case .legacy:
            description = BeaconDescription(address: address, legacy: try LegacyDevice(file, address))
            description.buttonless = try LegacyDevice.buttonless(file.buttonless, address)
        }
        description.softDevice = 0x98
        description.key = try Self.key(file.key, address)
        description.program = try Self.program(file.mode, address)
        description.timing = try Self.timing(file.flash, address)
        description.name = file.name ?? description.name
        description.bootloaderName = file.bootloaderName ?? description.bootloaderName
        description.hardwareVersion = file.hardware ?? description.hardwareVersion
        description.softDevice = file.softDevice.map { $0 == 0 ? nil : $0 } ?? description.softDevice
        description.applicationVersion = file.applicationVersion ?? 0
        description.bootloaderVersion = file.bootloaderVersion ?? 0
        description.rssi = file.rssi ?? description.rssi
        description.batteryMillivolts = try file.voltage(address)
        description.firmwareRevision = Self.revision(file.firmwareRevision)
        description.isBonded = file.bonded ?? false
        if description.buttonless == .bonded { description.requireBonds() }
        description.crashesOnName = file.crashesOnName ?? false
        description.takesName = file.bootloaderTakesName ?? true
        if let text = file.bootloaderAddress {
            guard let other = DeviceAddress(text) else {
                throw Scenario.Flaw(text: "\(address): bootloader_address '\(text)' is not an address")
            }
            description.bootloaderAddress = other
        }
        if let kilobytes = file.flashKilobytes {
            guard (256...4096).contains(kilobytes) else {
                throw Scenario.Flaw(text: "\(address): flash_kb is from 256 to 4096, not \(kilobytes)")
            }
            description.layout = FlashLayout(size: kilobytes * 1024)
        }
        if let receiver = file.receiver { try description.takeUpdates(receiver) }
        self.init(description: description)
        faults = try file.faultList(of: kind, address)
    }

    private static func kind(
        _ text: String?, _ address: DeviceAddress
    ) throws(Scenario.Flaw) -> ScenarioFile.Beacon.Kind {
        guard let text else { return .secure }
        guard let kind = ScenarioFile.Beacon.Kind(rawValue: text) else {
            throw Scenario.Flaw(text: "\(address): kind is \(ScenarioFile.Beacon.Kind.list), not \(text)")
        }
        return kind
    }

    private static func key(
        _ text: String?, _ address: DeviceAddress
    ) throws(Scenario.Flaw) -> P256PublicKey? {
        switch text {
        case "test": return TestKey.publicKey
        case "none", nil: return nil
        case .some(let digits):
            let bytes = (try? HexText.decode(digits)) ?? []
            guard bytes.count == 64,
                let key = P256PublicKey(x: bytes[..<32].reversed(), y: bytes[32...].reversed())
            else {
                throw Scenario.Flaw(
                    text: "\(address): key is 'test', 'none', or 128 digits as nrfutil prints a public key")
            }
            return key
        }
    }

    private static func personality(
        _ name: String?, _ address: DeviceAddress
    ) throws(Scenario.Flaw) -> BootloaderPersonality {
        let known: [String: BootloaderPersonality] = [
            "sdk-12.3": .sdk12_3, "sdk-13.1": .sdk13_1, "sdk-14.2": .sdk14_2, "sdk-15.0": .sdk15_0,
            "sdk-15.3": .sdk15_3, "sdk-16.0": .sdk16_0, "sdk-17.1": .sdk17_1,
            "sdk-17.1-saving-progress": .sdk17_1SavingProgress,
        ]
        guard let personality = known[name ?? "sdk-17.1"] else {
            let list = known.keys.sorted().joined(separator: ", ")
            throw Scenario.Flaw(text: "\(address): personality is one of \(list), not \(name ?? "")")
        }
        return personality
    }

    private static func program(
        _ mode: String?, _ address: DeviceAddress
    ) throws(Scenario.Flaw) -> Restart.Program {
        switch mode {
        case "bootloader", nil: return .bootloader
        case "application": return .application
        case .some(let other):
            throw Scenario.Flaw(text: "\(address): mode is bootloader or application, not \(other)")
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

    private static func buttonless(
        _ kind: String?, _ address: DeviceAddress
    ) throws(Scenario.Flaw) -> ButtonlessKind {
        guard let kind else { return .named }
        guard let known = ButtonlessKind(rawValue: kind) else {
            let list = ButtonlessKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw Scenario.Flaw(text: "\(address): buttonless is one of \(list), not \(kind)")
        }
        return known
    }

    private static func timing(
        _ flash: String?, _ address: DeviceAddress
    ) throws(Scenario.Flaw) -> FlashTiming {
        switch flash {
        case "stock", nil: return .stock
        case "instant": return .instant
        case .some(let other):
            throw Scenario.Flaw(text: "\(address): flash is stock or instant, not \(other)")
        }
    }
}
