/// A password or PIN, which is printed as dots.
public struct Secret: Hashable, Sendable {
    /// Its bytes, for computations and for sending.
    public let bytes: [UInt8]

    /// The secret with these bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The secret `text`, in UTF-8.
    public init(_ text: String) { bytes = Array(text.utf8) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Dots instead of the secret.
    public var description: String { "•••" }
    /// Dots instead of the secret.
    public var debugDescription: String { description }
    /// Empty, so that `dump` and test messages show nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
