import Bluetooth
import Bytes
import TestSupport

@testable import Simulation

/// A beacon with MCUboot on a bench: raw packets over a link, and time that passes on request.
struct SMPBench {
    var device: MCUbootDevice
    var now = Duration.zero
    /// The values of the SMP characteristic, with their times.
    var heard: [(at: Duration, value: [UInt8])] = []
    var isLinked = false
    /// The time before which nothing starts.
    var programStart = Duration.zero
    private var server: AttributeServer
    private var pending: [(due: Duration, reaction: BeaconReaction)] = []
    private var sequence: UInt8 = 0

    struct Failure: Error {}

    static func description(_ change: (inout MCUbootDescription) -> Void = { _ in }) throws
        -> MCUbootDescription
    {
        guard let address = DeviceAddress("F0:0D:BE:AC:50:00") else { throw Failure() }
        var description = MCUbootDescription(address: address)
        description.timing = .instant
        description.slotSize = 32 * 1024
        change(&description)
        return description
    }

    init(
        _ faults: [MCUbootFault] = [], retained: [UInt8]? = nil, links: Bool = true,
        _ change: (inout MCUbootDescription) -> Void = { _ in }
    ) throws {
        device = try MCUbootDevice(
            Self.description(change), faults: faults.map { .mcuboot($0) }, retained: retained, at: .zero)
        server = device.connect(at: .zero)
        programStart = retained == nil ? .zero : device.startTime
        if links { connect() }
    }

    // MARK: Links

    mutating func connect(mtu: UInt16 = 247, listens: Bool = true) {
        pass(until: programStart)
        server = device.connect(at: now)
        isLinked = true
        request([0x02] + mtu.bytes())
        if listens { subscribe(1) }
    }

    mutating func subscribe(_ bits: UInt8) {
        guard let handle = handle(1) else { return }
        request([0x12] + handle.bytes() + [bits, 0])
    }

    /// The handle of the SMP characteristic's value, or one after it.
    private func handle(_ offset: UInt16 = 0) -> UInt16? {
        server.attributes.first { $0.type == AttributeTable.smpCharacteristic }.map { $0.handle + offset }
    }

    mutating func disconnect() {
        guard isLinked else { return }
        isLinked = false
        pending.removeAll { if case .reset = $0.reaction { false } else { true } }
        if let due = device.disconnect(at: now) { pending.append((due, .reset(at: due))) }
        pass(for: .zero)
    }

    mutating func powerCycle() {
        isLinked = false
        pending = []
        programStart = now + device.reset(at: now)
    }

    /// Resets, and connects when it is up again.
    mutating func restart() {
        powerCycle()
        connect()
    }

    // MARK: Packets

    mutating func request(_ packet: [UInt8]) {
        for reaction in device.receive(packet, by: &server, at: now) { take(reaction) }
        pass(for: .zero)
    }

    /// Writes a frame, or a piece of one.
    mutating func write(_ bytes: [UInt8]) {
        guard isLinked, let handle = handle() else { return }
        request([0x52] + handle.bytes() + bytes)
    }

    static func frame(
        _ operation: UInt8, _ group: UInt16, _ command: UInt8, _ map: SMPMap = [:], sequence: UInt8 = 0
    ) -> [UInt8] {
        let body = map.encoded(.definite)
        return [operation, 0] + UInt16(body.count).bytes(.big) + group.bytes(.big) + [sequence, command]
            + body
    }

    /// The answers that come within `time`, put together.
    mutating func answers(to frame: [UInt8], within time: Duration = .seconds(1)) -> [SMPAnswer] {
        let before = heard.count
        write(frame)
        pass(for: time)
        return SMPAnswer.list(heard[before...].flatMap(\.value))
    }

    /// The map of the answer to a request of version 2; nil without one.
    mutating func ask(_ operation: UInt8, _ group: UInt16, _ command: UInt8, _ map: SMPMap = [:]) -> SMPMap? {
        sequence &+= 1
        let frame = Self.frame(operation, group, command, map, sequence: sequence)
        return answers(to: frame).last { $0.header.sequence == sequence }?.map
    }

    // MARK: Requests

    static let read: UInt8 = 0x08
    static let write: UInt8 = 0x0A

    mutating func state() -> [String] { Self.lines(ask(Self.read, 1, 0)) }

    /// One line for each slot with an image: image, slot, version and flags.
    static func lines(_ map: SMPMap?) -> [String] {
        (map?["images"]?.list ?? []).compactMap(\.map).map { entry in
            let flags = ["pending", "confirmed", "active", "permanent"].filter { entry[$0]?.truth == true }
            let place = "\(entry["image"]?.number ?? 0).\(entry["slot"]?.number ?? -1)"
            return ([place, entry["version"]?.text ?? ""] + flags).joined(separator: " ")
        }
    }

