/// Settings of a device, some or all, in the words of its maker.
public protocol DeviceSettings: Equatable, Sendable {
    /// Where a value stands.
    associatedtype Path: Hashable, Sendable, CustomStringConvertible
    /// What opening the session has found out.
    associatedtype Peer: Sendable
    /// Asks for everything that can be set.
    associatedtype Reading: Dialogue
    where Reading.Ending == Self, Reading.Notice == Never, Reading.Failure == SessionFailure
    /// Makes a device take values.
    associatedtype Writing: Dialogue where Writing.Notice == Never, Writing.Failure == SessionFailure

    /// The values.
    var values: [Path: SettingValue] { get }
    /// Where values are, in the order in which they are shown.
    var paths: [Path] { get }

    /// Throws where `peer` cannot have all of this.
    func check(against peer: Peer) throws(SessionFailure)
    /// What could not be done any more with a device that has `found`, with these in its place.
    func lockOuts(of found: Self) -> [LockOut]
    /// Reads the settings of `peer`.
    static func reading(of peer: Peer) -> Reading
    /// Makes `peer`, which has `found`, take the `changes`. That it has is read, not concluded from its answers.
    static func writing(_ changes: [SettingDifference<Path>], to found: Self, of peer: Peer) -> Writing
}

extension DeviceSettings {
    /// What has to change so that a device with `found` has all of this.
    public func differences(from found: Self) -> [SettingDifference<Path>] {
        paths.compactMap { path in
            guard let wanted = values[path], found.values[path] != wanted else { return nil }
            return SettingDifference(path: path, found: found.values[path], wanted: wanted)
        }
    }
}
