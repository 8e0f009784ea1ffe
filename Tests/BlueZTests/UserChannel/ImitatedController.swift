import Bluetooth
import Bytes
import TestSupport

@testable import BlueZ

/// A controller with the filter accept list, composed by hand from Vol 4, Part E. It is strict: what a real
/// one refuses, it refuses.
struct ImitatedController {
    struct Link {
        var peer: [UInt8]
        /// 1 LE 1M, 2 LE 2M, 3 LE Coded.
        var phy: UInt8 = 1
        var inFlight = 0
    }

    // What it is like.
    var isExtended = false
    var listSize: UInt8 = 16
    var mostLinks = 8
    var bufferLength: UInt16 = 27
    var buffers: UInt8 = 4
    /// Active scanning while it waits for connections.
    var canScanWhileConnecting = true
    /// Whether it says so.
    var tellsStates = true
    var features: UInt64 = 0x0920
    var address: [UInt8] = [0x4A, 0xB2, 0x06, 0xDC, 0x1B, 0x00]
    /// Status by opcode, instead of carrying out the command.
    var refusals: [UInt16: UInt8] = [:]
    /// Opcodes that it never answers.
    var mute: Set<UInt16> = []
    var credits: UInt8 = 1
    /// Whether peers answer after a connection.
    var peersAnswer = true
    /// Whether a cancelled procedure ends only with ``endWaiting()``.
    var delaysEnds = false
    /// Whether changes of parameters end only with ``endUpdates()``.
    var delaysUpdates = false

    // Its state.
    private(set) var commands: [UInt16] = []
    private(set) var packets: [[UInt8]] = []
    private(set) var list: [[UInt8]] = []
    private(set) var listHistory: [Int] = []
    private(set) var isWaiting = false
    private(set) var isScanning = false
    private(set) var links: [UInt16: Link] = [:]
    private(set) var data: [(handle: UInt16, first: Bool, bytes: [UInt8])] = []
    /// Violations of the flow control, and the like.
    private(set) var complaints: [String] = []
    private var nextHandle: UInt16 = 0x40
    private var updates: [[UInt8]] = []
    /// Of the links that it waits for.
    private var timeout: ArraySlice<UInt8> = []

    static func event(_ code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        [0x04, code, UInt8(parameters.count)] + parameters
    }

    static func meta(_ code: UInt8, _ parameters: [UInt8]) -> [UInt8] { event(0x3E, [code] + parameters) }

    private func complete(_ opcode: UInt16, _ parameters: [UInt8] = []) -> [UInt8] {
        Self.event(0x0E, [credits] + Packet.word(opcode) + [0] + parameters)
    }

    private func refused(_ opcode: UInt16, _ status: UInt8) -> [UInt8] {
        Self.event(0x0E, [credits] + Packet.word(opcode) + [status])
    }

    private func status(_ opcode: UInt16, _ status: UInt8 = 0) -> [UInt8] {
        Self.event(0x0F, [status, credits] + Packet.word(opcode))
    }

    /// What it answers to a packet of the host.
    mutating func take(_ packet: [UInt8]) -> [[UInt8]] {
        packets.append(packet)
        guard packet.count >= 4 else {
            complaints.append("a packet of \(packet.count) bytes")
            return []
        }
        if packet[0] == 0x02 { return takeData(packet) }
        let opcode = UInt16(packet[1]) | UInt16(packet[2]) << 8
        let parameters = Array(packet[4...])
        if packet[0] != 1 || Int(packet[3]) != parameters.count { complaints.append("packet \(packet)") }
        commands.append(opcode)
        if mute.contains(opcode) { return [] }
        let begins = [0x200D, 0x2043, 0x0406, 0x2016, 0x2013, 0x2032].contains(opcode)
        if let code = refusals[opcode] { return [begins ? status(opcode, code) : refused(opcode, code)] }
        return carryOut(opcode, parameters)
    }

