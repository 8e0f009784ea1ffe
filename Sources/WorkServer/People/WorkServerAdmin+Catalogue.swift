public import Work

extension WorkServerAdmin {
    /// The largest file that the work server accepts, in bytes.
    public static let largestFile = 16 << 20

    /// A file of a catalogue to be published.
    public struct CatalogueFile: Hashable, Sendable {
        /// Its path in the catalogue's folder.
        public var path: String
        /// Its content.
        public var bytes: [UInt8]

        /// The file `path`.
        public init(_ path: String, _ bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
    }

    /// Stores a file, for example the firmware of an order; returns its SHA-256 in lower-case hexadecimal.
    public func put(_ bytes: [UInt8]) async throws(WorkError) -> String {
        let during = "uploading a file"
        try Self.requireSize(bytes, during)
        return try await session.transaction(during: during, within: .seconds(120)) {
            transaction throws(PostgresError) in
            let rows = try await transaction.run("SELECT beacon_dfu.put_file($1) AS answer", [.bytes(bytes)])
            return try rows.only(during).text("answer")
        }
    }

    /// Publishes a catalogue, including its seal: all of it or nothing. Returns its version. A catalogue whose seal has
    /// a lower number than that of an earlier version is refused unless `isOlder` permits it.
    public func publish(_ files: [CatalogueFile], isOlder: Bool = false) async throws(WorkError) -> Int64 {
        let during = "publishing the catalogue"
        for file in files { try Self.requireSize(file.bytes, during) }
        return try await session.transaction(during: during, within: .seconds(300)) {
            transaction throws(PostgresError) in
            var hashes: [String] = []
            for file in files {
                let rows = try await transaction.run(
                    "SELECT beacon_dfu.put_file($1) AS answer", [.bytes(file.bytes)])
                hashes.append(try rows.only(during).text("answer"))
            }
            let rows = try await transaction.run(
                "SELECT beacon_dfu.publish_catalogue($1, $2, $3) AS answer",
                [.array(files.map(\.path)), .array(hashes), .boolean(isOlder)])
            return try rows.only(during).integer("answer")
        }
    }

    /// Withdraws a version: no further unit may start with it.
    public func withdraw(catalogue version: Int64, because why: String) async throws(WorkError) {
        try await call("withdraw_catalogue", "withdrawing a catalogue", [.integer(version), .text(why)])
    }

    /// Recalls a file: no further unit may get it.
    public func recall(file sha256: String, because why: String) async throws(WorkError) {
        try await call("recall_file", "recalling a file", [.text(sha256), .text(why)])
    }

    private static func requireSize(_ bytes: [UInt8], _ during: String) throws(WorkError) {
        guard bytes.count <= largestFile else {
            throw WorkError(
                .refused, "file-too-large", during: during, message: "a file may have at most 16 MiB")
        }
    }
}
