/// Firmware that was, or was to be, installed.
public struct FirmwareRecord: Hashable, Codable, Sendable {
    /// The file's path.
    public var path: String
    /// Its SHA-256 in lower-case hexadecimal.
    public var sha256: String
    /// Its kind, as `inspect` names kinds.
    public var kind: String
    /// Size as sent, all parts together.
    public var bytes: Int
    /// Its version; nil if the file has none.
    public var version: String?

    /// Creates a record with these values.
    public init(path: String, sha256: String, kind: String, bytes: Int, version: String?) {
        self.path = path
        self.sha256 = sha256
        self.kind = kind
        self.bytes = bytes
        self.version = version
    }
}
