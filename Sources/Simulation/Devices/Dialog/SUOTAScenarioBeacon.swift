import Bluetooth
import Bytes

typealias SUOTAScenarioBeacon = FlashScenarioBeacon<SUOTADevice>

extension SUOTADescription {
    init(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        self.init(
            address: entry.address, try entry.choice("personality", of: SUOTAPersonality.named) ?? .da14585)
        if try entry.choice("flash", of: ["stock": false, "instant": true]) ?? false {
            personality.timing = .instant
        }
        name = try entry.text("name") ?? name
        rssi = try entry.number("rssi") ?? rssi
        batteryPercent = try entry.number("battery", in: 0...100)
        batteryMillivolts = try entry.number("battery_mv", in: 1...UInt16.max)
        advertising = try entry.advertising()
        advertisingInterval = try entry.advertisingInterval("advertising_ms")
        if let value = entry["version"] {
            let version = try value.text()
            guard (1...15).contains(version.utf8.count) else {
                throw value.problem("a version must have 1 to 15 characters")
            }
            board.first?.version = version
        }
        if let value = entry["signature_check_ms"] {
            guard personality.family == .da1458x else {
                throw value.problem("signature_check_ms is only for 58x chips")
            }
            board.signatureCheck = .milliseconds(try value.number(in: 0...120_000) as Int)
        }
        pin = try entry.pin()
        board.signatureHolds = !(try entry.truth("refuses_signature") ?? false)
        try board.wire(&entry)
    }
}

extension SUOTABoard {
    /// Reads the type of memory and how it is connected.
    fileprivate mutating func wire(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        if try entry.choice("memory", of: ["spi": false, "i2c": true]) ?? false {
            memory = .i2c
            pins = 0x0050_0203
        }
        if let value = entry["pins"] {
            let text = try value.text()
            guard text == "any" || text.count == 8 && UInt32(text, radix: 16) != nil else {
                throw value.problem("pins must be 'any', or GPIO_MAP as 8 hex digits such as 05060300")
            }
            pins = UInt32(text, radix: 16)
        }
        if let value = entry["wrong_pins_status"] {
            let known: [ReceiverStatus] = [.productHeader, .memoryRead, .memoryWrite]
            let number: UInt8 = try value.number()
            guard let status = known.first(where: { $0.rawValue == number }) else {
                throw value.problem("wrong_pins_status must be 0x14, 0x16 or 0x06")
            }
            wrongPinsStatus = status
        }
    }
}

extension SUOTAScenarioBeacon {
    fileprivate static func builtIn(_ number: UInt8, _ name: String, _ personality: SUOTAPersonality) -> Self?
    {
        placed(number) {
            var description = SUOTADescription(address: $0, personality)
            (description.name, description.rssi) = (name, $1)
            return Self(description: description)
        }
    }
}

extension ScenarioKind {
    static let suota = ScenarioKind(
        name: "suota",
        faults: [
            "early_notification": NamedFault { .suota(.earlyNotification($0)) },
            "wrong_status": NamedFault { .suota(.replaceStatus($0, with: 0x06)) },
            "memory_info": NamedFault(range: 0...Int(UInt32.max)) {
                .suota(.answerMemoryInfo(UInt32(clamping: $0)))
            },
            "delay_response": NamedFault { .suota(.delayResponse($0, by: .seconds(5))) },
            "cut_in_block": NamedFault { .suota(.cutInBlock($0)) },
            "power_loss_in_block": NamedFault { .suota(.powerLossInBlock($0)) },
            "ignore_reboot": NamedFault { _ in .suota(.ignoreReboot) },
            "refuse_channel": NamedFault { _ in .suota(.refuseChannel) },
        ],
        tray: [
            SUOTAScenarioBeacon.builtIn(6, "Tag 6", .da14585),
            SUOTAScenarioBeacon.builtIn(7, "Tag 7", .da14683Channel),
        ], read: SUOTAScenarioBeacon.read)
}
