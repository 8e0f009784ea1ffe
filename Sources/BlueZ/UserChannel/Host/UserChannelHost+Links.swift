import Bluetooth
import Bytes

/// A link of the host, by its handle.
struct HostLink: Sendable {
    let id: UserChannelHost.LinkID
    let peer: DeviceAddress
    /// The request that waits for the link while it is being established; nil afterwards, and if there is none.
    var opening: AcceptListConnector.Opening?
    /// Whether the link was established and reported as `opened`.
    var isOpen = false
    var isEnding = false
    var assembly = PacketAssembly()
    /// The commands for this link that are carried out one after the other; the first one is in progress.
    var requests: [HCICommand] = []
    /// The parameters that were last granted to the peer; nil once they are in use.
    var granted: LinkSteps?

    /// Whether a change of the link's parameters is in progress, or waits.
    var isUpdating: Bool { requests.contains { $0.opcode == HCICommand.Opcode.connectionUpdate } }
}

extension UserChannelHost {
    /// The outcome of sending a packet.
    enum SendOutcome: Equatable, Sendable {
        case queued
        /// The link has no room: ``Event/room(_:)`` follows when it has.
        case noRoom
        /// The link has ended, or is being ended.
        case noLink
    }

    /// L2CAP's fixed channels (Vol 3, Part A, 2.1).
    private enum Fixed {
        static let attributes: UInt16 = 4
        static let signalling: UInt16 = 5
        static let security: UInt16 = 6
    }

    /// Whether a link to `peer` is open. A link that is being made or ended does not count.
    func hasOpenLink(to peer: DeviceAddress) -> Bool {
        links.values.contains { $0.peer == peer && $0.isOpen && !$0.isEnding }
    }

    func handle(of id: LinkID) -> UInt16? { links.first { $0.value.id == id }?.key }

    /// Interval and PHY of a link; nil after its end.
    func parameters(of id: LinkID) -> LinkParameters? {
        handle(of: id).flatMap { table.links[$0] }.map { LinkParameters(interval: $0.interval, phy: $0.phy) }
    }

    /// Queues an attribute packet.
    mutating func send(_ packet: [UInt8], over id: LinkID, at now: Duration) -> SendOutcome {
        guard let handle = handle(of: id), links[handle]?.isEnding == false else { return .noLink }
        guard buffers.hasRoom(handle) else { return .noRoom }
        buffers.queue(packet, on: Fixed.attributes, of: handle, counts: true)
        advance(to: now)
        return .queued
    }

    mutating func close(_ id: LinkID, at now: Duration) {
        guard let handle = handle(of: id) else { return }
        end(handle)
        advance(to: now)
    }

    /// Requests this interval on every link whose interval no user has chosen.
    mutating func retune(interval: Duration, at now: Duration) {
        for (handle, link) in links.sorted(by: { $0.key < $1.key }) where link.isOpen && !link.isEnding {
            var linkRequest = linkRequest(of: handle)
            guard !linkRequest.isIntervalChosen else { continue }
            linkRequest.interval = interval
            table.note(linkRequest, for: handle)
            update(handle)
        }
        advance(to: now)
    }

    // MARK: Beginning and end

    /// Notes that the controller has connected to `peer`. The link counts as established only with the peer's first
    /// answer: if the peer has not heard us, the link is lost at once.
    mutating func begin(_ handle: UInt16, with peer: DeviceAddress) {
        let opening = connector.takeOpening(linkedTo: peer)
        let linkRequest = opening?.linkRequest ?? LinkRequest()
        links[handle] = HostLink(id: nextNumber(), peer: peer, opening: opening)
        connector.linked.insert(peer)
        buffers.add(handle)
        table.note(linkRequest, for: handle)
        guard opening != nil else { return end(handle) }
        send(.readPeerFeatures(handle))
    }