    private mutating func carryOut(_ opcode: UInt16, _ parameters: [UInt8]) -> [[UInt8]] {
        switch opcode {
        case 0x0C03:
            (list, isWaiting, isScanning, links) = ([], false, false, [:])
            return [complete(opcode)]
        case 0x1002:
            var commands = [UInt8](repeating: 0, count: 64)
            commands[37] = isExtended ? 0xE0 : 0x00
            return [complete(opcode, commands)]
        case 0x1005: return [complete(opcode, Packet.word(bufferLength) + [0x40] + [7, 0, 8, 0])]
        case 0x1009: return [complete(opcode, address)]
        case 0x2002: return [complete(opcode, Packet.word(bufferLength) + [buffers])]
        case 0x2003: return [complete(opcode, features.bytes())]
        case 0x200F: return [complete(opcode, [listSize])]
        case 0x201C:
            let states: UInt64 = canScanWhileConnecting || !tellsStates ? 1 << 23 : 0
            return [complete(opcode, states.bytes())]
        case 0x2010, 0x2011, 0x2012: return [changeList(opcode, parameters)]
        case 0x200C, 0x2042:
            guard (opcode == 0x2042) == isExtended else { return [refused(opcode, 0x0C)] }
            guard parameters[0] == 0 || canScanWhileConnecting || !isWaiting else {
                return [refused(opcode, 0x0C)]
            }
            isScanning = parameters[0] == 1
            return [complete(opcode)]
        case 0x200D, 0x2043: return [wait(opcode, parameters)]
        case 0x200E:
            guard isWaiting else { return [refused(opcode, 0x0C)] }
            return [complete(opcode)] + (delaysEnds ? [] : endWaiting())
        case 0x0406: return disconnect(parameters)
        case 0x2016:
            let answer = Self.meta(0x04, [0] + parameters + UInt64(0x0920).bytes())
            return [status(opcode)] + (peersAnswer ? [answer] : [])
        case 0x2013:
            updates.append(Self.meta(0x03, [0] + parameters.prefix(4) + parameters[6..<10]))
            return [status(opcode)] + (delaysUpdates ? [] : endUpdates())
        case 0x2022: return [complete(opcode, Array(parameters.prefix(2)))]
        case 0x2030:
            let handle = UInt16(parameters[0]) | UInt16(parameters[1]) << 8
            let phy = links[handle]?.phy ?? 1
            return [complete(opcode, parameters + [phy, phy])]
        case 0x2032: return [status(opcode), Self.meta(0x0C, [0] + parameters.prefix(2) + [2, 2])]
        default: return [complete(opcode)]
        }
    }

    private mutating func changeList(_ opcode: UInt16, _ parameters: [UInt8]) -> [UInt8] {
        guard !isWaiting else { return refused(opcode, 0x0C) }
        switch opcode {
        case 0x2010: list = []
        case 0x2011:
            guard list.count < Int(listSize) else { return refused(opcode, 0x07) }
            if !list.contains(parameters) { list.append(parameters) }
        default: list.removeAll { $0 == parameters }
        }
        return complete(opcode)
    }

    private mutating func wait(_ opcode: UInt16, _ parameters: [UInt8]) -> [UInt8] {
        guard (opcode == 0x2043) == isExtended, !isWaiting, canScanWhileConnecting || !isScanning else {
            return status(opcode, 0x0C)
        }
        guard links.count < mostLinks else { return status(opcode, 0x09) }
        guard parameters[isExtended ? 0 : 4] == 1 else { return status(opcode, 0x11) }
        isWaiting = true
        timeout = isExtended ? parameters[20..<22] : parameters[19..<21]
        listHistory.append(list.count)
        return status(opcode)
    }

    /// The event of a link: 15 ms, and the requested supervision timeout.
    private func connected(_ peer: [UInt8], _ handle: UInt16, status: UInt8 = 0) -> [UInt8] {
        let steps = [12, 0, 0, 0] + timeout + [0]
        if isExtended {
            let resolved = [UInt8](repeating: 0, count: 12)
            return Self.meta(
                0x0A, [status] + Packet.word(handle) + [0] + peer + resolved + steps)
        }
        return Self.meta(0x01, [status] + Packet.word(handle) + [0] + peer + steps)
    }

    private mutating func disconnect(_ parameters: [UInt8]) -> [[UInt8]] {
        let handle = UInt16(parameters[0]) | UInt16(parameters[1]) << 8
        guard links.removeValue(forKey: handle) != nil else { return [status(0x0406, 0x02)] }
        return [status(0x0406), Self.event(0x05, [0] + Packet.word(handle) + [0x16])]
    }

    private mutating func takeData(_ packet: [UInt8]) -> [[UInt8]] {
        let field = UInt16(packet[1]) | UInt16(packet[2]) << 8
        let handle = field & 0x0FFF
        let bytes = Array(packet[5...])
        if links[handle] == nil { complaints.append("data for a link that does not exist") }
        if bytes.count > Int(bufferLength) { complaints.append("\(bytes.count) bytes in one buffer") }
        links[handle]?.inFlight += 1
        if links.values.reduce(0, { $0 + $1.inFlight }) > Int(buffers) { complaints.append("no free buffer") }
        data.append((handle, field >> 12 == 0, bytes))
        return []
    }

    // MARK: What happens on the air

    /// A cancelled procedure ends.
    mutating func endWaiting() -> [[UInt8]] {
        isWaiting = false
        return [connected([UInt8](repeating: 0, count: 7), 0, status: 0x02)]
    }

    /// The changes of parameters that are under way end.
    mutating func endUpdates() -> [[UInt8]] {
        defer { updates = [] }
        return updates
    }

    /// A peer advertises: a report if it scans, a link on the PHY of the advertisement if it waits for that peer.
    mutating func advertise(_ peer: DeviceAddress, on phy: UInt8 = 1) -> [[UInt8]] {
        let address = [peer.kind == .public ? 0 : 1] + peer.bytes.reversed()
        if isWaiting, list.contains(address) {
            isWaiting = false
            nextHandle += 1
            links[nextHandle] = Link(peer: address, phy: phy)
            return [connected(address, nextHandle)]
        }
        guard isScanning else { return [] }
        guard isExtended else { return [Self.meta(0x02, [1, 0] + address + [3, 2, 1, 6, 0xC4])] }
        return [Self.extendedReport(address, type: phy == 1 ? 0x13 : 0x01, phy: phy, data: [2, 1, 6])]
    }

