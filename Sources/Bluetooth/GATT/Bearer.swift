import Bytes

/// The packet interface: whole packets between two ends. One `send` is one `receive`.
///
/// An L2CAP channel, a Unix `SOCK_SEQPACKET` pair and a modelled link all conform.
public protocol Bearer: Sendable {
    /// Hands one packet to the transport, waiting while its queue is full.
    func send(_ packet: [UInt8]) async throws(BearerError)
    /// Hands `bytes` over in packets that each begin with `header` and carry `length` bytes of them, the last
    /// possibly fewer; like a sequence of `send` calls.
    func send(_ bytes: ArraySlice<UInt8>, inPacketsOf length: Int, after header: [UInt8])
        async throws(BearerError)
    /// The next packet; nil at the end of the link.
    func receive() async throws(BearerError) -> [UInt8]?
    /// Ends the link. Every pending and later call ends with `closed` or nil.
    func close()
}

extension Bearer {
    public func send(
        _ bytes: ArraySlice<UInt8>, inPacketsOf length: Int, after header: [UInt8]
    ) async throws(BearerError) {
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: length) {
            try await send(header + bytes[start..<min(start + length, bytes.endIndex)])
        }
    }
}

public enum BearerError: Error, Equatable, Sendable {
    /// The link has ended, by either side.
    case closed
    case cancelled
    case system(call: String, errno: Int32)
}
