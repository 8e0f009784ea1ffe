import Bytes

/// The fault injector for the Attribute Protocol of one link: it changes packets, and has no clock and no I/O.
struct AttributeFaultInjector: Sendable {
    struct ForgedReply: Equatable, Sendable {
        var packets: [[UInt8]]
        var delay = Duration.zero
    }

    private static let longest = 600
    private static let leastMTU = 23
    private static let strangeHandle: [UInt8] = [0xF0, 0xFF]
    private static let lists: Set<UInt8> = [0x04, 0x08, 0x10]

    private var attributeFaults: Set<AttributeFault> = []
    private var request: [UInt8] = []
    private var mtu = leastMTU
    /// The handle of the value whose configuration was written last, as 2 bytes; nil before that.
    private var subscribed: [UInt8]?
    private var firstLists: [UInt8: [UInt8]] = [:]
    private var floods = 0

    /// The response to a packet from the client, instead of the server's; nil to pass the packet on.
    mutating func answer(_ packet: [UInt8], _ attributeFaults: Set<AttributeFault>) -> [UInt8]? {
        self.attributeFaults = attributeFaults
        guard let opcode = packet.first, opcode & 0x41 == 0, opcode != 0x1E else { return nil }
        request = packet
        switch opcode {
        case 0x02 where packet.count == 3: mtu = max(Self.leastMTU, min(247, packet.field(1, 2)))
        case 0x12 where packet.count == 5: subscribed = Self.word(packet.field(1, 2) - 1)
        default: break
        }
        for case .refusals(let code) in attributeFaults { return [0x01, opcode] + handle + [code] }
        if attributeFaults.contains(.backwards), let first = firstLists[opcode] { return first }
        if attributeFaults.contains(.endlessValues), opcode == 0x0A || opcode == 0x0C {
            return [opcode + 1] + [UInt8](repeating: 0xFF, count: mtu - 1)
        }
        return inventedAttributes()
    }

    /// What the client gets instead of the server's `packet`.
    mutating func reply(with packet: [UInt8]) -> ForgedReply {
        guard let asked = request.first, packet.first == asked + 1 || packet.starts(with: [0x01, asked])
        else { return ForgedReply(packets: [packet]) }
        if Self.lists.contains(asked), packet.first != 0x01, firstLists[asked] == nil {
            firstLists[asked] = packet
        }
        var reply = ForgedReply(packets: [altered(packet)])
        for case .lateAnswers(let delay) in attributeFaults { reply.delay = delay }
        if attributeFaults.contains(.doubleAnswers) { reply.packets += reply.packets }
        if attributeFaults.contains(.unaskedAnswers) { reply.packets.insert([0x13], at: 0) }
        let foreign: [UInt8] = [0x01, asked == 0x0A ? 0x08 : 0x0A] + handle + [0x0E]
        if attributeFaults.contains(.onlyForeignErrors) { reply.packets = [foreign] }
        if attributeFaults.contains(.foreignErrors) { reply.packets.insert(foreign, at: 0) }
        return reply
    }

    mutating func flood() -> [UInt8]? {
        floods += 1
        var kinds: [[UInt8]] = []
        if attributeFaults.contains(.strangeNotifications) {
            kinds += [[0x1B] + Self.strangeHandle + [UInt8](repeating: 0xEE, count: 17), [0x1B, 0x00]]
        }
        if attributeFaults.contains(.senselessNotifications), let subscribed {
            kinds.append([0x1B] + subscribed + [0xEE])
        }
        if attributeFaults.contains(.indications) { kinds.append([0x1D] + Self.strangeHandle + [0xEE]) }
        if attributeFaults.contains(.requests) {
            kinds += [
                [0x02, 0x00, 0x00], [0x08, 0x01, 0x00, 0xFF, 0xFF, 0x03, 0x28], [0x0A, 0x03, 0x00], [0x20],
                [0x02],
            ]
        }
        return kinds.isEmpty ? nil : kinds[floods % kinds.count]
    }

    private var handle: [UInt8] { request.count >= 3 ? Array(request[1...2]) : [0, 0] }

    private static func word(_ number: Int) -> [UInt8] {
        UInt16(truncatingIfNeeded: number).bytes()
    }