    /// Notes that the peer has answered, and reports the link as `opened`.
    mutating func establish(_ handle: UInt16) {
        guard let link = links[handle], !link.isOpen, !link.isEnding, let opening = link.opening else {
            return
        }
        links[handle]?.isOpen = true
        links[handle]?.opening = nil
        emit(.opened(ticket: opening.ticket, link.id))
    }

    /// Requests what a new link does not have yet and both ends support. LE 2M is requested only if the link began on
    /// LE 1M; the PHY is read first if it may be another one.
    mutating func tune(_ handle: UInt16, peerFeatures: UInt64) {
        guard let link = links[handle], link.isOpen, !link.isEnding else { return }
        update(handle)
        if controller.hasLongData, peerFeatures & LowEnergyFeature.longData != 0 {
            request(.setDataLength(handle), of: handle)
        }
        if controller.isExtended, controller.hasFast || controller.hasCoded {
            request(.readPHY(handle), of: handle)
        }
        if controller.hasFast, peerFeatures & LowEnergyFeature.fast != 0 {
            request(.setPHY(handle), of: handle)
        }
        if links[handle]?.requests.isEmpty == true { emit(.tuned(link.id)) }
    }

    /// Asks the controller to end a link; an event reports the end.
    mutating func end(_ handle: UInt16) {
        guard let link = links[handle], !link.isEnding else { return }
        links[handle]?.isEnding = true
        send(.disconnect(handle))
    }

    /// Notes that a link has ended. If it was not established yet, its request waits for another one.
    mutating func drop(_ handle: UInt16, _ reason: HCIStatus) {
        guard let link = links.removeValue(forKey: handle) else { return }
        buffers.remove(handle)
        table.note(.disconnectionComplete(handle: handle, reason: reason))
        connector.linked.remove(link.peer)
        if let opening = link.opening {
            if phase == .failed {
                emit(.refused(ticket: opening.ticket, .unavailable("\(name) is gone")))
            } else {
                emit(.note("the link to \(link.peer) was lost at once: \(reason)"))
                connector.add(opening)
            }
        }
        if link.isOpen { emit(.closed(link.id, reason)) }
        if phase == .ending, links.isEmpty { send(.reset) }
    }

    // MARK: Link parameters

    func linkRequest(of handle: UInt16) -> LinkRequest { table.links[handle]?.linkRequest ?? LinkRequest() }

    /// Requests the wanted parameters of a link, unless it has them or is about to have them. This replaces requests
    /// for other parameters that still wait.
    private mutating func update(_ handle: UInt16) {
        guard let link = table.links[handle], let requests = links[handle]?.requests else { return }
        let steps = LinkSteps(linkRequest(of: handle))
        let command = HCICommand.connectionUpdate(handle, steps)
        links[handle]?.requests =
            requests.prefix(1) + requests.dropFirst().filter { $0.opcode != command.opcode }
        if let current = requests.first, current.opcode == command.opcode {
            guard current != command else { return }
        } else if steps == LinkSteps(interval: link.interval, supervisionTimeout: link.supervisionTimeout) {
            return
        }
        request(command, of: handle)
    }

    /// Notes the new parameters of a link, which its peer was granted or a command of ours has set. If the peer has set
    /// a longer interval than the wanted one, the wanted one is requested again, once.
    mutating func noteUpdate(_ event: HCIEvent) {
        guard case .connectionUpdate(let status, let handle, let interval, let timeout) = event,
            let link = links[handle]
        else { return }
        let steps = LinkSteps(interval: interval, supervisionTimeout: timeout)
        if status == .success, link.granted == steps, link.requests.first != .connectionUpdate(handle, steps)
        {
            links[handle]?.granted = nil
        } else {
            noteTuned(HCICommand.Opcode.connectionUpdate, status, of: handle)
        }
        let isUpdating = links[handle]?.isUpdating == true
        let again = isUpdating ? nil : table.requestToRepeat(after: event)
        table.note(event)
        if again != nil { update(handle) }
    }

