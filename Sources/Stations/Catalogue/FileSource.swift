public import WorkOrders

/// Where files are to be had by their SHA-256, beside the engine. What it gives is checked by whoever asks.
public protocol FileSource: Sendable {
    /// What it has under this SHA-256, in lower-case hexadecimal.
    func file(_ sha256: String) async throws(WorkError) -> [UInt8]
}
