/// What was, or was to be, installed.
public struct FirmwareRecord: Hashable, Codable, Sendable {
    /// Where the file was.
    public var path: String
    /// Its SHA-256 in lower-case hexadecimal.
    public var sha256: String
    /// Its kind, as `inspect` names kinds.
    public var kind: String
    /// Bytes as sent, all parts together.
    public var bytes: Int
    /// The version that it brings; nil where the file does not say.
    public var version: String?

    /// Firmware as described.
    public init(path: String, sha256: String, kind: String, bytes: Int, version: String?) {
        self.path = path
        self.sha256 = sha256
        self.kind = kind
        self.bytes = bytes
        self.version = version
    }
}
