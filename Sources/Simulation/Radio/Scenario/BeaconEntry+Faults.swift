public import Bytes

/// A fault that a file can select by name.
public struct NamedFault: Sendable {
    let range: ClosedRange<Int>
    let make: @Sendable (Int) -> Fault

    /// A fault that `make` creates from a number in `range`. Most of these numbers count something from 1.
    public init(range: ClosedRange<Int> = 1...Int(Int32.max), make: @escaping @Sendable (Int) -> Fault) {
        self.range = range
        self.make = make
    }
}

extension BeaconEntry {
    /// Reads the faults of the beacon.
    public mutating func faults() throws(YAMLProblem) -> [Fault] {
        let known = Self.common.merging(Self.attributeFaults) { $1 }.merging(kind.faults) { $1 }
        var list: [Fault] = []
        for entry in try self["faults"]?.list() ?? [] {
            let members = try entry.members()
            guard let member = members.first, members.count == 1 else {
                throw entry.problem("an entry of faults needs exactly one fault")
            }
            guard let fault = known[member.key] else {
                guard ScenarioKind.all.contains(where: { $0.faults[member.key] != nil }) else {
                    throw member.unknown(known.keys.sorted())
                }
                throw member.place.problem("a beacon of kind \(kind.name) has no fault '\(member.key)'")
            }
            list.append(fault.make(try member.value.number(in: fault.range)))
        }
        let moments = try self["away_s"]?.moments() ?? []
        for start in stride(from: 0, to: moments.count, by: 2) {
            list.append(.away(from: moments[start], until: moments.dropFirst(start + 1).first))
        }
        return list
    }

    private static let common: [String: NamedFault] = [
        "cut_before_packet": NamedFault { .cut(beforePacket: $0) },
        "cut_after_packet": NamedFault { .cut(afterPacket: $0) },
        "lose_packet": NamedFault { .losePacket($0) },
        "lose_packets_percent": NamedFault(range: 1...99) { .losePackets(percent: $0) },
        "lose_packets_within_us": NamedFault { .loseQuickPackets(within: .microseconds($0)) },
        "lose_notification": NamedFault { .loseNotification($0) },
        "double_notification": NamedFault { .doubleNotification($0) },
        "delay_notification": NamedFault { .delayNotification($0, by: .seconds(15)) },
        "reorder_notification": NamedFault { .reorderNotification($0) },
        "power_loss_after_packet": NamedFault { .powerLoss(afterPacket: $0) },
        "lose_flash_write": NamedFault { .loseFlashWrite($0) },
        "slow_bootloader_ms": NamedFault { .slowBootloader(.milliseconds($0)) },
        "silence_from_packet": NamedFault { .silence(fromPacket: $0) },
    ]
}
