public import Bluetooth

/// Something that a client does to a beacon, or a result of it, as reported to observers.
public enum ClientAct: Hashable, Sendable {
    case connected
    case exchangedMTU(asked: Int, agreed: Int)
    /// The client wrote these bits to a configuration: 1 for notifications, 2 for indications.
    case subscribed(BluetoothUUID, bits: UInt16)
    /// A write that requests something.
    case requested(ClientRequest)
    /// A write, or a channel packet, that is a part of an image or of a larger message.
    case sent(bytes: Int)
    /// Image packets without effect on the beacon, such as those dropped for lack of a buffer.
    case dropped(packets: Int)
    /// The beacon sends a value of a characteristic.
    case answered([UInt8], from: BluetoothUUID)
    /// A request of the Attribute Protocol was refused with this code (Core, Vol 3, Part F, 3.4.1.1).
    case refused(code: UInt8)
    case openedChannel(psm: UInt16)
    case broke(BrokenRule)
    /// An update was received, and the beacon has accepted it permanently.
    case completed(CompletedUpdate)
    case restarted
    case disconnected
}

public struct ClientRequest: Hashable, Sendable {
    /// The request in a word or two, in kebab case.
    public let name: String
    /// The numbers of the request, by name.
    public let fields: [String: Int]

    public init(_ name: String, _ fields: [String: Int] = [:]) { (self.name, self.fields) = (name, fields) }
}

public enum WriteMeaning: Hashable, Sendable {
    case request(ClientRequest)
    /// The write is a part of an image or of a larger message.
    case data
}

/// An update that a device has accepted, and will start with.
public struct CompletedUpdate: Hashable, Sendable {
    /// The bytes in the device, without a header of the device's own.
    public let held: [UInt8]
    /// The bytes that the client sent for the same range; nil if not all of them were observed.
    public internal(set) var sent: [UInt8]?
    /// The offset of `held` in the bytes that a client sends.
    let start: Int
    /// Whether the device considers it valid to start.
    public let starts: Bool

    public init(held: [UInt8], from start: Int = 0, starts: Bool = true) {
        (self.held, self.start, self.starts) = (held, start, starts)
    }

    /// Whether the device holds what the client has sent, as far as that was observed, and will start it.
    public var isRight: Bool { starts && (sent.map { $0 == held } ?? true) }
}

struct ClientWatch: Sendable {
    let report: @Sendable (ClientAct) -> Void
    var reportedRules: Int
    /// The accepted bytes of an image; repeated bytes replace earlier ones.
    var image: [UInt8] = []
    var hasCompleted = false

    /// Records `bytes`, which changed the number of accepted bytes from `before` to `after`.
    mutating func note(_ bytes: [UInt8], accepted before: Int, _ after: Int) {
        guard before <= image.count else { return image = [] }  // the beginning was not observed
        image.removeSubrange(before...)
        if after > before { image += bytes.prefix(after - before) }
    }

    /// Records the current `update`; returns it unless it was reported before.
    mutating func completion(_ update: CompletedUpdate?) -> CompletedUpdate? {
        defer { hasCompleted = update != nil }
        guard var update, !hasCompleted else { return nil }
        let end = update.start + update.held.count
        if update.sent == nil, image.count >= end { update.sent = Array(image[update.start..<end]) }
        return update
    }
}

extension SimulatedBeacon {
    public func watch(_ watcher: @escaping @Sendable (ClientAct) -> Void) {
        watch = ClientWatch(report: watcher, reportedRules: device.brokenRules.count)
    }

    /// Runs `body`, in which the device processes `bytes`; records image data among them, and dropped packets.
    func observing(_ bytes: [UInt8], _ body: () -> Void) {
        guard watch != nil else { return body() }
        let before = (accepted: device.acceptedBytes, dropped: device.droppedPackets)
        body()
        let data = link?.server.written?.value ?? bytes
        watch?.note(data, accepted: before.accepted, device.acceptedBytes)
        let dropped = device.droppedPackets - before.dropped
        if dropped > 0 { watch?.report(.dropped(packets: dropped)) }
    }

    func reportLastPacket() {
        guard let watch else { return }
        if let lastAct = link?.server.lastAct { watch.report(lastAct) }
        if let (value, uuid) = link?.server.written {
            switch device.meaning(of: value, to: uuid) {
            case .request(let request): watch.report(.requested(request))
            case .data: watch.report(.sent(bytes: value.count))
            }
        }
        if let rule = link?.server.brokenRule { watch.report(.broke(rule.broken)) }
        reportRules()
    }

    func reportRules() {
        let rules = device.brokenRules
        guard let count = watch?.reportedRules, count < rules.count else { return }
        for rule in rules[count...] { watch?.report(.broke(rule)) }
        watch?.reportedRules = rules.count
    }

    func reportCompletion() {
        guard watch != nil, let update = watch?.completion(device.completedUpdate(at: time.now)) else {
            return
        }
        watch?.report(.completed(update))
    }
}