    /// A list of invented attributes, from the first handle of the request on.
    private func inventedAttributes() -> [UInt8]? {
        guard let opcode = request.first, Self.lists.contains(opcode), request.count >= 5 else { return nil }
        let first = request.field(1, 2)
        let last = request.field(3, 2)
        guard first > 0, first <= last else { return nil }
        switch opcode {
        case 0x10 where attributeFaults.contains(.manyServices):
            return list([0x11, 6], first...last) { $0 + $0 + $1 }
        case 0x08 where attributeFaults.contains(.manyAttributes) && request.suffix(2) == [0x03, 0x28]:
            return list([0x09, 7], first...last) { $0 + [0x12] + $0 + $1 }
        case 0x04 where attributeFaults.contains(.manyAttributes):
            return list([0x05, 1], first...last) { handle, _ in handle + [0x01, 0x29] }
        default: return nil
        }
    }

    private func list(
        _ header: [UInt8], _ handles: ClosedRange<Int>, _ entry: ([UInt8], [UInt8]) -> [UInt8]
    ) -> [UInt8] {
        var answer = header
        for number in handles {
            let next = entry(Self.word(number), Self.word(0x4000 | number & 0x3FFF))
            guard answer.count + next.count <= mtu else { break }
            answer += next
            if attributeFaults.contains(.oneEntryAnAnswer) { break }
        }
        return answer
    }

    private func altered(_ packet: [UInt8]) -> [UInt8] {
        var packet = packet
        if packet[0] == 0x03 {
            for case .mtu(let number) in attributeFaults { packet = [0x03] + Self.word(Int(number)) }
        }
        if var list = AttributeList(packet) {
            if attributeFaults.contains(.oneEntryAnAnswer) { list.entries = Array(list.entries.prefix(1)) }
            if attributeFaults.contains(.equalUUIDs) { list.repeatFirstUUID() }
            if attributeFaults.contains(.manyAttributes) { list.extendLastGroup() }
            for case .listHandles(let number) in attributeFaults { list.set(handles: Self.word(Int(number))) }
            for case .entryLength(let number) in attributeFaults { list.secondByte = number }
            packet = list.bytes
        }
        if attributeFaults.contains(.shortAnswers) { packet = Array(packet.prefix(1)) }
        if attributeFaults.contains(.longAnswers) {
            packet += [UInt8](repeating: 0, count: max(0, Self.longest - packet.count))
        }
        if attributeFaults.contains(.wrongOpcodes) { packet[0] = packet[0] == 0x0B ? 0x13 : 0x0B }
        return packet
    }
}

/// A response that lists attributes, in entries of equal length.
///
/// | opcode | second byte | entry |
/// |---|---|---|
/// | 0x05 | 1: UUIDs of 2 bytes, 2: of 16 bytes | handle, UUID |
/// | 0x09 | length of an entry | handle, value; that of a declaration: properties, value handle, UUID |
/// | 0x11 | length of an entry | first handle, last handle, UUID |
private struct AttributeList {
    let opcode: UInt8
    var secondByte: UInt8
    var entries: [[UInt8]]

    init?(_ packet: [UInt8]) {
        guard packet.count > 2, [0x05, 0x09, 0x11].contains(packet[0]) else { return nil }
        let length = packet[0] == 0x05 ? (packet[1] == 1 ? 4 : 18) : Int(packet[1])
        guard length >= 4 else { return nil }
        opcode = packet[0]
        secondByte = packet[1]
        entries = stride(from: 2, to: packet.count, by: length).map {
            Array(packet[$0..<min($0 + length, packet.count)])
        }
    }

    var bytes: [UInt8] { [opcode, secondByte] + entries.joined() }
    private var uuid: Int { opcode == 0x11 ? 4 : opcode == 0x09 ? 5 : 2 }

    mutating func repeatFirstUUID() {
        guard let first = entries.first, first.count > uuid else { return }
        for place in entries.indices where entries[place].count == first.count {
            entries[place].replaceSubrange(uuid..., with: first[uuid...])
        }
    }

    mutating func set(handles: [UInt8]) {
        for place in entries.indices {
            entries[place].replaceSubrange(0..<2, with: handles)
            if opcode == 0x11 { entries[place].replaceSubrange(2..<4, with: handles) }
            if opcode == 0x09, entries[place].count >= 5 {
                entries[place].replaceSubrange(3..<5, with: handles)
            }
        }
    }

    mutating func extendLastGroup() {
        guard opcode == 0x11, let last = entries.indices.last else { return }
        entries[last].replaceSubrange(2..<4, with: [0xFF, 0xFF])
    }
}
