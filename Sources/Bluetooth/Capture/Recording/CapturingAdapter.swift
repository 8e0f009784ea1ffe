import Glibc
import Synchronization

/// An adapter that records its links: each link's beginning and end, and every packet of its channels.
///
/// Advertisements are not recorded.
package struct CapturingAdapter<Base: Adapter>: Adapter {
    private let base: Base
    private let file: CaptureFile
    private let links = RecordedLinks()

    package init(_ base: Base, into file: CaptureFile) { (self.base, self.file) = (base, file) }

    package var time: Timekeeper { base.time }
    package var passesEveryReport: Bool { base.passesEveryReport }
    package var pendingLinks: Int { base.pendingLinks }
    package var coded: CodedReception? { base.coded }

    package var deafTime: Duration { base.deafTime }
    package var connectingTime: Duration { base.connectingTime }
    package func claim(_ peer: DeviceAddress) throws(AdapterError) -> BeaconClaim { try base.claim(peer) }
    package func isHeldElsewhere(_ peer: DeviceAddress) async -> Bool { await base.isHeldElsewhere(peer) }

    package func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await base.advertisements()
    }
    package func furtherAdvertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await base.furtherAdvertisements()
    }
    package func scanHistory() -> ScanHistory { base.scanHistory() }
    package func advertisingInterval(of peer: DeviceAddress) -> Duration? {
        base.advertisingInterval(of: peer)
    }

    /// A channel to `peer` that is recorded; a credit-based channel is recorded as part of its link.
    package func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking linkRequest: LinkRequest,
        within limit: Duration
    ) async throws(AdapterError) -> CapturingBearer<Base.Channel> {
        let bearer = try await base.open(channel, to: peer, asking: linkRequest, within: limit)
        if case .creditBased(let psm) = channel {
            let maximum = await base.parameters(of: bearer).maximumPacket ?? LinkParameters.leastPacket
            return CapturingBearer(
                bearer, recorder: links.recorder(of: peer)?.channel(psm: psm, maximumPacket: maximum))
        }
        let interval = await base.parameters(of: bearer).interval
        let recorder = LinkRecorder(
            in: file, peer: peer, interval: interval, supervisionTimeout: linkRequest.supervisionTimeout)
        links.note(recorder, of: peer)
        return CapturingBearer(bearer, recorder: recorder)
    }

    package func retune(interval: Duration) async { await base.retune(interval: interval) }

    package func parameters(of channel: CapturingBearer<Base.Channel>) async -> LinkParameters {
        await base.parameters(of: channel.base)
    }

    package func encrypt(
        _ channel: CapturingBearer<Base.Channel>, within limit: Duration
    ) async throws(AdapterError) {
        try await base.encrypt(channel.base, within: limit)
        channel.recorder?.encrypted()
    }
}

/// The recorder of the current or latest link to each peer.
private final class RecordedLinks: Sendable {
    private struct Reference: Sendable { weak var recorder: LinkRecorder? }

    private let links = Mutex<[DeviceAddress: Reference]>([:])

    func note(_ recorder: LinkRecorder, of peer: DeviceAddress) {
        links.withLock { $0[peer] = Reference(recorder: recorder) }
    }

    func recorder(of peer: DeviceAddress) -> LinkRecorder? { links.withLock { $0[peer]?.recorder } }
}

/// A channel that records its packets.
///
/// A packet is recorded before it is sent; otherwise its answer could be recorded first.
package final class CapturingBearer<Base: Bearer>: Bearer {
    let base: Base
    let recorder: (any PacketRecorder)?

    init(_ base: Base, recorder: (any PacketRecorder)?) { (self.base, self.recorder) = (base, recorder) }

    deinit { recorder?.end(.byUs) }

    package func send(_ packet: [UInt8]) async throws(BearerError) {
        recorder?.add(packet, .sent)
        do throws(BearerError) { try await base.send(packet) } catch {
            // Earlier packets may still be waiting to be received.
            if let ending = Self.ending(for: error) { recorder?.expectEnd(ending) }
            throw error
        }
    }

    package func receive() async throws(BearerError) -> [UInt8]? {
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

    package func close() {
        recorder?.end(.byUs)
        base.close()
    }
}
