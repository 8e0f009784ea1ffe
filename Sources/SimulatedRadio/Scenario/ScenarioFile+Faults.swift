import BluetoothTypes
import SimulatedDevice

extension ScenarioFile.Beacon {
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
            guard let lie = Fault(lying: name, number) else {
                throw Scenario.Flaw(text: "\(address): there is no fault '\(name)'")
            }
            self = lie
        }
    }
}
