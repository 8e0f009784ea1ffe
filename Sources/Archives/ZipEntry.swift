/// One entry of a ZIP file, as the directory declares it. Nothing of its content has been looked at.
public struct ZipEntry: Hashable, Sendable {
    /// How the content is stored.
    public enum Method: String, Hashable, Sendable {
        /// As it is.
        case stored
        /// Compressed by deflate.
        case deflate
    }

    /// The name with its folders, separated by `/`.
    public let name: String
    /// Declared bytes of the content.
    public let size: Int
    /// Declared bytes that the content takes in the file.
    public let compressedSize: Int
    /// How the content is stored.
    public let method: Method
    /// Bytes from the start of the file to the entry's own header, or to its directory record where the
    /// directory names a place outside of the file.
    public let offset: Int

    /// Whether the entry stands for a folder.
    public var isDirectory: Bool { name.hasSuffix("/") }
}
