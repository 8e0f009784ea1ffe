/// What is known of a device that a file is meant for, by the vendors' ``DeviceKey``s.
public struct TargetDevice: Hashable, Sendable {
    private var facts: [String: String]

    /// A device of which `facts` are known, by the names of their keys.
    public init(_ facts: [String: String] = [:]) { self.facts = facts }

    /// The fact `key` as it was given; nil where it is not known.
    public subscript(key: String) -> String? {
        get { facts[key] }
        set { facts[key] = newValue }
    }

    /// The fact `key` as a number, decimal or hexadecimal after 0x; nil also where it is not a number.
    public func number(_ key: String) -> UInt32? { facts[key].flatMap(Self.number) }

    /// A number, decimal or hexadecimal after 0x; nil for anything else.
    public static func number(in text: String) -> UInt32? {
        text.lowercased().hasPrefix("0x") ? UInt32(text.dropFirst(2), radix: 16) : UInt32(text)
    }

    /// The model, as the catalogue or the vendor calls it.
    public var model: String? { self["model"] }
    /// The installed version.
    public var version: String? { self["version"] }
    /// The installed version where versions are numbers.
    public var versionNumber: UInt32? { number("version") }
    /// What is missing where ``versionNumber`` is nil.
    public var versionAnswer: Answer { .needs(version == nil ? "version" : "a version that is a number") }
}
