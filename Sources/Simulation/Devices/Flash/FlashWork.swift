/// One operation of the flash queue.
public enum FlashWork: Hashable, Sendable {
    /// Sets the page at this address to FF.
    case erase(Int)
    /// Programs the words that the bytes at this address touch.
    case write([UInt8], at: Int)
    /// Erases one copy of the settings.
    case eraseSettings
    /// Writes one copy of the settings, of this many bytes.
    case writeSettings(Int)
}
