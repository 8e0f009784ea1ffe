public import UpdateModel

extension KBeaconSettings: DeviceSettings {
    /// The beacon's identity.
    public typealias Peer = KBeaconQuery.Peer
    /// A value that differs.
    typealias Difference = SettingDifference<Path>

    /// Reads all settings.
    public static func reading(of peer: Peer) -> KBeaconSettingsReading { KBeaconSettingsReading(of: peer) }

    /// One message for the settings outside lists, and one for each entry of a list.
    public static func writing(
        _ changes: [SettingDifference<Path>], to found: KBeaconSettings, of peer: Peer
    ) -> KBeaconExchanges {
        KBeaconExchanges(messages(changes, to: found), on: peer.terms)
    }

    private static let step = "comparing the settings"

    /// Throws if `peer` is of the other generation.
    public func check(against peer: Peer) throws(SessionFailure) {
        let identity = peer.identity
        guard generation == identity.generation else {
            throw SessionFailure(
                .settingsForOthers, during: Self.step,
                "the settings are for beacons of generation \(generation.rawValue), but this one is of "
                    + "generation \(identity.generation.rawValue)")
        }
    }

    /// Throws if one of the `changes` is not allowed by the maker's documentation for its key, or not supported
    /// by `peer`. Values that `found` already has may be anything.
    public func check(
        _ changes: [SettingDifference<Path>], to found: KBeaconSettings, of peer: Peer
    ) throws(SessionFailure) {
        let after = merged(with: found)
        for change in changes {
            let path = change.path
            guard let key = after.key(at: path) else { continue }
            func failure(_ words: String) -> SessionFailure {
                let place = places[path].map { "\($0): " } ?? ""
                return SessionFailure(.settingOutOfRange, during: Self.step, "\(place)\(path) \(words)")
            }
            guard !key.isFact else { throw failure("is fixed in the beacon and cannot be set") }
            if let range = after.rangeMissed(at: path) {
                throw failure("is \(change.wanted), but must be \(range)")
            }
            guard key.form == .power, let power = peer.identity.power,
                let value = change.wanted.integer, !power.contains(value)
            else { continue }
            throw failure(
                "is \(value) dBm, but the beacon supports \(power.lowerBound) to \(power.upperBound) dBm")
        }
    }

    /// The abilities that users with `found` would lose with these settings.
    public func lockOuts(of found: KBeaconSettings) -> [LockOut] {
        let after = merged(with: found)
        let checks: [(LockOut, (KBeaconSettings) -> Bool)] = [
            (.notConnectable, \.isConnectable), (.alwaysOff, \.comesUp), (.noLegacyAdverts, \.isHeardByAll),
        ]
        let lost = checks.filter { $0.1(found) && !$0.1(after) }.map(\.0)
        return after.silencedSlots.subtracting(found.silencedSlots).isEmpty ? lost : lost + [.allChannelsOff]
    }

    private func merged(with found: KBeaconSettings) -> KBeaconSettings {
        KBeaconSettings(generation, found.values.merging(values) { $1 })
    }

    /// Whether it is connectable whenever it advertises; values that are not set count as yes.
    private var isConnectable: Bool {
        guard generation == .second else { return hasFlag(1) }
        let slots = advertisements
        return slots.isEmpty || !connectable.isEmpty
    }

    /// Whether it advertises by itself, even after a change of its battery.
    private var comesUp: Bool {
        guard generation == .second else {
            return self[nil, "type"] != .number(0) && hasFlag(4)
                && !entries.contains(where: advertisesOnlyOnTrigger)
        }
        let knows = entries.contains { $0.list == "advObj" }
        return self[nil, "atPwr"] != .number(0) && (!knows || !advertisements.isEmpty)
    }

    /// Whether a connectable advertisement is sent at least once in a form that any adapter hears.
    private var isHeardByAll: Bool {
        let slots = connectable
        return slots.isEmpty || slots.contains { self[$0, "mode"] ?? .number(0) == .number(0) }
    }

    private func hasFlag(_ bit: Int) -> Bool {
        self[nil, "advFlag"]?.integer.map { $0 & bit != 0 } ?? true
    }

    /// Of the first generation: whether the beacon advertises only after the trigger fires, or never.
    private func advertisesOnlyOnTrigger(_ entry: Entry) -> Bool {
        guard entry.list == "trObj", let action = self[entry, "trAct"]?.integer, action & 1 != 0 else {
            return false
        }
        return [.number(0), .number(4)].contains(self[entry, "trAMode"])
    }

    /// The slots that advertise something, and not only after a trigger fires.
    private var advertisements: [Entry] {
        let silenced = silencedSlots
        return entries.filter {
            $0.list == "advObj" && self[$0, "type"] != .number(0) && self[$0, "trAdv"] != .number(1)
                && !silenced.contains($0)
        }
    }

    private var connectable: [Entry] { advertisements.filter { self[$0, "conn"] != .number(0) } }

    /// The slots with all channels off.
    private var silencedSlots: Set<Entry> {
        Set(entries.filter { $0.list == "advObj" && (self[$0, "chMsk"]?.integer ?? 0) & 7 == 7 })
    }
}
