import Bluetooth
import Synchronization

/// An adapter for one unit of a tray; before each link it waits for permission.
struct PermittedAdapter<Base: Adapter>: Adapter {
    /// The highest supervision timeout of a link. It cannot be short, since a page erase alone silences a beacon for 90 ms;
    /// nor long, since a beacon that is gone occupies the controller's buffers until then.
    private static var supervision: Duration { .seconds(4) }

    let base: Base
    let unit: UnitNumber
    /// Returns a unit's label, for the error when two units claim one address.
    let slot: @Sendable (UnitNumber) -> String
    let mailbox: RunMailbox
    /// Is called when packets have passed over the link.
    let onPackets: @Sendable () -> Void
    /// The user's time limit for a connection attempt; nil for the schedule's.
    var connectTimeout: Duration?

    var time: Timekeeper { base.time }
    var passesEveryReport: Bool { base.passesEveryReport }
    var pendingLinks: Int { base.pendingLinks }
    var coded: CodedReception? { base.coded }
    var deafTime: Duration { base.deafTime }
    var connectingTime: Duration { base.connectingTime }

    func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await base.advertisements()
    }
    func furtherAdvertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await base.furtherAdvertisements()
    }
    func scanHistory() -> ScanHistory { base.scanHistory() }
    func advertisingInterval(of peer: DeviceAddress) -> Duration? { base.advertisingInterval(of: peer) }
    func isHeldElsewhere(_ peer: DeviceAddress) async -> Bool { await base.isHeldElsewhere(peer) }

    func claim(_ peer: DeviceAddress) throws(AdapterError) -> BeaconClaim {
        if let owner = mailbox.claim(peer, for: unit) {
            throw .inUse(peer, by: "slot \(slot(owner)) of the same tray")
        }
        return try base.claim(peer)
    }

    /// Makes one connection attempt for each permission. `limit` does not include the wait for the permission.
    func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking linkRequest: LinkRequest,
        within limit: Duration
    ) async throws(AdapterError) -> PermittedBearer<Base.Channel> {
        guard channel == .attributes else {
            return PermittedBearer(
                try await base.open(channel, to: peer, asking: linkRequest, within: limit),
                onPackets: onPackets
            ) {}
        }
        var plan = try await mailbox.permit(for: unit, after: .wantsLink(unit))
        var linkRequest = linkRequest
        linkRequest.isLimitChosen = connectTimeout != nil
        if !linkRequest.isIntervalChosen {
            linkRequest.supervisionTimeout = min(linkRequest.supervisionTimeout, Self.supervision)
        }
        while true {
            if !linkRequest.isIntervalChosen { linkRequest.interval = plan.interval }
            do throws(AdapterError) {
                let open = try await base.open(
                    .attributes, to: peer, asking: linkRequest, within: connectTimeout ?? plan.limit)
                mailbox.send(.fact(.connected(unit)))
                return PermittedBearer(open, onPackets: onPackets) { [mailbox, unit] in
                    mailbox.send(.fact(.disconnected(unit)))
                }
            } catch {
                guard case .tooManyLinks = error else {
                    mailbox.send(.fact(.notConnected(unit, .noAnswer)))
                    throw error
                }
                plan = try await mailbox.permit(for: unit, after: .notConnected(unit, .tooManyLinks))
            }
        }
    }

    func retune(interval: Duration) async { await base.retune(interval: interval) }

    func parameters(of channel: PermittedBearer<Base.Channel>) async -> LinkParameters {
        await base.parameters(of: channel.base)
    }

    func encrypt(
        _ channel: PermittedBearer<Base.Channel>, within limit: Duration
    ) async throws(AdapterError) { try await base.encrypt(channel.base, within: limit) }
}

/// A channel that reports when packets have passed, and when its link is closed.
final class PermittedBearer<Base: Bearer>: Bearer {
    /// Packets per report: few enough to notice a stalled link.
    private static var group: Int { 8 }

    let base: Base
    private let onPackets: @Sendable () -> Void
    private let onClose: @Sendable () -> Void
    private let isClosed = Atomic<Bool>(false)

    init(_ base: Base, onPackets: @escaping @Sendable () -> Void, onClose: @escaping @Sendable () -> Void) {
        (self.base, self.onPackets, self.onClose) = (base, onPackets, onClose)
    }

    deinit { reportClose() }

    func send(_ packet: [UInt8]) async throws(BearerError) {
        try await base.send(packet)
        onPackets()
    }

    func send(
        _ bytes: ArraySlice<UInt8>, inPacketsOf length: Int, after header: [UInt8]
    ) async throws(BearerError) {
        guard length > 0 else { return try await base.send(bytes, inPacketsOf: length, after: header) }
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: length * Self.group) {
            let end = min(start + length * Self.group, bytes.endIndex)
            try await base.send(bytes[start..<end], inPacketsOf: length, after: header)
            onPackets()
        }
    }

    func receive() async throws(BearerError) -> [UInt8]? {
        let packet = try await base.receive()
        onPackets()
        return packet
    }

    func close() {
        base.close()
        reportClose()
    }

    private func reportClose() { if !isClosed.exchange(true, ordering: .relaxed) { onClose() } }
}
