import Bluetooth

extension SimulatedAdapter {
    /// How long a started connection waits for an advert of the peer, before other attempts get the controller (kernel
    /// `HCI_LE_AUTOCONN_TIMEOUT`). It waits longer for a peer that was heard to advertise rarely, as the program makes
    /// the kernel do.
    private static let timeout = Duration.seconds(4)
    /// How long an unplugged adapter may take to come back; the same holds for a kernel's adapter.
    private static let returnLimit = Duration.seconds(10)

    /// Unplugs the adapter: listeners and links end, and nothing can be opened until it is plugged in again.
    public func unplug() { controllerLinks.unplug() }
    public func plugIn() { controllerLinks.plugIn() }

    /// How many links the controller holds, including those without a user.
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

    func link(
        to peer: DeviceAddress, asking linkRequest: LinkRequest, by deadline: Duration
    ) async throws(AdapterError) -> PacketSocket {
        var pendingConnection = PendingConnection(
            for: peer, among: peers, hearing: controller.hears, by: time)
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
            if heard.address == peer, heard.isConnectable != false,
                await beacon.packets.isHeard(with: controller.hears)
            {
                return try await connect(to: beacon, asking: linkRequest)
            }
        }
        return nil
    }

    /// One round of what a kernel, or its controller's filter accept list, does for a pending connection.
    private func linkWhenHeard(
        _ pendingConnection: inout PendingConnection, asking linkRequest: LinkRequest, by deadline: Duration
    ) async throws(AdapterError) -> PacketSocket? {
        let connectionTime = controllerLinks.intervals.connectionTime(
            of: pendingConnection.address, at: time.now)
        let needed = connectionTime.flatMap { $0.isLong ? $0.most : nil } ?? .zero
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
                let limit = min(deadline, time.now + max(Self.timeout, needed))
                guard
                    let again = try await pendingConnection.next(
                        until: limit, unless: { controllerLinks.isOut })
                else { return nil }
                heard = again
            }
            return try await connect(to: heard, asking: linkRequest)
        } catch let error as AdapterError { throw error } catch { throw .cancelled }
    }
}

/// Waits for the moments at which a peer at an address sends a connectable advert.
struct PendingConnection: Sendable {
    /// How often to look for a peer that is absent.
    private static let step = Duration.milliseconds(100)

    let address: DeviceAddress
    private let peers: [any SimulatedPeer]
    private let reception: AdvertisingPackets
    private let time: Timekeeper
    private var peer: (any SimulatedPeer)?
    private var heard: Duration
    /// When the next advert may be due.
    private var due: Duration

    init(
        for address: DeviceAddress, among peers: [any SimulatedPeer], hearing reception: AdvertisingPackets,
        by time: Timekeeper
    ) {
        (self.address, self.peers, self.reception, self.time) = (address, peers, reception, time)
        (heard, due) = (time.now, time.now)
    }

    mutating func find() async -> (any SimulatedPeer)? {
        if let peer, await peer.address == address { return peer }
        peer = nil
        for candidate in peers where await candidate.address == address {
            guard await candidate.packets.isHeard(with: reception) else { continue }
            peer = candidate
            return candidate
        }
        return nil
    }

    /// The peer, once it sends a connectable advert; nil if it sends none before `limit`, or once `isOver` is true.
    mutating func next(
        until limit: Duration, unless isOver: () -> Bool
    ) async throws(CancellationError) -> (any SimulatedPeer)? {
        while !isOver() {
            try await time.sleep(until: min(due, limit))
            let now = time.now
            guard now >= due else { return nil }
            let peer = await find()
            let reports = await peer?.reports(after: heard, through: now) ?? []
            heard = now
            due = await peer?.nextReport(after: now) ?? now + Self.step
            if reports.contains(where: { $0.address == address && $0.isConnectable == true }) { return peer }
        }
        return nil
    }
}