    static func extendedReport(_ address: [UInt8], type: UInt16, phy: UInt8 = 1, data: [UInt8]) -> [UInt8] {
        let rest: [UInt8] = [phy, phy == 1 ? 0 : 3, 1, 127, 0xC4, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        return meta(0x0D, [1] + Packet.word(type) + address + rest + [UInt8(data.count)] + data)
    }

    /// A link is lost.
    mutating func lose(_ handle: UInt16, _ reason: UInt8 = 0x08) -> [[UInt8]] {
        links[handle] = nil
        return [Self.event(0x05, [0] + Packet.word(handle) + [reason])]
    }

    /// The peer has acknowledged everything of a link.
    mutating func acknowledge(_ handle: UInt16) -> [[UInt8]] {
        guard let count = links[handle]?.inFlight, count > 0 else { return [] }
        links[handle]?.inFlight = 0
        return [Self.event(0x13, [1] + Packet.word(handle) + [UInt8(count), 0])]
    }

    /// A packet of the peer, in parts of this length.
    static func packet(
        _ payload: [UInt8], on channel: UInt16 = 4, of handle: UInt16, inPartsOf length: Int = 27
    ) -> [[UInt8]] {
        let whole = Packet.word(UInt16(payload.count)) + Packet.word(channel) + payload
        return stride(from: 0, to: whole.count, by: length).map { start in
            let part = Array(whole[start..<min(start + length, whole.count)])
            let head = handle | (start == 0 ? 0x2000 : 0x1000)
            return [0x02] + Packet.word(head) + Packet.word(UInt16(part.count)) + part
        }
    }

    func handle(of peer: DeviceAddress) -> UInt16? {
        links.first { $0.value.peer.dropFirst() == peer.bytes.reversed()[...] }?.key
    }
}

/// A host and an imitated controller, which pass each other packets until neither has more.
struct HostBench {
    var host: UserChannelHost
    var controller: ImitatedController
    var now = Duration.zero
    private(set) var events: [UserChannelHost.Event] = []
    /// Packets for the controller that wait, to make a test of a race.
    var isHeld = false
    private var held: [[UInt8]] = []

    static let fallback = DeviceAddress([0xC0, 1, 2, 3, 4, 5] as [UInt8], .random)

    init(_ controller: ImitatedController = ImitatedController(), starting: Bool = true) {
        self.controller = controller
        host = UserChannelHost(
            name: "hci1",
            fallbackAddress: Self.fallback ?? { preconditionFailure("six bytes are an address") }())
        guard starting else { return }
        host.start(at: now)
        settle()
    }

    mutating func settle() {
        for _ in 0..<10_000 {
            let (packets, events) = host.output()
            self.events += events
            held += packets
            guard !isHeld, !held.isEmpty else { return }
            let waiting = held
            held = []
            for packet in waiting {
                for answer in controller.take(packet) { host.receive(answer, at: now) }
            }
        }
        preconditionFailure("host and controller do not come to rest")
    }

    /// The controller says something.
    mutating func hear(_ packets: [[UInt8]]) {
        for packet in packets { host.receive(packet, at: now) }
        settle()
    }

    mutating func advertise(_ peer: DeviceAddress, on phy: UInt8 = 1) {
        hear(controller.advertise(peer, on: phy))
    }

    /// Time passes, deadline by deadline.
    mutating func pass(_ length: Duration) {
        let end = now + length
        while let next = host.deadline, next <= end {
            now = max(now, next)
            host.advance(to: now)
            settle()
        }
        now = end
    }

    mutating func open(
        _ peer: DeviceAddress, priority: Int = 0, interval: Duration = .milliseconds(15),
        within limit: Duration = .seconds(30)
    ) -> UInt64 {
        let ticket = host.open(
            peer, asking: LinkRequest(interval: interval, priority: priority), by: now + limit, at: now)
        settle()
        return ticket
    }

    /// The link of a ticket, once it is open.
    func link(_ ticket: UInt64) -> UInt64? {
        for case .opened(ticket, let link) in events { return link }
        return nil
    }

    /// Takes a link to `peer`, with its handle.
    mutating func connect(
        _ peer: DeviceAddress, on phy: UInt8 = 1
    ) throws -> (link: UInt64, handle: UInt16) {
        struct NoLink: Error {}
        let ticket = open(peer)
        advertise(peer, on: phy)
        guard let link = link(ticket), let handle = controller.handle(of: peer) else { throw NoLink() }
        return (link, handle)
    }

    static func peer(_ number: UInt8, _ kind: DeviceAddress.Kind = .random) -> DeviceAddress {
        DeviceAddress([0xF0, 0x0D, 0xBE, 0xAC, 0x00, number] as [UInt8], kind)
            ?? { preconditionFailure("six bytes are an address") }()
    }
}
