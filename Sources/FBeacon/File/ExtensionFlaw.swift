/// What is wrong with an extension, and where.
public struct ExtensionFlaw: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The record ends outside of the extension.
        case truncated
        /// The extension is longer than the format allows.
        case tooLong
        /// The type stands twice.
        case repeated
        /// The value has another length than its type prescribes.
        case wrongLength
        /// The value is not the text that its type prescribes.
        case notText
    }

    /// Bytes from the start of the file to the record.
    public let offset: Int
    /// What is wrong.
    public let reason: Reason
}

extension ExtensionFlaw: CustomStringConvertible {
    /// What is wrong; the record is the subject.
    public var description: String {
        switch reason {
        case .truncated: "ends after the end of the extension"
        case .tooLong: "the extension has more than \(ExtensionRecord.limit) bytes"
        case .repeated: "its type stands twice"
        case .wrongLength: "has not the length of its type"
        case .notText: "is not the text that its type wants"
        }
    }
}