    mutating func request(_ command: HCICommand, of handle: UInt16) {
        guard links[handle] != nil else { return }
        links[handle]?.requests.append(command)
        if links[handle]?.requests.count == 1 { send(command) }
    }

    /// Notes that the controller has answered a command about a link.
    mutating func noteTuning(_ command: HCICommand, _ status: HCIStatus, of handle: UInt16) {
        guard links[handle]?.requests.first == command else { return }
        // A peer on LE Coded has chosen range over speed, and may be out of range of LE 2M.
        if command == .readPHY(handle), status != .success || table.links[handle]?.phy != .le1M {
            links[handle]?.requests.removeAll { $0 == .setPHY(handle) }
        }
        // The procedures of the other commands have only begun, and end with an event.
        if status != .success || command == .setDataLength(handle) || command == .readPHY(handle) {
            noteTuned(command.opcode, status, of: handle)
        }
    }

    /// Notes that the procedure of a command has ended, and begins the next one.
    mutating func noteTuned(_ opcode: UInt16, _ status: HCIStatus, of handle: UInt16) {
        guard let link = links[handle], let current = link.requests.first, current.opcode == opcode else {
            return
        }
        if status != .success {
            emit(.note("the link to \(link.peer) stays as it is: \(current.name): \(status)"))
        }
        links[handle]?.requests.removeFirst()
        if let next = links[handle]?.requests.first { send(next) } else { emit(.tuned(link.id)) }
    }

    // MARK: L2CAP

    mutating func receive(_ part: DataPacket) {
        guard let link = links[part.handle], !link.isEnding else { return }
        guard let outcome = links[part.handle]?.assembly.add(part) else { return }
        switch outcome {
        case .incomplete: return
        case .broken:
            emit(.note("\(link.peer) has sent a packet of a wrong length: the link is ended"))
            return end(part.handle)
        case .packet(let channel, let payload):
            switch channel {
            case Fixed.attributes:
                establish(part.handle)
                emit(.received(link.id, payload))
            case Fixed.signalling: signal(payload, on: part.handle)
            case Fixed.security:
                // Pairing Request and Security Request: Pairing Not Supported (Vol 3, Part H, 3.5.5).
                guard payload.first == 0x01 || payload.first == 0x0B else { return }
                buffers.queue([0x05, 0x05], on: channel, of: part.handle, counts: false)
            default: break
            }
        }
    }

    /// Answers a packet of the signalling channel (Vol 3, Part A, 4).
    ///
    ///     0  1  code
    ///     1  1  identifier
    ///     2  2  length n
    ///     4  n  parameters
    private mutating func signal(_ payload: [UInt8], on handle: UInt16) {
        var reader = ByteReader(payload)
        guard let code: UInt8 = try? reader.integer("code"),
            let identifier: UInt8 = try? reader.integer("identifier"),
            let length: UInt16 = try? reader.integer("length"),
            // Not answered: answers to requests that we do not send, and credits of channels that we do not have.
            ![0x01, 0x13, 0x15, 0x16, 0x18, 0x1A].contains(code)
        else { return }
        // Command not understood.
        var answer: [UInt8] = [0x01, identifier, 2, 0, 0, 0]
        if var parameters = try? reader.nested("parameters", Int(length)) {
            switch code {
            case 0x12:
                guard let requested = try? RequestedParameters(parsing: &parameters) else { break }
                let granted = links[handle] == nil ? nil : requested.granted(for: linkRequest(of: handle))
                answer = [0x13, identifier, 2, 0, granted == nil ? 1 : 0, 0]
                if let granted { request(.connectionUpdate(handle, LinkSteps(granted)), of: handle) }
            case 0x14:
                // No channel; the multiplexer is not supported.
                answer = [0x15, identifier, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0]
            default: break
            }
        }
        buffers.queue(answer, on: Fixed.signalling, of: handle, counts: false)
    }
}
