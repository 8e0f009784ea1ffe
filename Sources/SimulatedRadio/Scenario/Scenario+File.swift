import BluetoothTypes
import ByteCoding
import Digests
import FoundationEssentials
import SimulatedDevice
import Yams

extension Scenario {
    /// The scenario in the YAML file at `path`.
    public init(path: String) throws(ScenarioError) {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw ScenarioError(path: path, problem: "cannot be opened", isMissing: true)
        }
        let file: ScenarioFile
        do {
            file = try YAMLDecoder().decode(ScenarioFile.self, from: String(decoding: bytes, as: UTF8.self))
        } catch {
            throw ScenarioError(path: path, problem: Self.problem(in: error))
        }
        do throws(Flaw) {
            cast = []
            for beacon in file.beacons {
                if beacon.kind == ScenarioFile.Beacon.Kind.suota.rawValue {
                    suota.append(try SUOTACast(beacon))
                } else {
                    cast.append(try Cast(beacon))
                }
            }
            try refuseCollisions()
            switch file.link {
            case .modelled(let settings)?: link = try LinkModel(settings)
            case .instant?: link = nil
            case nil: break
            }
        } catch {
            throw ScenarioError(path: path, problem: error.text)
        }
        if let state = file.state {
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            statePath =
                state.hasPrefix("/") || folder.isEmpty ? state : folder.joined(separator: "/") + "/" + state
        }
    }

    /// Two beacons at one address would be one to everybody who listens.
    private func refuseCollisions() throws(Flaw) {
        var owners: [DeviceAddress: DeviceAddress] = [:]
        var places = cast.map(\.description).map { ($0.address, Set([$0.address, $0.bootloaderAddress])) }
        places += suota.map(\.description.address).map { ($0, [$0]) }
        for (member, addresses) in places {
            for address in addresses {
                if let owner = owners.updateValue(member, forKey: address) {
                    throw Flaw(
                        text: "\(owner) and \(member) would both be heard at \(address); "
                            + "a bootloader is at its application's address + 1")
                }
            }
        }
    }

    /// A value that means nothing.
    struct Flaw: Error { let text: String }

    private static func problem(in error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return (path.isEmpty ? "" : path + ": ") + context.debugDescription
        case .keyNotFound(let key, _): return "the key '\(key.stringValue)' is missing"
        @unknown default: return "\(error)"
        }
    }
}

extension LinkModel {
    init(_ file: ScenarioFile.Link) throws(Scenario.Flaw) {
        self.init()
        // Judged as numbers: not every one of them is a duration.
        guard (1...4000).contains(file.intervalMilliseconds ?? 15),
            (0...4000).contains(file.eventMilliseconds ?? 0)
        else { throw Self.limits }
        if let interval = file.intervalMilliseconds { self.interval = .seconds(interval / 1000) }
        eventLength = min(file.eventMilliseconds.map { .seconds($0 / 1000) } ?? eventLength, interval)
        if let dataLength = file.dataLength { self.dataLength = dataLength }
        if let phy = file.phy {
            guard let known = PHY(rawValue: phy) else {
                throw Scenario.Flaw(text: "phy is 1M or 2M, not \(phy)")
            }
            self.phy = known
        }
        guard (27...251).contains(self.dataLength), eventLength > .zero else { throw Self.limits }
        packetsPerEvent = file.packetsPerEvent
        isEncrypted = file.isEncrypted ?? false
        loss = file.loss ?? 0
        seed = file.seed ?? 0
        guard (0...0.9).contains(loss), packetsPerEvent ?? 1 >= 1 else { throw Self.limits }
    }

    private static let limits = Scenario.Flaw(
        text:
            "a link has interval_ms from 1 to 4000, event_ms above 0 and up to 4000, data_length from 27 to 251, "
            + "packets_per_event of at least 1, and loss from 0 to 0.9")
}

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

extension ScenarioFile.Beacon {
    /// What it says of its battery in mV.
    func voltage(_ address: DeviceAddress) throws(Scenario.Flaw) -> UInt16? {
        guard let batteryMillivolts else { return nil }
        guard (1...Int(UInt16.max)).contains(batteryMillivolts) else {
            throw Scenario.Flaw(
                text: "\(address): battery_mv is 1 to 65535 millivolts, not \(batteryMillivolts)")
        }
        return UInt16(batteryMillivolts)
    }

    /// What goes wrong with it.
    func faultList(of kind: Kind, _ address: DeviceAddress) throws(Scenario.Flaw) -> [Fault] {
        var list: [Fault] = []
        for entry in faults ?? [] {
            guard let (name, number) = entry.first, entry.count == 1 else {
                throw Scenario.Flaw(text: "\(address): an entry of faults has exactly one fault")
            }
            guard Self.owners[name]?.contains(kind) ?? true else {
                throw Scenario.Flaw(
                    text: "\(address): a beacon of kind \(kind.rawValue) has no fault '\(name)'")
            }
            list.append(try Fault(name, number, address))
        }
        return list
    }

    /// Faults that not every kind of beacon has.
    private static let owners: [String: Set<Kind>] = [
        "refuse_execute": [.secure], "corrupt_checksum": [.secure], "power_loss_in_object": [.secure],
        "keep_old_application": [.secure], "lose_bond": [.secure, .legacy], "early_notification": [.suota],
        "wrong_status": [.suota], "delay_response": [.suota], "memory_info": [.suota],
        "cut_in_block": [.suota], "power_loss_in_block": [.suota], "ignore_reboot": [.suota],
        "refuse_channel": [.suota],
    ]
}

extension Fault {
    init(_ name: String, _ number: Int, _ address: DeviceAddress) throws(Scenario.Flaw) {
        switch name {
        case "cut_before_packet": self = .cut(beforePacket: number)
        case "cut_after_packet": self = .cut(afterPacket: number)
        case "lose_packet": self = .losePacket(number)
        case "lose_notification": self = .loseNotification(number)
        case "double_notification": self = .doubleNotification(number)
        case "delay_notification": self = .delayNotification(number, by: .seconds(15))
        case "reorder_notification": self = .reorderNotification(number)
        case "refuse_execute": self = .answerExecute(number, with: [0x05])
        case "power_loss_in_object": self = .powerLossInObject(number)
        case "lose_bond": self = .loseBond
        case "keep_old_application": self = .keepOldApplication
        case "corrupt_checksum": self = .corruptChecksum(number)
        case "power_loss_after_packet": self = .powerLoss(afterPacket: number)
        case "lose_flash_write": self = .loseFlashWrite(number)
        case "slow_bootloader_ms": self = .slowBootloader(.milliseconds(number))
        case "silence_from_packet": self = .silence(fromPacket: number)
        case "early_notification": self = .earlyNotification(number)
        case "wrong_status": self = .replaceStatus(number, with: 0x06)
        case "memory_info": self = .answerMemoryInfo(UInt32(clamping: number))
        case "delay_response": self = .delayResponse(number, by: .seconds(5))
        case "cut_in_block": self = .cutInBlock(number)
        case "power_loss_in_block": self = .powerLossInBlock(number)
        case "ignore_reboot": self = .ignoreReboot
        case "refuse_channel": self = .refuseChannel
        default:
            throw Scenario.Flaw(text: "\(address): there is no fault '\(name)'")
        }
    }
}
