/// An adapter of a tray, by its number: 0 is `hci0`.
public struct AdapterNumber: Hashable, Comparable, Sendable {
    /// The number.
    public let value: Int

    /// The adapter `hci` followed by `value`.
    public init(_ value: Int) { self.value = value }

    /// Orders by number.
    public static func < (one: AdapterNumber, other: AdapterNumber) -> Bool { one.value < other.value }
}
