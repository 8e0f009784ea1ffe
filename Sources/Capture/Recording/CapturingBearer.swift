public import GATT
import Glibc

/// A channel whose packets are written down as they pass.
///
/// A packet is recorded before it is handed over: recorded afterwards, its answer could stand before it.
public final class CapturingBearer<Base: Bearer>: Bearer {
    /// What carries the packets.
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
            // What had come before may still be there to be received.
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

    /// What an error says of the link; nil when that goes on.
    private static func ending(for error: BearerError) -> LinkRecorder.Ending? {
        switch error {
        case .cancelled: nil
        case .closed: .byPeer
        // The kernel's word for a supervision timeout.
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
