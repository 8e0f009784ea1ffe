import Bluetooth
import Bytes
import Simulation

/// An upload over SMP without unnecessary waits, played against the simulated beacon itself.
///
/// It knows the limits that a client learns: the longest frame, and the most requests under way. The first request is
/// alone; then a request leaves as soon as an answer frees its buffer.
struct PerfectSMPSender {
    /// The limits of a client.
    struct Limits {
        /// Bytes of the longest frame, and of the longest write.
        let frame: Int
        let write: Int
        /// The most requests under way.
        let window: Int
    }

    /// A packet that is ready this soon after another one was on the air is sent as if it had waited behind that: the
    /// simulated link does the same.
    private static let slack = Duration.milliseconds(1)
    private static let findService: [UInt8] = [0x06, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28]

    /// When the last answer came.
    private(set) var now = Duration.zero
    private(set) var requests = 0
    /// The events that all packets take if none of them waits.
    private(set) var carrying = Duration.zero

    private var up: ConnectionEvents
    private var down: ConnectionEvents
    private var stream: ConnectionEvents
    private var device: MCUbootDevice
    private var attributes: AttributeServer
    private let limits: Limits
    /// When each answer came that has arrived, in order.
    private var answers: [Duration] = []
    /// The handle of the characteristic.
    private var handle: UInt16 = 0

    init(_ link: LinkModel, _ description: MCUbootDescription, _ limits: Limits) {
        var link = link
        link.loss = 0
        (up, down, stream) = (ConnectionEvents(link), ConnectionEvents(link), ConnectionEvents(link))
        device = MCUbootDevice(description, at: .zero)
        attributes = device.connect(at: .zero)
        self.limits = limits
        subscribe(description.maximumMTU)
    }

    /// Agrees on the MTU and switches notifications on, in no time.
    private mutating func subscribe(_ mtu: Int) {
        _ = attributes.receive([0x02] + UInt16(clamping: mtu).bytes())
        let found = attributes.receive(Self.findService + AttributeTable.smpService.wire).answer ?? []
        guard found.count >= 3, found[0] == 0x07 else { return }
        // Service, declaration, value, configuration.
        handle = UInt16(found[1]) + UInt16(found[2]) << 8 + 2
        _ = attributes.receive([0x12] + (handle + 1).bytes() + [1, 0])
    }

    /// Whether the beacon has taken all of `image`, without a broken rule.
    mutating func send(_ image: [UInt8]) -> Bool {
        var offset = 0
        while offset < image.count {
            guard let (frame, end) = frame(of: image, from: offset) else { return false }
            let awaited = requests == 0 ? nil : max(requests - limits.window, 0)
            guard let ready = awaited.map({ answered($0) }) ?? .zero else { return false }
            send(frame, readyAt: ready)
            requests += 1
            offset = end
        }
        guard let last = answered(requests - 1) else { return false }
        (now, carrying) = (last, stream.model.interval * stream.event)
        return device.acceptedBytes == image.count && device.brokenRules.isEmpty
    }

    /// When the answer to the request with this index comes.
    private mutating func answered(_ index: Int) -> Duration? {
        while answers.count <= index {
            guard let due = device.announcementDue else { return nil }
            hear(device.announce(by: &attributes, at: due))
        }
        return answers[index]
    }

    private mutating func send(_ frame: [UInt8], readyAt moment: Duration) {
        let ready = moment - up.lastArrival < Self.slack ? min(moment, up.lastArrival) : moment
        for start in stride(from: 0, to: frame.count, by: limits.write) {
            let piece = frame[start..<min(start + limits.write, frame.count)]
            _ = stream.arrival(of: piece.count + 3, readyAt: .zero)
            let arrived = up.arrival(of: piece.count + 3, readyAt: ready)
            while let due = device.announcementDue, due <= arrived {
                hear(device.announce(by: &attributes, at: due))
            }
            hear(device.receive([0x52] + handle.bytes() + piece, by: &attributes, at: arrived))
        }
    }

    /// An answer may have several pieces: it is there with the last one.
    private mutating func hear(_ reactions: [BeaconReaction]) {
        var last: Duration?
        for case .notify(let value, _, _, let due) in reactions {
            let arrived = down.arrival(of: value.count + 3, readyAt: due)
            let isStart = value.first.map { $0 & 0xE7 == 0x03 } ?? false && value.count >= 8
            if isStart, let whole = last { answers.append(whole) }
            last = arrived
        }
        if let last { answers.append(last) }
    }
}

/// The frames, of whole words but for the last one.
extension PerfectSMPSender {
    /// The longest frame from `offset` on, and the end of its data; nil if too few bytes fit.
    private func frame(of image: [UInt8], from offset: Int) -> (bytes: [UInt8], end: Int)? {
        var count = min(limits.frame, image.count - offset)
        while count > 0 {
            let end = offset + count
            if end == image.count || count.isMultiple(of: 4) {
                for hasChecksum in offset == 0 ? [true, false] : [false] {
                    let bytes = frame(image, offset..<end, hasChecksum)
                    if bytes.count <= limits.frame, offset > 0 || count >= 32 { return (bytes, end) }
                }
            }
            count -= 1
        }
        return nil
    }

    private func frame(_ image: [UInt8], _ range: Range<Int>, _ hasChecksum: Bool) -> [UInt8] {
        var members = [(text("off"), head(0, range.lowerBound)), (text("data"), string(image[range]))]
        if range.lowerBound == 0 { members.append((text("len"), head(0, image.count))) }
        if hasChecksum { members.append((text("sha"), string(SHA256Digest.digest(image)[...]))) }
        let map = head(0xA0, members.count) + members.flatMap { $0 + $1 }
        return [0x0A, 0] + UInt16(clamping: map.count).bytes(.big)
            + [0, 1, UInt8(truncatingIfNeeded: requests), 1] + map
    }

    private func text(_ text: String) -> [UInt8] { head(0x60, text.utf8.count) + text.utf8 }
    private func string(_ bytes: ArraySlice<UInt8>) -> [UInt8] { head(0x40, bytes.count) + bytes }

    /// The first bytes of a value of CBOR, with its number or length.
    private func head(_ type: UInt8, _ number: Int) -> [UInt8] {
        switch number {
        case ..<24: [type | UInt8(truncatingIfNeeded: number)]
        case ..<256: [type | 24, UInt8(truncatingIfNeeded: number)]
        case ..<65536: [type | 25] + UInt16(clamping: number).bytes(.big)
        default: [type | 26] + UInt32(clamping: number).bytes(.big)
        }
    }
}
