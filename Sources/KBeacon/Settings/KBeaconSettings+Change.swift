public import Sessions

extension KBeaconSettings: DeviceSettings {
    /// What was found out of it.
    public typealias Peer = KBeaconQuery.Peer
    /// A value that is not as it should be.
    typealias Difference = SettingDifference<Path>

    /// Reads everything that can be set.
    public static func reading(of peer: Peer) -> KBeaconSettingsReading { KBeaconSettingsReading(of: peer) }

    /// One message for what is outside lists, and one for each entry of a list.
    public static func writing(
        _ changes: [SettingDifference<Path>], to found: KBeaconSettings, of peer: Peer
    ) -> KBeaconExchanges {
        KBeaconExchanges(messages(changes, to: found), on: peer.terms)
    }

    private static let step = "comparing the settings"

    /// Throws where `peer` is of the other generation.
    public func check(against peer: Peer) throws(SessionFailure) {
        let identity = peer.identity
        guard generation == identity.generation else {
            throw SessionFailure(
                .settingsForOthers, during: Self.step,
                "the settings are for beacons of generation \(generation.rawValue), and this one is of "
                    + "generation \(identity.generation.rawValue)")
        }
    }

    /// Throws where one of the `changes` is something that the maker does not name for its key, or that `peer` cannot. What `found`
    /// has already may be anything.
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
            guard !key.isFact else { throw failure("is what the beacon is, and cannot be set") }
            if let range = after.rangeMissed(at: path) {
                throw failure("is \(change.wanted), and may be \(range)")
            }
            guard key.form == .power, let power = peer.identity.power,
                let value = change.wanted.integer, !power.contains(value)
            else { continue }
            throw failure(
                "is \(value) dBm, and the beacon sends with \(power.lowerBound) to \(power.upperBound) dBm")
        }
    }

    /// What those who have `found` would not be able to do any more with these in its place.
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

    /// Whether somebody can connect whenever it advertises; what it does not say counts as yes.
    private var isConnectable: Bool {
        guard generation == .second else { return hasFlag(1) }
        let slots = advertisements
        return slots.isEmpty || !connectable.isEmpty
    }

    /// Whether it advertises by itself, also after its battery was changed.
    private var comesUp: Bool {
        guard generation == .second else {
            return self[nil, "type"] != .number(0) && hasFlag(4)
                && !entries.contains(where: advertisesOnlyOnTrigger)
        }
        let knows = entries.contains { $0.list == "advObj" }
        return self[nil, "atPwr"] != .number(0) && (!knows || !advertisements.isEmpty)
    }

    /// Whether what can be connected to is advertised, at least once, as any adapter hears it.
    private var isHeardByAll: Bool {
        let slots = connectable
        return slots.isEmpty || slots.contains { self[$0, "mode"] ?? .number(0) == .number(0) }
    }

    private func hasFlag(_ bit: Int) -> Bool {
        self[nil, "advFlag"]?.integer.map { $0 & bit != 0 } ?? true
    }

    /// Of the first generation: the beacon advertises once the trigger fires, or not at all.
    private func advertisesOnlyOnTrigger(_ entry: Entry) -> Bool {
        guard entry.list == "trObj", let action = self[entry, "trAct"]?.integer, action & 1 != 0 else {
            return false
        }
        return [.number(0), .number(4)].contains(self[entry, "trAMode"])
    }

    /// The slots that advertise something, and not only once a trigger fires.
    private var advertisements: [Entry] {
        let silenced = silencedSlots
        return entries.filter {
            $0.list == "advObj" && self[$0, "type"] != .number(0) && self[$0, "trAdv"] != .number(1)
                && !silenced.contains($0)
        }
    }

    private var connectable: [Entry] { advertisements.filter { self[$0, "conn"] != .number(0) } }

    /// The slots whose channels are all off.
    private var silencedSlots: Set<Entry> {
        Set(entries.filter { $0.list == "advObj" && (self[$0, "chMsk"]?.integer ?? 0) & 7 == 7 })
    }
}
