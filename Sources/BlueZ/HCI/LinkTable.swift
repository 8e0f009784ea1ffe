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
    }

    /// The links whose connection event was heard.
    private(set) var links: [UInt16: Link] = [:]

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