    mutating func mark(_ file: [UInt8]?, confirm: Bool) -> SMPMap? {
        var map = SMPMap()
        if let file { map.append("hash", .bytes(Self.hash(file))) }
        map.append("confirm", .truth(confirm))
        return ask(Self.write, 1, 0, map)
    }

    static func hash(_ file: [UInt8]) -> [UInt8] {
        MCUbootImage(in: file.count) { Array(file[$0]) }?.hash ?? []
    }

    static func first(_ file: [UInt8], _ count: Int, image: Int? = nil, sha: [UInt8]? = nil) -> SMPMap {
        var map: SMPMap = [
            "off": .number(0), "len": .number(file.count), "data": .bytes(Array(file.prefix(count))),
            "sha": .bytes(sha ?? SHA256Digest.digest(file)),
        ]
        if let image { map.append("image", .number(image)) }
        return map
    }

    static func chunk(_ file: [UInt8], _ offset: Int, _ count: Int) -> SMPMap {
        ["off": .number(offset), "data": .bytes(Array(file.dropFirst(offset).prefix(count)))]
    }

    /// A whole upload, which follows the offsets of the answers; returns the last answer.
    mutating func upload(_ file: [UInt8], image: Int? = nil, chunk: Int = 128) -> SMPMap? {
        var answer = ask(Self.write, 1, 1, Self.first(file, chunk, image: image))
        for _ in 0..<file.count {
            guard let offset = answer?["off"]?.number, offset < file.count else { return answer }
            answer = ask(
                Self.write, 1, 1,
                offset == 0
                    ? Self.first(file, chunk, image: image) : Self.chunk(file, offset, chunk))
        }
        return answer
    }

    /// Upload, test, reset, and a link to what runs then.
    mutating func update(_ file: [UInt8], confirming: Bool = false) {
        _ = upload(file)
        _ = mark(file, confirm: confirming)
        _ = ask(Self.write, 0, 5)
        connect()
    }

    var errors: [String] { device.brokenRules.map(\.id) }

    // MARK: Time

    mutating func pass(for time: Duration) { pass(until: now + time) }

    mutating func pass(until limit: Duration) {
        while let (moment, index) = next, moment <= limit {
            now = max(now, moment)
            if let index {
                carryOut(pending.remove(at: index).reaction)
            } else {
                for reaction in device.announce(by: &server, at: now) { take(reaction) }
            }
        }
        now = max(now, limit)
    }

    private var next: (Duration, Int?)? {
        let waiting = pending.indices.min { pending[$0].due < pending[$1].due }
        let own = isLinked ? device.announcementDue : nil
        if let waiting, pending[waiting].due <= own ?? pending[waiting].due {
            return (pending[waiting].due, waiting)
        }
        return own.map { ($0, nil) }
    }

    private mutating func take(_ reaction: BeaconReaction) {
        let due =
            switch reaction {
            case .send(_, let due), .notify(_, _, _, let due), .disconnect(let due), .reset(let due): due
            }
        pending.append((due, reaction))
    }

    private mutating func carryOut(_ reaction: BeaconReaction) {
        switch reaction {
        case .send: break
        case .notify(let value, let source, _, _):
            guard isLinked, let packet = server.notification(value, from: source) else { return }
            heard.append((now, Array(packet.dropFirst(3))))
        case .disconnect: disconnect()
        case .reset: powerCycle()
        }
    }
}

/// An answer, put together from notifications.
struct SMPAnswer {
    let header: SMPHeader
    let bytes: [UInt8]
    var map: SMPMap? { SMPValue(decoding: bytes.dropFirst(SMPHeader.size))?.map }

    static func list(_ bytes: [UInt8]) -> [SMPAnswer] {
        var rest = bytes[...]
        var list: [SMPAnswer] = []
        while let header = SMPHeader(rest), rest.count >= header.frameSize {
            list.append(SMPAnswer(header: header, bytes: Array(rest.prefix(header.frameSize))))
            rest = rest.dropFirst(header.frameSize)
        }
        return list
    }
}

extension SMPMap {
    /// The error of a group, as `group.code`; nil for none.
    var groupError: String? {
        self["err"]?.map.map { "\($0["group"]?.number ?? -1).\($0["rc"]?.number ?? -1)" }
    }
    var code: Int? { self["rc"]?.number }
    var offset: Int? { self["off"]?.number }
}

/// Images of the tests, made field by field.
enum SMPImages {
    static func file(_ version: String, _ count: Int = 3000, key: [UInt8]? = nil) -> [UInt8] {
        MCUbootFirmware(version: version, payload: (0..<count).map { UInt8($0 % 251) }, keyHash: key).file
    }

    static let next = file("1.1.0")

    /// `file` with one byte of its code changed.
    static func damaged(_ file: [UInt8]) -> [UInt8] {
        var file = file
        file[100] ^= 1
        return file
    }
}
