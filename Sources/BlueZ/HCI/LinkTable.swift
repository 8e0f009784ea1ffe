import BluetoothTypes
import Radio

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
        /// What was asked for last.
        var linkRequest: LinkRequest?
        /// Whether it was asked for again because the peer had asked for something else.
        var isRepeated = false
    }

    /// The links whose connection event was heard.
    private(set) var links: [UInt16: Link] = [:]

    /// Notes what is asked for.
    mutating func note(_ linkRequest: LinkRequest, for handle: UInt16) { links[handle]?.linkRequest = linkRequest }

    /// What is to be asked for again after `event`: a link that had the interval which was asked for has got a longer one, as
    /// its peer wanted. Only once for each link: two ends that insist would go on for ever.
    mutating func requestToRepeat(after event: HCIEvent) -> (handle: UInt16, linkRequest: LinkRequest)? {
        guard case .connectionUpdate(.success, let handle, let interval) = event, let link = links[handle],
            let linkRequest = link.linkRequest, !link.isRepeated, link.interval <= linkRequest.interval, interval > linkRequest.interval
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
