import Bytes

/// Some or all settings of a device, by the maker's names.
public protocol DeviceSettings: Equatable, Sendable {
    associatedtype Path: Hashable, Sendable, CustomStringConvertible
    /// Facts about the device from opening the session.
    associatedtype Peer: Sendable
    associatedtype Reading: SessionDialogue where Reading.Ending == Self
    associatedtype Writing: SessionDialogue

    var values: [Path: SettingValue] { get }
    /// The paths of the values, in display order.
    var paths: [Path] { get }
    /// Why settings were not read, by the prefix of their paths.
    var unread: [String: String] { get }
    /// The allowed values at `path`, if the value is invalid; nil if it is valid, or if the range is unknown.
    func rangeMissed(at path: Path) -> String?
    /// Whether the maker documents the setting at `path`.
    func isKnown(_ path: Path) -> Bool

    /// Throws if these settings are for other devices than `peer`.
    func check(against peer: Peer) throws(SessionFailure)
    /// Throws if `peer`, whose settings are `found`, does not support one of the `changes`.
    func check(_ changes: [SettingDifference<Path>], to found: Self, of peer: Peer) throws(SessionFailure)
    /// The ways in which a device whose settings are `found` would become inaccessible by these settings.
    func lockOuts(of found: Self) -> [LockOut]
    static func reading(of peer: Peer) -> Reading
    /// Writes the `changes` to `peer`, whose settings are `found`. Reading verifies the result, not the responses.
    static func writing(_ changes: [SettingDifference<Path>], to found: Self, of peer: Peer) -> Writing
}

extension DeviceSettings {
    public var unread: [String: String] { [:] }
    public func rangeMissed(at path: Path) -> String? { nil }

    /// Does nothing: the device itself refuses unsupported values.
    public func check(
        _ changes: [SettingDifference<Path>], to found: Self, of peer: Peer
    ) throws(SessionFailure) {}

    /// True: settings that are read by name are all documented.
    public func isKnown(_ path: Path) -> Bool { true }

    /// The changes that a device whose settings are `found` needs to have all of these settings.
    public func differences(from found: Self) -> [SettingDifference<Path>] {
        paths.compactMap { path in
            guard let wanted = values[path], found.values[path] != wanted else { return nil }
            return SettingDifference(
                path: path, found: found.values[path], wanted: wanted, isKnown: isKnown(path))
        }
    }

    /// The line of a settings file with the value at `path`; nil if there is none.
    package func line(_ path: Path) -> String? {
        values[path].map { value in
            guard case .number = value else { return "\(path): \(QuotedScalar.text("\(value)"))" }
            return "\(path): \(value)"
        }
    }

    /// Settings that the program cannot check: the maker does not document their keys or their values.
    public var unchecked: [Path] { paths.filter { !isKnown($0) || rangeMissed(at: $0) != nil } }
}

/// The value of a device's setting. Numbers compare by value, however they are written.
public enum SettingValue: Hashable, Sendable, CustomStringConvertible {
    case number(Double)
    case text(String)
    /// Any other value, as JSON without spaces.
    case json(String)

    /// The value as a whole number; nil if a `Double` may have rounded it.
    public var integer: Int? {
        guard case .number(let number) = self, number.magnitude <= 0x1p53 else { return nil }
        return Int(exactly: number)
    }

    /// The value for people, and for a file.
    public var description: String {
        switch self {
        case .number(let number): integer.map { "\($0)" } ?? "\(number)"
        case .text(let text), .json(let text): text
        }
    }
}

public struct SettingDifference<Path: Hashable & Sendable & CustomStringConvertible>: Equatable, Sendable {
    public let path: Path
    /// The device's value; nil if it has none.
    public let found: SettingValue?
    public let wanted: SettingValue
    /// Whether its maker documents it.
    public let isKnown: Bool
}

extension SettingDifference: CustomStringConvertible {
    public var description: String { "\(path) is \(found?.description ?? "not there"), not \(wanted)" }
}
