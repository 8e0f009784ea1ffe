/// Why something cannot stand on a tray or in its file.
public struct TrayFlaw: Error, Hashable, Sendable {
    /// Which slot is meant, from 0 in their order; nil where none is.
    public let slot: Int?
    /// The key of the tray file that is meant (docs/formats/tray.md).
    public let key: String
    /// What was found, for people.
    public let message: String

    init(_ key: String, _ message: String, slot: Int? = nil) {
        self.slot = slot
        self.key = key
        self.message = message
    }

    /// The same flaw, in the slot at `index`.
    func inSlot(_ index: Int) -> TrayFlaw { TrayFlaw(key, message, slot: index) }
}

extension TrayFlaw: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
