import Bluetooth
import Simulation

/// A Feasycom beacon on a bench: raw packets to known handles, and time that passes on request.
struct FBeaconBench {
    var device: FBeaconDevice
    var now = Duration.zero
    /// The values from FFF1, with their times.
    var heard: [(at: Duration, value: [UInt8])] = []
    var isLinked = false
    /// The time before which nothing starts.
    var programStart = Duration.zero
    private var server: AttributeServer
    private var pending: [(due: Duration, reaction: BeaconReaction)] = []
    private var mtu = 247

    // Handles in the order of the table.
    static let configuration: UInt8 = 12
    static let commands: UInt8 = 14

    struct Failure: Error {}

    static func description(_ change: (inout FBeaconDescription) -> Void = { _ in }) throws
        -> FBeaconDescription
    {
        guard let address = DeviceAddress("DD:34:02:06:5B:5C") else { throw Failure() }
        var description = FBeaconDescription(address: address)
        description.timing = .instant
        description.entry.staysConnected = true
        change(&description)
        return description
    }

    init(
        _ faults: [FBeaconFault] = [], _ change: (inout FBeaconDescription) -> Void = { _ in }
    ) throws {
        try self.init(all: faults.map { .fbeacon($0) }, change)
    }

    init(
        all faults: [Fault], retained: [UInt8]? = nil,
        _ change: (inout FBeaconDescription) -> Void = { _ in }
    ) throws {
        device = try FBeaconDevice(Self.description(change), faults: faults, retained: retained, at: .zero)
        server = device.connect(at: .zero)
    }

    // MARK: Links

    /// A link with this MTU, optionally subscribed to FFF1.
    mutating func connect(mtu: Int = 247, listens: Bool = true) {
        pass(until: programStart)
        server = device.connect(at: now)
        self.mtu = mtu
        isLinked = true
        request([0x02, UInt8(mtu & 0xFF), UInt8(mtu >> 8)])
        if listens { request([0x12, Self.configuration, 0, 1, 0]) }
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

    // MARK: Packets

    mutating func request(_ packet: [UInt8]) {
        for reaction in device.receive(packet, by: &server, at: now) { take(reaction) }
        switch device.linkFault() {
        case .cut: disconnect()
        case .powerLoss: powerCycle()
        case nil: break
        }
        pass(for: .zero)
    }

    /// Writes to FFF2: as commands, in the largest possible pieces.
    mutating func write(_ bytes: [UInt8]) {
        for start in stride(from: 0, to: bytes.count, by: mtu - 3) where isLinked {
            request([0x52, Self.commands, 0] + bytes[start..<min(start + mtu - 3, bytes.count)])
        }
    }

    /// Writes `bytes`; returns what was sent within `time`.
    mutating func ask(_ bytes: [UInt8], within time: Duration = .milliseconds(10)) -> [UInt8] {
        let before = heard.count
        write(bytes)
        pass(for: time)
        return heard[before...].flatMap(\.value)
    }

    mutating func ask(_ text: String) -> String {
        String(decoding: ask(Array(text.utf8)), as: UTF8.self)
    }

    /// What is sent without a request within `time`.
    mutating func listen(for time: Duration) -> [UInt8] { ask([], within: time) }

    // MARK: Time

    mutating func pass(for time: Duration) { pass(until: now + time) }

    mutating func pass(until limit: Duration) {
        while let (moment, index) = next, moment <= limit {
            now = max(now, moment)
            if let index {
                carryOut(pending.remove(at: index).reaction)
            } else if let due = device.inactivityDeadline, due <= now {
                powerCycle()
            } else {
                for reaction in device.announce(by: &server, at: now) { take(reaction) }
            }
        }
        now = max(now, limit)
    }

    private var next: (Duration, Int?)? {
        let waiting = pending.indices.min { pending[$0].due < pending[$1].due }
        let own = [isLinked ? device.announcementDue : nil, device.inactivityDeadline]
            .compactMap(\.self).min()
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
