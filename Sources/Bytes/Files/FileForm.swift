/// A kind of file, recognised by its first bytes: an output may replace only files of its kind
/// (docs/decisions/0026-what-is-never-overwritten.md).
public struct FileForm: Sendable {
    /// The kind in words, to follow "a".
    public let words: String
    /// Whether a file with these first bytes is of the kind.
    public let fits: @Sendable (_ head: [UInt8]) -> Bool

    public init(_ words: String, _ fits: @escaping @Sendable ([UInt8]) -> Bool) {
        (self.words, self.fits) = (words, fits)
    }

    public init(_ words: String, beginnings: [[UInt8]]) {
        self.init(words) { head in beginnings.contains { head.starts(with: $0) } }
    }

    /// The same, including files that end within their first bytes, as a killed program leaves them.
    public init(_ words: String, beginningsAlsoCut beginnings: [[UInt8]]) {
        self.init(words) { head in beginnings.contains { head.starts(with: $0) || $0.starts(with: head) } }
    }
}
