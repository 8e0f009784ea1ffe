/// A published catalogue: its files by name and hash, all of them or none.
package struct PublishedCatalogue: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        /// Its path in the catalogue's folder, with `/` as separator and no part `.` or `..`.
        package let path: String
        /// Its SHA-256 in lower-case hexadecimal.
        package let sha256: String

        package init(path: String, sha256: String) { (self.path, self.sha256) = (path, sha256) }
    }

    /// From 1, incremented with each publication.
    package var version: Int64
    package var files: [File]
    /// Why no unit may be started with it; nil if it was not recalled.
    package var recall: String?
    /// Recalled packages: the reason, by their SHA-256.
    package var recalledFiles: [String: String]

    package init(
        version: Int64, files: [File], recall: String? = nil, recalledFiles: [String: String] = [:]
    ) {
        (self.version, self.files, self.recall) = (version, files, recall)
        self.recalledFiles = recalledFiles
    }
}
