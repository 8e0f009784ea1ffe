/// An error in an extension, with its position.
public struct ExtensionError: Error, Hashable, Sendable {
    /// The error.
    public enum Reason: Hashable, Sendable {
        /// The record extends beyond the extension.
        case truncated
        /// The extension is longer than the format allows.
        case tooLong
        /// The type occurs twice.
        case repeated
        /// The value does not have the length that its type requires.
        case wrongLength
        /// The value is not the text that its type requires.
        case notText
    }

    /// Bytes from the start of the file to the record.
    public let offset: Int
    /// The error.
    public let reason: Reason
}

extension ExtensionError: CustomStringConvertible {
    /// The error; its subject is the record.
    public var description: String {
        switch reason {
        case .truncated: "extends beyond the end of the extension"
        case .tooLong: "the extension has more than \(ExtensionRecord.limit) bytes"
        case .repeated: "its type occurs twice"
        case .wrongLength: "does not have the length that its type requires"
        case .notText: "is not the text that its type requires"
        }
    }
}
