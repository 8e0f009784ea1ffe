import Bluetooth

extension SimulatedAdapter {
    /// After this long without an advert of the peer, a started connection is given up and other attempts get the
    /// controller (kernel `HCI_LE_AUTOCONN_TIMEOUT`).
    private static let timeout = Duration.seconds(4)
    /// How long an unplugged adapter may take to come back, as with a kernel's.
    private static let returnLimit = Duration.seconds(10)

    /// Unplugs the adapter: listeners and links end, and nothing can be opened until it is plugged in again.
    public func unplug() { controllerLinks.unplug() }

    /// Plugs it in again.
    public func plugIn() { controllerLinks.plugIn() }

    /// How many links the controller holds, including those that have no user any more.
    public var links: Int { controllerLinks.links }

    /// Waits until the adapter is plugged in; throws if it does not come back in time.
    func awaitPresence(by deadline: Duration = .seconds(Int32.max)) async throws(AdapterError) {
        let limit = min(time.now + Self.returnLimit, deadline)
        while controllerLinks.isOut {
            guard time.now < limit else { throw .unavailable("\(name) was removed") }
            do { try await time.sleep(until: min(time.now + Self.connectingInterval, limit)) } catch {
                throw .cancelled
            }
        }
    }

    /// Unplugs the adapter and plugs it in again at the times that its scenario gives.
    func followPlug() async {
        for (number, moment) in controller.unplugged.enumerated() {
            guard (try? await time.sleep(until: begun + moment)) != nil else { return }
            number.isMultiple(of: 2) ? unplug() : plugIn()
        }
    }

    /// A link to the beacon that advertises as `peer`, by `deadline`.
    func link(
        to peer: DeviceAddress, asking linkRequest: LinkRequest, by deadline: Duration
    ) async throws(AdapterError) -> PacketSocket {
        var pendingConnection = PendingConnection(for: peer, among: peers, by: time)
        // A new connection must not join the session of a link that is about to end.
        if let known = await pendingConnection.find() { controllerLinks.endStaleLink(to: known) }
        repeat {
            try await awaitPresence(by: deadline)
            switch controller.connecting {
            case .instant: if let link = try await linkAtOnce(to: peer, asking: linkRequest) { return link }
            case .kernel, .acceptList:
                if let link = try await linkWhenHeard(&pendingConnection, asking: linkRequest, by: deadline) {
                    return link
                }
                continue
            }
            do { try await time.sleep(until: min(time.now + Self.connectingInterval, deadline)) } catch {
                throw .cancelled
            }
        } while time.now < deadline
        throw .noAnswer(peer)
    }

    private func linkAtOnce(
        to peer: DeviceAddress, asking linkRequest: LinkRequest
    ) async throws(AdapterError) -> PacketSocket? {
        for beacon in peers {
            guard let heard = await beacon.advertisement(at: time.now) else { continue }
            if heard.address == peer, heard.isConnectable != false {
                return try await connect(to: beacon, asking: linkRequest)
            }
        }
        return nil
    }

    /// One round of what a kernel, or its controller's filter accept list, does for a pending connection.
    private func linkWhenHeard(
        _ pendingConnection: inout PendingConnection, asking linkRequest: LinkRequest, by deadline: Duration
    ) async throws(AdapterError) -> PacketSocket? {
        do {
            guard
                var heard = try await pendingConnection.next(
                    until: deadline, unless: { controllerLinks.isOut }),
                // Scanning is off while another link is being made, so an advert sent meanwhile is not heard.
                controllerLinks.begin(at: time.now)
            else { return nil }
            defer { controllerLinks.end(at: time.now) }
            guard controllerLinks.hasRoom else { throw AdapterError.tooManyLinks(adapter: name) }
            if controller.connecting == .kernel {
                let limit = min(deadline, time.now + Self.timeout)
                guard
                    let again = try await pendingConnection.next(
                        until: limit, unless: { controllerLinks.isOut })
                else {
                    return nil
                }
                heard = again
            }
            return try await connect(to: heard, asking: linkRequest)
        } catch let error as AdapterError { throw error } catch { throw .cancelled }
    }
}
