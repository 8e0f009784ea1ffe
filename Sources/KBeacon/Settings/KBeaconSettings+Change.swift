public import Sessions

extension KBeaconSettings: DeviceSettings {
    /// What was found out of it.
    public typealias Peer = KBeaconIntroduction.Peer
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

    /// Throws where `peer` cannot have all of this, by what it says of itself.
    public func check(against peer: Peer) throws(SessionFailure) {
        let identity = peer.identity
        let step = "comparing the settings"
        guard generation == identity.generation else {
            throw SessionFailure(
                .settingsForOthers, during: step,
                "the settings are for beacons of generation \(generation.rawValue), and this one is of "
                    + "generation \(identity.generation.rawValue)")
        }
        guard let power = identity.power else { return }
        for path in paths {
            let key = (path.entry.map { generation.keys(of: $0.list) } ?? generation.settingKeys)
                .first { $0.name == path.key }
            guard key?.form == .power, case .number(let value)? = values[path] else { continue }
            guard power.contains(Int(value)) else {
                throw SessionFailure(
                    .settingOutOfRange, during: step,
                    "\(path) is \(Int(value)) dBm, and the beacon sends with \(power.lowerBound) to "
                        + "\(power.upperBound) dBm")
            }
        }
    }

    /// What those who have `found` would not be able to do any more with these in its place.
    public func lockOuts(of found: KBeaconSettings) -> [LockOut] {
        let after = KBeaconSettings(generation, found.values.merging(values) { $1 })
        var lockOuts: [LockOut] = []
        if found.isConnectable, !after.isConnectable { lockOuts.append(.notConnectable) }
        if found.comesUp, !after.comesUp { lockOuts.append(.alwaysOff) }
        return lockOuts
    }

    /// Whether somebody can connect whenever it advertises; what it does not say counts as yes.
    private var isConnectable: Bool {
        guard generation == .second else {
            guard case .number(let flags)? = self[nil, "advFlag"], let flags = Int(exactly: flags) else {
                return true
            }
            return flags & 1 == 1
        }
        let slots = advertisements
        return slots.isEmpty || slots.contains { self[$0, "conn"] != .number(0) }
    }

    /// Whether it advertises by itself.
    private var comesUp: Bool {
        guard generation == .second else { return self[nil, "type"] != .number(0) }
        let knows = entries.contains { $0.list == "advObj" }
        return self[nil, "atPwr"] != .number(0) && (!knows || !advertisements.isEmpty)
    }

    /// The slots that advertise something, and not only once a trigger fires.
    private var advertisements: [Entry] {
        entries.filter {
            $0.list == "advObj" && self[$0, "type"] != .number(0) && self[$0, "trAdv"] != .number(1)
        }
    }
}
