/// A source of files by their SHA-256, in addition to the work server. The caller checks what it returns.
public protocol FileSource: Sendable {
    /// The file with this SHA-256, in lower-case hexadecimal.
    func file(_ sha256: String) async throws(WorkError) -> [UInt8]
}
