import Bluetooth
import Bytes
import CBluez
import Glibc
import Synchronization

/// A controller's raw HCI channel: one command at a time, and the state of links from its events.
///
/// The kernel sends commands too, so this channel sends only commands that the kernel does not send at the same time.
/// `run` is the receive loop.
final class HCIChannel: Sendable {
    /// How long a controller may take to begin a command.
    static let commandLimit = Duration.seconds(2)
    /// How long a procedure between both ends may take: the limit is six intervals of up to 4 s, but our links
    /// have short ones.
    static let procedureLimit = Duration.seconds(5)

    /// The status with which an event completes a command; nil for any other event.
    typealias Completion = @Sendable (HCIEvent) -> HCIStatus?

    private struct State: Sendable {
        var pending: (opcode: UInt16, answer: OneShot<(HCIStatus, [UInt8])>)?
        var awaited: (completion: Completion, status: OneShot<HCIStatus>)?
        var table = LinkTable()
        var isClosed = false
    }

    private let bearer: any Bearer
    private let time: Timekeeper
    private let state = Mutex(State())
    private let turns = FIFOLock()
    private let observe: @Sendable (HCIEvent, LinkTable) -> Void
    private let repeatRequest: @Sendable (UInt16, LinkRequest) -> Void

    /// A channel over an open HCI socket. `observe` is called with every event, and the links before it;
    /// `repeatRequest` if a request has to be repeated on the link with a handle.
    init(
        bearer: any Bearer, time: Timekeeper,
        observing observe: @escaping @Sendable (HCIEvent, LinkTable) -> Void = { _, _ in },
        repeating repeatRequest: @escaping @Sendable (UInt16, LinkRequest) -> Void = { _, _ in }
    ) {
        (self.bearer, self.time) = (bearer, time)
        (self.observe, self.repeatRequest) = (observe, repeatRequest)
    }

    var links: [UInt16: LinkTable.Link] { state.withLock { $0.table.links } }

    func link(_ handle: UInt16) -> LinkTable.Link? { state.withLock { $0.table.links[handle] } }

    func note(_ linkRequest: LinkRequest, for handle: UInt16) {
        state.withLock { $0.table.note(linkRequest, for: handle) }
    }

    /// Receives until the channel is closed or the controller is gone.
    func run() async {
        while let packet = try? await bearer.receive() {
            var reader = ByteReader(packet)
            guard let event = try? HCIEvent(parsing: &reader) else { continue }
            receive(event)
        }
        let state = state.withLock { state in
            state.isClosed = true
            state.table = LinkTable()
            return state
        }
        state.pending?.answer.resolve(nil)
        state.awaited?.status.resolve(nil)
    }

    private func receive(_ event: HCIEvent) {
        let (before, again, pending, awaited) = state.withLock { state in
            let before = state.table
            let again = state.table.requestToRepeat(after: event)
            state.table.note(event)
            return (before, again, state.pending, state.awaited)
        }
        observe(event, before)
        if let again { repeatRequest(again.handle, again.linkRequest) }
        if let answer = event.answer, answer.opcode == pending?.opcode {
            pending?.answer.resolve((answer.status, answer.parameters))
        } else if let awaited, let status = awaited.completion(event) {
            awaited.status.resolve(status)
        }
    }

    /// Carries out `command`; returns its return parameters after the status.
    @discardableResult func perform(_ command: HCICommand) async throws(HCIError) -> ByteReader {
        do { try await turns.acquire() } catch { throw .cancelled }
        defer { turns.release() }
        return try await answer(to: command)
    }

    /// Carries out `command` until it is complete: until an event for which `completion` returns a status, or the end of
    /// the link.
    func perform(_ command: HCICommand, until completion: @escaping Completion) async throws(HCIError) {
        do { try await turns.acquire() } catch { throw .cancelled }
        defer { turns.release() }
        let end = OneShot<HCIStatus>()
        let handle = command.handle
        // Set before the command is sent: its completion may arrive together with its status.
        state.withLock {
            $0.awaited = (
                { event in
                    if case .disconnectionComplete(handle, let reason) = event {
                        reason
                    } else {
                        completion(event)
                    }
                }, end
            )
        }
        defer { state.withLock { $0.awaited = nil } }
        _ = try await answer(to: command)
        let status = try await value(of: end, within: Self.procedureLimit, of: command)
        guard status == .success else { throw .refused(status, command: command.name) }
    }

