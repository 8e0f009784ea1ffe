/// One entry of a ZIP file, as the directory declares it. Its content is not checked yet.
public struct ZipEntry: Hashable, Sendable {
    /// How the content is stored.
    public enum Method: String, Hashable, Sendable {
        /// Uncompressed.
        case stored
        /// Compressed by deflate.
        case deflate
    }

    /// The name with its folders, separated by `/`.
    public let name: String
    /// Declared bytes of the content.
    public let size: Int
    /// Declared compressed bytes in the file.
    public let compressedSize: Int
    /// How the content is stored.
    public let method: Method
    /// Bytes from the start of the file to the entry's own header, or to its directory record if the directory
    /// declares an offset outside the file.
    public let offset: Int

    /// Whether the entry is a folder.
    public var isDirectory: Bool { name.hasSuffix("/") }
}
