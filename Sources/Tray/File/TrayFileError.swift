/// An error in a tray or its file.
public struct TrayFileError: Error, Hashable, Sendable {
    /// The slot's index, from 0; nil if the error is not in a slot.
    public let slot: Int?
    /// The tray file's key with the error (docs/formats/tray.md).
    public let key: String
    /// The error in words.
    public let message: String

    init(_ key: String, _ message: String, slot: Int? = nil) {
        self.slot = slot
        self.key = key
        self.message = message
    }

    /// The same error, in the slot at `index`.
    func inSlot(_ index: Int) -> TrayFileError { TrayFileError(key, message, slot: index) }
}

extension TrayFileError: CustomStringConvertible {
    /// The message.
    public var description: String { message }
}
