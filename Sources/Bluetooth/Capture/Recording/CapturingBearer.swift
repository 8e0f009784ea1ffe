import Glibc

/// A channel that records its packets.
///
/// A packet is recorded before it is handed over: recorded afterwards, it could follow its own answer.
public final class CapturingBearer<Base: Bearer>: Bearer {
    /// The underlying channel.
    public let base: Base
    let recorder: (any PacketRecorder)?

    init(_ base: Base, recorder: (any PacketRecorder)?) {
        self.base = base
        self.recorder = recorder
    }

    deinit { recorder?.end(.byUs) }

    /// Records the packet and hands it to the transport.
    public func send(_ packet: [UInt8]) async throws(BearerError) {
        recorder?.add(packet, .sent)
        do throws(BearerError) { try await base.send(packet) } catch {
            // Earlier packets may still be waiting to be received.
            if let ending = Self.ending(for: error) { recorder?.expectEnd(ending) }
            throw error
        }
    }

    /// The next packet, recorded; nil at the end of the link.
    public func receive() async throws(BearerError) -> [UInt8]? {
        let packet: [UInt8]?
        do throws(BearerError) { packet = try await base.receive() } catch {
            if let ending = Self.ending(for: error) { recorder?.end(ending) }
            throw error
        }
        if let packet { recorder?.add(packet, .received) } else { recorder?.end(.byPeer) }
        return packet
    }

    /// How an error ends the link; nil if the link continues.
    private static func ending(for error: BearerError) -> LinkRecorder.Ending? {
        switch error {
        case .cancelled: nil
        case .closed: .byPeer
        // The kernel's error for a supervision timeout.
        case .system(_, ETIMEDOUT): .timeout
        case .system: .unspecified
        }
    }

    /// Ends the link.
    public func close() {
        recorder?.end(.byUs)
        base.close()
    }
}
