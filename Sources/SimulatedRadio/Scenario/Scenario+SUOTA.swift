import BluetoothTypes
import ByteCoding
import SimulatedDevice

extension Scenario.SUOTACast {
    init(_ file: ScenarioFile.Beacon) throws(Scenario.Flaw) {
        guard let address = DeviceAddress(file.address) else {
            throw Scenario.Flaw(text: "'\(file.address)' is not an address; it looks like F0:0D:BE:AC:01:00")
        }
        try file.refuseKeys(foreignTo: .suota, address)
        var description = SUOTADescription(
            address: address, try Self.personality(file.personality ?? "da14585", address))
        switch file.flash {
        case "stock", nil: break
        case "instant": description.personality.timing = .instant
        case .some(let other):
            throw Scenario.Flaw(text: "\(address): flash is stock or instant, not \(other)")
        }
        description.name = file.name ?? description.name
        description.rssi = file.rssi ?? description.rssi
        description.batteryPercent = try file.percentage(address)
        description.batteryMillivolts = try file.voltage(address)
        if let version = file.version {
            guard (1...15).contains(version.utf8.count) else {
                throw Scenario.Flaw(text: "\(address): version has 1 to 15 characters, not '\(version)'")
            }
            description.board.first?.version = version
        }
        if let milliseconds = file.signatureCheckMilliseconds {
            guard (0...120_000).contains(milliseconds), description.personality.family == .da1458x else {
                throw Scenario.Flaw(
                    text: "\(address): signature_check_ms is 0 to 120000, on a 58x, not \(milliseconds)")
            }
            description.board.signatureCheck = .milliseconds(milliseconds)
        }
        description.board.signatureHolds = !(file.refusesSignature ?? false)
        try Self.wire(&description.board, file, address)
        self.init(description: description, faults: try file.faultList(of: .suota, address))
    }

    private static func personality(
        _ name: String, _ address: DeviceAddress
    ) throws(Scenario.Flaw) -> SUOTAPersonality {
        guard let personality = SUOTAPersonality.named[name] else {
            let list = SUOTAPersonality.named.keys.sorted().joined(separator: ", ")
            throw Scenario.Flaw(text: "\(address): personality is one of \(list), not \(name)")
        }
        return personality
    }

    /// Which memory there is, and how it is reached.
    private static func wire(
        _ board: inout SUOTABoard, _ file: ScenarioFile.Beacon, _ address: DeviceAddress
    ) throws(Scenario.Flaw) {
        switch file.memory {
        case "spi", nil: break
        case "i2c":
            board.memory = .i2c
            board.pins = 0x0050_0203
        case .some(let other): throw Scenario.Flaw(text: "\(address): memory is spi or i2c, not \(other)")
        }
        if let text = file.pins {
            guard text == "any" || text.count == 8 && UInt32(text, radix: 16) != nil else {
                throw Scenario.Flaw(
                    text: "\(address): pins is 'any', or the number of GPIO_MAP as 8 digits such as 05060300")
            }
            board.pins = UInt32(text, radix: 16)
        }
        if let number = file.wrongPinsStatus {
            let known: [ReceiverStatus] = [.productHeader, .memoryRead, .memoryWrite]
            guard let status = known.first(where: { Int($0.rawValue) == number }) else {
                throw Scenario.Flaw(text: "\(address): wrong_pins_status is 0x14, 0x16 or 0x06")
            }
            board.wrongPinsStatus = status
        }
    }
}
