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
    /// What was not read, and why, by the beginning of the paths.
    var unread: [String: String] { get }
    /// What the value at `path` may be, where it is something else; nil where it is right, or nobody knows what it may be.
    func rangeMissed(at path: Path) -> String?
    /// Whether the maker names what stands at `path`.
    func isKnown(_ path: Path) -> Bool

    /// Throws where these are for other devices than `peer`.
    func check(against peer: Peer) throws(SessionFailure)
    /// Throws where `peer`, which has `found`, cannot have one of the `changes`.
    func check(
        _ changes: [SettingDifference<Path>], to found: Self, of peer: Peer) throws(SessionFailure)
    /// What could not be done any more with a device that has `found`, with these in its place.
    func lockOuts(of found: Self) -> [LockOut]
    /// Reads the settings of `peer`.
    static func reading(of peer: Peer) -> Reading
    /// Makes `peer`, which has `found`, take the `changes`. That it has is read, not concluded from its answers.
    static func writing(_ changes: [SettingDifference<Path>], to found: Self, of peer: Peer) -> Writing
}

extension DeviceSettings {
    /// Everything was read.
    public var unread: [String: String] { [:] }

    /// Whatever fits is right.
    public func rangeMissed(at path: Path) -> String? { nil }

    /// The device says itself what it cannot have.
    public func check(
        _ changes: [SettingDifference<Path>], to found: Self, of peer: Peer
    ) throws(SessionFailure) {}

    /// A maker whose settings are asked for by name has no others.
    public func isKnown(_ path: Path) -> Bool { true }

    /// What has to change so that a device with `found` has all of this.
    public func differences(from found: Self) -> [SettingDifference<Path>] {
        paths.compactMap { path in
            guard let wanted = values[path], found.values[path] != wanted else { return nil }
            return SettingDifference(
                path: path, found: found.values[path], wanted: wanted, isKnown: isKnown(path))
        }
    }

    /// Those whose values are not what the program can check: the maker does not name their keys, or other values for them.
    public var unchecked: [Path] { paths.filter { !isKnown($0) || rangeMissed(at: $0) != nil } }
}
