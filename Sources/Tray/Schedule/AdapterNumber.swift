/// An adapter of a tray, by its number: 0 is `hci0`.
public struct AdapterNumber: Hashable, Comparable, Sendable {
    /// The number.
    public let value: Int

    /// The adapter `hci` and `value`.
    public init(_ value: Int) { self.value = value }

    /// The lower number.
    public static func < (one: AdapterNumber, other: AdapterNumber) -> Bool { one.value < other.value }
}
