import Bluetooth
import Bytes

/// The established links by handle, from the controller's events.
struct LinkTable: Equatable, Sendable {
    struct Link: Equatable, Sendable {
        var peer: DeviceAddress
        var interval: Duration
        var supervisionTimeout: Duration
        /// The longest data packet that we send, in octets.
        var sendOctets = 27
        /// The PHY that we send with. A link to an extended advertiser begins on the PHY of its data (Vol 6, Part B,
        /// 4.4.2.4.2), which only LE Read PHY reports; other links begin on LE 1M.
        var phy: PHY? = .le1M
        var linkRequest: LinkRequest?
        /// Whether the request was repeated because the peer had set something else.
        var hasRepeatedRequest = false
    }

    private(set) var links: [UInt16: Link] = [:]

    mutating func note(_ linkRequest: LinkRequest, for handle: UInt16) {
        links[handle]?.linkRequest = linkRequest
    }

    /// What to request again after `event`, if the peer of a link with the requested interval has set a longer one;
    /// otherwise nil. Once per link, since two ends that insist would repeat it without end.
    mutating func requestToRepeat(after event: HCIEvent) -> (handle: UInt16, linkRequest: LinkRequest)? {
        guard case .connectionUpdate(.success, let handle, let interval, _) = event, let link = links[handle],
            let linkRequest = link.linkRequest, !link.hasRepeatedRequest,
            link.interval <= linkRequest.interval,
            interval > linkRequest.interval
        else { return nil }
        links[handle]?.hasRepeatedRequest = true
        return (handle, linkRequest)
    }

    mutating func note(_ event: HCIEvent) {
        switch event {
        case .connectionComplete(.success, let handle, let peer, let interval, let timeout):
            links[handle] = Link(peer: peer, interval: interval, supervisionTimeout: timeout)
        case .disconnectionComplete(let handle, _): links[handle] = nil
        case .connectionUpdate(.success, let handle, let interval, let timeout):
            links[handle]?.interval = interval
            links[handle]?.supervisionTimeout = timeout
        case .dataLengthChange(let handle, let octets): links[handle]?.sendOctets = octets
        case .phyUpdate(.success, let handle, let phy): links[handle]?.phy = phy
        case .commandComplete(HCICommand.Opcode.readPHY, .success, let parameters):
            var reader = ByteReader(parameters)
            guard let (handle, phy) = try? PHY.ofLink(parsing: &reader) else { return }
            links[handle]?.phy = phy
        default: break
        }
    }
}
