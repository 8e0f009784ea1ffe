public import Sessions

extension FBeaconSettings: DeviceSettings {
    /// Nothing is found out of it when its session is opened.
    public typealias Peer = Void

    /// Those of which there are values.
    public var paths: [Key] { Key.allCases.filter { values[$0] != nil } }

    /// Which settings a model has is not public: it says so when it is asked.
    public func check(against peer: Void) {}

    /// Throws where one of the `changes` is nothing that the maker's guide allows. What `found` has already may be anything.
    public func check(
        _ changes: [SettingDifference<Key>], to found: FBeaconSettings, of peer: Void
    ) throws(SessionFailure) {
        for change in changes {
            guard let range = rangeMissed(at: change.path) else { continue }
            let place = places[change.path].map { "\($0): " } ?? ""
            throw SessionFailure(
                .settingOutOfRange, during: "comparing the settings",
                "\(place)\(change.path) is \(change.wanted), and may be \(range)")
        }
    }

    /// By what nobody could find those who have `found`, or talk to them.
    public func lockOuts(of found: FBeaconSettings) -> [LockOut] {
        let after = FBeaconSettings(found.values.merging(values) { $1 })
        var lockOuts: [LockOut] = []
        if found.isConnectable, !after.isConnectable { lockOuts.append(.notConnectable) }
        if found.advertises, !after.advertises { lockOuts.append(.alwaysOff) }
        return lockOuts
    }

    private var isConnectable: Bool { values[.mode] != .number(1) }

    /// Whether it advertises by time, or for some other reason.
    private var advertises: Bool {
        ![Key.interval, .button, .motion].allSatisfy { $0.isOff(values[$0]) }
    }

    /// Asks for each.
    public static func reading(of peer: Void) -> FBeaconSettingsReading { FBeaconSettingsReading() }

    /// One command for each: what takes something away comes last, so that the beacon always has something to advertise for.
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
