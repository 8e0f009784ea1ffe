public import BluetoothTypes
public import Radio
import Synchronization
public import Timing

/// An adapter whose links are written down: each link's beginning and end, and every packet of its channels.
///
/// Advertisements pass unrecorded.
public struct CapturingAdapter<Base: Adapter>: Adapter {
    private let base: Base
    private let file: CaptureFile
    private let links = RecordedLinks()

    /// Records in `file` what passes over `base`.
    public init(_ base: Base, into file: CaptureFile) {
        self.base = base
        self.file = file
    }

    /// The time of everything that happens on it.
    public var time: Timekeeper { base.time }
    /// As the adapter below has it.
    public var passesEveryReport: Bool { base.passesEveryReport }

    /// As the adapter below has it.
    public var deafTime: Duration { base.deafTime }
    /// Recording changes nothing.
    public var connectingTime: Duration { base.connectingTime }
    /// As the adapter below has it.
    public func claim(_ peer: DeviceAddress) throws(AdapterError) -> BeaconClaim { try base.claim(peer) }
    /// As the adapter below has it.
    public func isHeldElsewhere(_ peer: DeviceAddress) async -> Bool { await base.isHeldElsewhere(peer) }

    /// Everything heard until the listener stops.
    public func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await base.advertisements()
    }
    /// As the adapter below has it.
    public func furtherAdvertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await base.furtherAdvertisements()
    }
    /// As the adapter below has it.
    public func scanHistory() -> ScanHistory { base.scanHistory() }

    /// A channel to `peer`, recorded; a credit-based one with the link that it is part of.
    public func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking wish: LinkRequest, within limit: Duration
    ) async throws(AdapterError) -> CapturingBearer<Base.Channel> {
        let bearer = try await base.open(channel, to: peer, asking: wish, within: limit)
        if case .creditBased(let psm) = channel {
            let maximum = await base.parameters(of: bearer).maximumPacket ?? Self.leastPacket
            return CapturingBearer(
                bearer, recorder: links.recorder(of: peer)?.channel(psm: psm, maximumPacket: maximum))
        }
        let interval = await base.parameters(of: bearer).interval
        let recorder = LinkRecorder(
            in: file, peer: peer, interval: interval, supervisionTimeout: wish.supervisionTimeout)
        links.note(recorder, of: peer)
        return CapturingBearer(bearer, recorder: recorder)
    }

    /// As the adapter below has it.
    public func retune(interval: Duration) async { await base.retune(interval: interval) }

    /// What every credit-based channel takes (Vol 3, Part A, 4.22).
    private static var leastPacket: Int { 23 }

    /// What the link under `channel` is like.
    public func parameters(of channel: CapturingBearer<Base.Channel>) async -> LinkParameters {
        await base.parameters(of: channel.base)
    }

    /// Encrypts the link under `channel`.
    public func encrypt(
        _ channel: CapturingBearer<Base.Channel>, within limit: Duration
    ) async throws(AdapterError) {
        try await base.encrypt(channel.base, within: limit)
        channel.recorder?.encrypted()
    }
}

/// Which recorder has the link to a peer that stands, or stood last.
private final class RecordedLinks: Sendable {
    private struct Reference: Sendable { weak var recorder: LinkRecorder? }

    private let links = Mutex<[DeviceAddress: Reference]>([:])

    func note(_ recorder: LinkRecorder, of peer: DeviceAddress) {
        links.withLock { $0[peer] = Reference(recorder: recorder) }
    }

    func recorder(of peer: DeviceAddress) -> LinkRecorder? { links.withLock { $0[peer]?.recorder } }
}
