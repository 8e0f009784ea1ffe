public import BluetoothTypes
public import Radio
public import Timing

/// An adapter whose links are written down: each link's beginning and end, and every attribute packet.
///
/// Credit-based channels and advertisements pass unrecorded.
public struct CapturingAdapter<Base: Adapter>: Adapter {
    private let base: Base
    private let file: CaptureFile

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
    /// As the adapter below has it.
    public func claim(_ peer: DeviceAddress) throws(AdapterError) -> BeaconClaim { try base.claim(peer) }
    /// As the adapter below has it.
    public func isHeldElsewhere(_ peer: DeviceAddress) async -> Bool { await base.isHeldElsewhere(peer) }

    /// Everything heard until the listener stops.
    public func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await base.advertisements()
    }

    /// A channel to `peer`, recorded if it carries attributes.
    public func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking wish: LinkWish, within limit: Duration
    ) async throws(AdapterError) -> CapturingBearer<Base.Channel> {
        let bearer = try await base.open(channel, to: peer, asking: wish, within: limit)
        guard channel == .attributes else { return CapturingBearer(bearer, recorder: nil) }
        let interval = await base.parameters(of: bearer).interval
        let recorder = LinkRecorder(
            in: file, peer: peer, interval: interval, supervisionTimeout: wish.supervisionTimeout)
        return CapturingBearer(bearer, recorder: recorder)
    }

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
