public import UpdateModel

extension FBeaconSettings: DeviceSettings {
    /// Opening a session reports nothing about the beacon.
    public typealias Peer = Void

    /// The settings that have values.
    public var paths: [Key] { Key.allCases.filter { values[$0] != nil } }

    /// Which settings a model has is not public: the beacon reports it when asked.
    public func check(against peer: Void) {}

    /// Throws if one of the `changes` is not allowed by the maker's guide. Values that `found` already has may
    /// be anything.
    public func check(
        _ changes: [SettingDifference<Key>], to found: FBeaconSettings, of peer: Void
    ) throws(SessionFailure) {
        for change in changes {
            guard let range = rangeMissed(at: change.path) else { continue }
            let place = places[change.path].map { "\($0): " } ?? ""
            throw SessionFailure(
                .settingOutOfRange, during: "comparing the settings",
                "\(place)\(change.path) is \(change.wanted), but must be \(range)")
        }
    }

    /// The settings that would make beacons with `found` impossible to find or to connect to.
    public func lockOuts(of found: FBeaconSettings) -> [LockOut] {
        let after = FBeaconSettings(found.values.merging(values) { $1 })
        var lockOuts: [LockOut] = []
        if found.isConnectable, !after.isConnectable { lockOuts.append(.notConnectable) }
        if found.advertises, !after.advertises { lockOuts.append(.alwaysOff) }
        return lockOuts
    }

    private var isConnectable: Bool { values[.mode] != .number(1) }

    /// Whether it advertises, by interval or for another reason.
    private var advertises: Bool {
        ![Key.interval, .button, .motion].allSatisfy { $0.isOff(values[$0]) }
    }

    /// Reads each setting.
    public static func reading(of peer: Void) -> FBeaconSettingsReading { FBeaconSettingsReading() }

    /// One command per setting. Settings that switch something off come last, so that the beacon always has a
    /// reason to advertise.
    public static func writing(
        _ changes: [SettingDifference<Key>], to found: FBeaconSettings, of peer: Void
    ) -> FBeaconExchanges {
        let inOrder =
            changes.filter { !$0.path.isOff($0.wanted) } + changes.filter { $0.path.isOff($0.wanted) }
        return FBeaconExchanges(
            inOrder.compactMap { change in
                FBeaconCommand.setting(change.path.command, to: change.path.argument(change.wanted)).map {
                    FBeaconExchanges.Question(command: $0, step: "writing \(change.path)")
                }
            })
    }
}
