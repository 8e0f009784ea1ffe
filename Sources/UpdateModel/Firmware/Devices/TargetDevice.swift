/// The known facts of a device that a file is meant for, by the vendors' ``DeviceKey``s.
public struct TargetDevice: Hashable, Sendable {
    private var facts: [String: String]

    /// A device with known `facts`, by the names of their keys.
    public init(_ facts: [String: String] = [:]) { self.facts = facts }

    /// The fact `key` as given; nil if unknown.
    public subscript(key: String) -> String? {
        get { facts[key] }
        set { facts[key] = newValue }
    }

    /// The fact `key` as a number, decimal or hexadecimal after 0x; nil also if it is not a number.
    public func number(_ key: String) -> UInt32? { facts[key].flatMap(Self.number) }

    /// A number, decimal or hexadecimal after 0x; nil for anything else.
    public static func number(in text: String) -> UInt32? {
        text.lowercased().hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    }

    /// The model, with its name in the catalogue or the vendor's.
    public var model: String? { self["model"] }
    /// The installed version.
    public var version: String? { self["version"] }
    /// The installed version, if versions are numbers.
    public var versionNumber: UInt32? { number("version") }
    /// The missing fact if ``versionNumber`` is nil.
    public var versionAnswer: Answer { .needs(version == nil ? "version" : "a version that is a number") }
}
