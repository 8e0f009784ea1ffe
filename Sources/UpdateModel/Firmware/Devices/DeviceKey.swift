/// A fact about devices that a vendor uses, in a ``TargetDevice`` or in a catalogue's models.
public struct DeviceKey: Sendable {
    /// Its name, for example `hardware`.
    public let name: String
    /// The allowed values, in words for messages; empty if any text is allowed.
    public let allowed: [String]
    /// Whether a text is an allowed value.
    public let takes: @Sendable (String) -> Bool

    /// A fact called `name`.
    public init(_ name: String, allowed: [String], takes: @escaping @Sendable (String) -> Bool) {
        self.name = name
        self.allowed = allowed
        self.takes = takes
    }

    /// Why `text` is not an allowed value, with those that are.
    public func refusal(of text: String) -> String {
        "\(name) is '\(text)' but must be \(allowed.count > 1 ? "one of " : "")\(allowed.joined(separator: ", "))"
    }

    /// A fact that may be any text.
    public static func text(_ name: String) -> DeviceKey { DeviceKey(name, allowed: []) { _ in true } }

    /// A fact that is one of `words`.
    public static func word(_ name: String, of words: [String]) -> DeviceKey {
        DeviceKey(name, allowed: words) { words.contains($0) }
    }

    /// A fact that is a number.
    public static func number(_ name: String, upTo highest: UInt32 = .max) -> DeviceKey {
        DeviceKey(name, allowed: ["a number from 0 to \(highest)"]) {
            TargetDevice.number(in: $0).map { $0 <= highest } ?? false
        }
    }
}
