/// A published catalogue: its files by name and hash, all of them or none.
public struct PublishedCatalogue: Hashable, Sendable {
    /// A file of it.
    public struct File: Hashable, Sendable {
        /// Its path in the catalogue's folder, with `/` as separator and no part `.` or `..`.
        public let path: String
        /// Its SHA-256 in lower-case hexadecimal.
        public let sha256: String

        /// The file `path`.
        public init(path: String, sha256: String) { (self.path, self.sha256) = (path, sha256) }
    }

    /// From 1, incremented with each publication.
    public var version: Int64
    /// Its files: descriptions, packages, the seal.
    public var files: [File]
    /// Why no unit may be started with it; nil if it was not recalled.
    public var recall: String?
    /// Recalled packages: the reason, by their SHA-256.
    public var recalledFiles: [String: String]

    /// Creates a catalogue with these values.
    public init(
        version: Int64, files: [File], recall: String? = nil, recalledFiles: [String: String] = [:]
    ) {
        self.version = version
        self.files = files
        self.recall = recall
        self.recalledFiles = recalledFiles
    }
}
