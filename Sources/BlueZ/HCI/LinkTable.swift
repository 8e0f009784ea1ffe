import Bluetooth

/// The established links by handle, from the controller's events.
struct LinkTable: Equatable, Sendable {
    /// One link.
    struct Link: Equatable, Sendable {
        /// The device at the other end.
        var peer: DeviceAddress
        /// Time between two connection events.
        var interval: Duration
        /// The longest data packet that we send, in octets.
        var sendOctets = 27
        /// The PHY that we send with; every link begins with LE 1M.
        var phy: PHY? = .le1M
        /// What was last requested.
        var linkRequest: LinkRequest?
        /// Whether the request was repeated because the peer had set something else.
        var isRepeated = false
    }

    /// The links whose connection event was received.
    private(set) var links: [UInt16: Link] = [:]

    /// Records what is requested.
    mutating func note(_ linkRequest: LinkRequest, for handle: UInt16) {
        links[handle]?.linkRequest = linkRequest
    }

    /// What to request again after `event`: a link with the requested interval has got a longer one on its
    /// peer's request. Once per link: two ends that insist would repeat it forever.
    mutating func requestToRepeat(after event: HCIEvent) -> (handle: UInt16, linkRequest: LinkRequest)? {
        guard case .connectionUpdate(.success, let handle, let interval) = event, let link = links[handle],
            let linkRequest = link.linkRequest, !link.isRepeated, link.interval <= linkRequest.interval,
            interval > linkRequest.interval
        else { return nil }
        links[handle]?.isRepeated = true
        return (handle, linkRequest)
    }

    /// Updates the table by an event.
    mutating func note(_ event: HCIEvent) {
        switch event {
        case .connectionComplete(.success, let handle, let peer, let interval):
            links[handle] = Link(peer: peer, interval: interval)
        case .disconnectionComplete(let handle, _): links[handle] = nil
        case .connectionUpdate(.success, let handle, let interval): links[handle]?.interval = interval
        case .dataLengthChange(let handle, let octets): links[handle]?.sendOctets = octets
        case .phyUpdate(.success, let handle, let phy): links[handle]?.phy = phy
        default: break
        }
    }
}
