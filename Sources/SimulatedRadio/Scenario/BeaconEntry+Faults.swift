import SimulatedDevice
import YAMLText

extension BeaconEntry {
    /// What goes wrong with it.
    func faults() throws(YAMLProblem) -> [Fault] {
        var list: [Fault] = []
        for entry in try self[.faults]?.list() ?? [] {
            let members = try entry.members()
            guard let member = members.first, members.count == 1 else {
                throw entry.problem("an entry of faults has exactly one fault")
            }
            guard let fault = Self.known[member.key] else {
                let names = Self.known.filter { $0.value.kinds.contains(kind) }.keys.sorted()
                throw member.unknown(names)
            }
            guard fault.kinds.contains(kind) else {
                throw member.place.problem("a beacon of kind \(kind.rawValue) has no fault '\(member.key)'")
            }
            list.append(fault.make(try member.value.number(in: fault.range)))
        }
        return list
    }

    /// A fault that a file can name.
    struct NamedFault: Sendable {
        var kinds = Set(Kind.allCases)
        /// What its number may be; they count from 1.
        var range = 1...Int(Int32.max)
        let make: @Sendable (Int) -> Fault
    }

    private static let secure: Set<Kind> = [.secure]
    private static let suota: Set<Kind> = [.suota]

    private static let known = own.merging(lies) { fault, _ in fault }

    private static let own: [String: NamedFault] = [
        "cut_before_packet": NamedFault { .cut(beforePacket: $0) },
        "cut_after_packet": NamedFault { .cut(afterPacket: $0) },
        "lose_packet": NamedFault { .losePacket($0) },
        "lose_notification": NamedFault { .loseNotification($0) },
        "double_notification": NamedFault { .doubleNotification($0) },
        "delay_notification": NamedFault { .delayNotification($0, by: .seconds(15)) },
        "reorder_notification": NamedFault { .reorderNotification($0) },
        "power_loss_after_packet": NamedFault { .powerLoss(afterPacket: $0) },
        "lose_flash_write": NamedFault { .loseFlashWrite($0) },
        "slow_bootloader_ms": NamedFault { .slowBootloader(.milliseconds($0)) },
        "silence_from_packet": NamedFault { .silence(fromPacket: $0) },
        "refuse_execute": NamedFault(kinds: secure) { .answerExecute($0, with: [0x05]) },
        "power_loss_in_object": NamedFault(kinds: secure) { .powerLossInObject($0) },
        "keep_old_application": NamedFault(kinds: secure) { _ in .keepOldApplication },
        "corrupt_checksum": NamedFault(kinds: secure) { .corruptChecksum($0) },
        "lose_bond": NamedFault(kinds: [.secure, .legacy]) { _ in .loseBond },
        "early_notification": NamedFault(kinds: suota) { .earlyNotification($0) },
        "wrong_status": NamedFault(kinds: suota) { .replaceStatus($0, with: 0x06) },
        "memory_info": NamedFault(kinds: suota, range: 0...Int(UInt32.max)) {
            .answerMemoryInfo(UInt32(clamping: $0))
        },
        "delay_response": NamedFault(kinds: suota) { .delayResponse($0, by: .seconds(5)) },
        "cut_in_block": NamedFault(kinds: suota) { .cutInBlock($0) },
        "power_loss_in_block": NamedFault(kinds: suota) { .powerLossInBlock($0) },
        "ignore_reboot": NamedFault(kinds: suota) { _ in .ignoreReboot },
        "refuse_channel": NamedFault(kinds: suota) { _ in .refuseChannel },
    ]
}