    private func answer(to command: HCICommand) async throws(HCIError) -> ByteReader {
        let answer = OneShot<(HCIStatus, [UInt8])>()
        let isClosed = state.withLock { state in
            state.pending = (command.opcode, answer)
            return state.isClosed
        }
        defer { state.withLock { $0.pending = nil } }
        guard !isClosed else { throw .closed }
        do throws(BearerError) { try await bearer.send(command.packet) } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .system(_, errno: EPERM): throw .notPermitted
            case .closed, .system: throw .closed
            }
        }
        let (status, parameters) = try await value(of: answer, within: Self.commandLimit, of: command)
        guard status == .success else { throw .refused(status, command: command.name) }
        return ByteReader(parameters)
    }

    private func value<Value: Sendable>(
        of signal: OneShot<Value>, within limit: Duration, of command: HCICommand
    ) async throws(HCIError) -> Value {
        let value: Value??
        do { value = try await time.within(limit) { await signal.value() } } catch { throw .cancelled }
        switch value {
        case .some(.some(let value)): return value
        case .some(.none): throw Task.isCancelled ? .cancelled : .closed
        case .none: throw .noAnswer(command: command.name)
        }
    }
}

enum HCIError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The controller refused, or the command completed with an error.
    case refused(HCIStatus, command: String)
    case noAnswer(command: String)
    /// `CAP_NET_RAW` is missing.
    case notPermitted
    case closed, cancelled

    var description: String {
        switch self {
        case .refused(let status, let command): "\(command): \(status)"
        case .noAnswer(let command): "the controller does not answer \(command)"
        case .notPermitted: "CAP_NET_RAW is missing"
        case .closed: "the HCI channel is closed"
        case .cancelled: "cancelled"
        }
    }
}

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

extension PacketSocket {
    /// A socket on the kernel's management channel: one that was opened when the program began, or a new one.
    ///
    /// Binding needs no capability. But most commands need `CAP_NET_ADMIN` to have been in effect when it was bound.
    static func management(readiness: any DescriptorReadiness) throws(SocketError) -> any Bearer {
        if let lent = try BluetoothPrivileges.management(readiness: readiness) { return lent }
        return try PacketSocket(adopting: try managementDescriptor(), readiness: readiness)
    }

    static func managementDescriptor() throws(SocketError) -> Int32 {
        try descriptor(on: HCI_CHANNEL_CONTROL, of: UInt16(HCI_DEV_NONE))
    }

    /// A socket of the kernel's Bluetooth on `channel` of controller `index`, with the events that `filter` admits.
    static func descriptor(
        on channel: Int32, of index: UInt16, admitting filter: hci_filter? = nil
    ) throws(SocketError) -> Int32 {
        let descriptor = socket(bluetooth_family, bluetooth_management_socket_type, BTPROTO_HCI)
        guard descriptor >= 0 else { throw SocketError(call: "socket", errno: errno) }
        var address = sockaddr_hci()
        address.hci_family = sa_family_t(bluetooth_family)
        address.hci_dev = index
        address.hci_channel = UInt16(channel)
        var failed: String?
        if var filter {
            let size = socklen_t(MemoryLayout<hci_filter>.size)
            if setsockopt(descriptor, hci_level, HCI_FILTER, &filter, size) != 0 { failed = "setsockopt" }
        }
        if failed == nil, withAddress(&address, { bind(descriptor, $0, $1) }) != 0 { failed = "bind" }
        guard let failed else { return descriptor }
        let error = SocketError(call: failed, errno: errno)
        _ = Glibc.close(descriptor)
        throw error
    }

    /// A socket on the raw channel of controller `index`, with the events that `HCIEvent` reads.
    ///
    /// Opening needs no capability; without `CAP_NET_RAW` the kernel passes on no LE events and refuses LE
    /// commands with `EPERM`. The controller's number stays reserved while the socket is open (kernel
    /// `hci_release_dev` in `net/bluetooth/hci_core.c`).
    static func hci(_ index: UInt16, readiness: any DescriptorReadiness) throws(SocketError) -> PacketSocket {
        var filter = hci_filter()
        filter.type_mask = 1 << 4
        filter.event_mask = (1 << 0x05 | 1 << 0x0E | 1 << 0x0F, 1 << (0x3E - 32))
        let descriptor = try descriptor(on: HCI_CHANNEL_RAW, of: index, admitting: filter)
        return try PacketSocket(adopting: descriptor, readiness: readiness)
    }
}
