/// The known facts of a device that a file is meant for, by the vendors' ``DeviceKey``s.
public struct TargetDevice: Hashable, Sendable {
    private var facts: [String: String]

    /// A device with known `facts`, by the names of their keys.
    public init(_ facts: [String: String] = [:]) { self.facts = facts }

    public subscript(key: String) -> String? {
        get { facts[key] }
        set { facts[key] = newValue }
    }

    /// The fact `key` as a number, decimal or hexadecimal after 0x; nil if it is unknown or not a number.
    public func number(_ key: String) -> UInt32? { facts[key].flatMap(Self.number) }

    /// A number, decimal or hexadecimal after 0x; nil for anything else.
    public static func number(in text: String) -> UInt32? {
        text.lowercased().hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    }

    /// The model, by its name in the catalogue or the vendor's name for it.
    public var model: String? { self["model"] }
    public var version: String? { self["version"] }
    /// The installed version, if versions are numbers.
    public var versionNumber: UInt32? { number("version") }
    /// The answer if ``versionNumber`` is nil: it names the missing fact.
    public var versionAnswer: Answer { .needs(version == nil ? "version" : "a version that is a number") }
}

/// A device model, by its name in a catalogue or the vendor's name for it.
public struct DeviceModel: Hashable, Sendable {
    public let name: String
    public let kind: FirmwareKind
    /// The common facts of all its devices, such as their hardware version.
    public let facts: TargetDevice

    public init(name: String, kind: FirmwareKind, facts: TargetDevice = TargetDevice()) {
        (self.name, self.kind, self.facts) = (name, kind, facts)
    }
}

/// A fact about devices that a vendor uses, in a ``TargetDevice`` or in a catalogue's models.
public struct DeviceKey: Sendable {
    public let name: String
    /// The allowed values, in words for messages; empty if any text is allowed.
    public let allowed: [String]
    public let takes: @Sendable (String) -> Bool

    public init(_ name: String, allowed: [String], takes: @escaping @Sendable (String) -> Bool) {
        (self.name, self.allowed, self.takes) = (name, allowed, takes)
    }

    /// The message if `text` is not an allowed value; it lists the allowed values.
    public func refusal(of text: String) -> String {
        "\(name) is '\(text)' but must be \(allowed.count > 1 ? "one of " : "")\(allowed.joined(separator: ", "))"
    }

    public static func text(_ name: String) -> DeviceKey { DeviceKey(name, allowed: []) { _ in true } }

    public static func word(_ name: String, of words: [String]) -> DeviceKey {
        DeviceKey(name, allowed: words) { words.contains($0) }
    }

    public static func number(_ name: String, upTo highest: UInt32 = .max) -> DeviceKey {
        DeviceKey(name, allowed: ["a number from 0 to \(highest)"]) {
            TargetDevice.number(in: $0).map { $0 <= highest } ?? false
        }
    }
}
