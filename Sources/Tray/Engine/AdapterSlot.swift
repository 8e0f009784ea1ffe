public import Bluetooth

/// An adapter of a run.
public struct AdapterSlot: Sendable {
    /// Its number.
    public let number: AdapterNumber
    /// Its name, for example `hci0`.
    public let name: String
    /// The adapter.
    public let adapter: any Adapter
    /// Its link slots.
    public let slots: LinkSlots

    /// The adapter `name` as number `number`.
    public init(_ number: AdapterNumber, _ name: String, _ adapter: any Adapter, slots: LinkSlots) {
        self.number = number
        self.name = name
        self.adapter = adapter
        self.slots = slots
    }
}
