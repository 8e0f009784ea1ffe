/// A password or PIN. Whatever prints it, prints dots.
public struct Secret: Hashable, Sendable {
    /// Its bytes, for whoever computes or sends something with them.
    public let bytes: [UInt8]

    /// The secret with these bytes.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The secret `text`, in UTF-8.
    public init(_ text: String) { bytes = Array(text.utf8) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says nothing.
    public var description: String { "•••" }
    /// Says nothing.
    public var debugDescription: String { description }
    /// Shows nothing, to `dump` and to messages of tests.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
