import Bytes

extension SUOTAScenarioBeacon {
    /// A beacon of kind `suota`.
    init(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        var description = SUOTADescription(
            address: entry.address,
            try entry.choice("personality", of: SUOTAPersonality.named) ?? .da14585)
        if try entry.choice("flash", of: ["stock": false, "instant": true]) ?? false {
            description.personality.timing = .instant
        }
        description.name = try entry.text("name") ?? description.name
        description.rssi = try entry.number("rssi") ?? description.rssi
        description.batteryPercent = try entry.number("battery", in: 0...100)
        description.batteryMillivolts = try entry.number("battery_mv", in: 1...UInt16.max)
        description.advertising = try entry.advertising()
        description.advertisingInterval = try entry.advertisingInterval("advertising_ms")
        if let value = entry["version"] {
            let version = try value.text()
            guard (1...15).contains(version.utf8.count) else {
                throw value.problem("a version must have 1 to 15 characters")
            }
            description.board.first?.version = version
        }
        if let value = entry["signature_check_ms"] {
            guard description.personality.family == .da1458x else {
                throw value.problem("signature_check_ms is only for 58x chips")
            }
            description.board.signatureCheck = .milliseconds(try value.number(in: 0...120_000) as Int)
        }
        description.pin = try entry.pin()
        description.board.signatureHolds = !(try entry.truth("refuses_signature") ?? false)
        try Self.wire(&description.board, &entry)
        self.init(description: description, faults: try entry.faults())
    }

    /// Reads the type of memory and how it is connected.
    private static func wire(_ board: inout SUOTABoard, _ entry: inout BeaconEntry) throws(YAMLProblem) {
        if try entry.choice("memory", of: ["spi": false, "i2c": true]) ?? false {
            board.memory = .i2c
            board.pins = 0x0050_0203
        }
        if let value = entry["pins"] {
            let text = try value.text()
            guard text == "any" || text.count == 8 && UInt32(text, radix: 16) != nil else {
                throw value.problem("pins must be 'any', or GPIO_MAP as 8 hex digits such as 05060300")
            }
            board.pins = UInt32(text, radix: 16)
        }
        if let value = entry["wrong_pins_status"] {
            let known: [ReceiverStatus] = [.productHeader, .memoryRead, .memoryWrite]
            let number: UInt8 = try value.number()
            guard let status = known.first(where: { $0.rawValue == number }) else {
                throw value.problem("wrong_pins_status must be 0x14, 0x16 or 0x06")
            }
            board.wrongPinsStatus = status
        }
    }
}
