public import BluetoothTypes

/// Something that a client does to a beacon, or that comes of it, for whoever watches.
public enum ClientAct: Hashable, Sendable {
    /// A link begins.
    case connected
    /// The MTU was exchanged.
    case exchangedMTU(asked: Int, agreed: Int)
    /// The client wants notifications, indications, both or neither of a characteristic: the bits of its
    /// configuration.
    case subscribed(BluetoothUUID, bits: UInt16)
    /// A write that asks for something.
    case requested(ClientRequest)
    /// A write, or a packet of a channel, that is part of something larger.
    case sent(bytes: Int)
    /// Packets of an image that the beacon let fall without a word, having no place for them.
    case dropped(packets: Int)
    /// The beacon sends a value of a characteristic.
    case answered([UInt8], from: BluetoothUUID)
    /// A request of the Attribute Protocol was refused with this code (Core, Vol 3, Part F, 3.4.1.1).
    case refused(code: UInt8)
    /// A channel was opened.
    case openedChannel(psm: UInt16)
    /// A rule was broken.
    case broke(BrokenRule)
    /// An update has arrived whole, and the beacon has taken it for good.
    case completed(CompletedUpdate)
    /// The beacon has reset.
    case restarted
    /// The link has ended.
    case disconnected
}

/// What a client asks for with a write.
public struct ClientRequest: Hashable, Sendable {
    /// The request in a word or two, in kebab case.
    public let name: String
    /// Its numbers by their names.
    public let fields: [String: Int]

    /// A request by its name.
    public init(_ name: String, _ fields: [String: Int] = [:]) {
        self.name = name
        self.fields = fields
    }
}

/// What a device takes a write for.
public enum WriteMeaning: Hashable, Sendable {
    /// It asks for something.
    case request(ClientRequest)
    /// It is part of something larger.
    case data
}

/// An update that a device has taken, and with which it will start.
public struct CompletedUpdate: Hashable, Sendable {
    /// The bytes that the device holds, without any header of its own.
    public let held: [UInt8]
    /// The bytes in the same place that the client has sent; nil where nobody watched all of them.
    public internal(set) var sent: [UInt8]?
    /// Where `held` begins in what a client sends.
    let start: Int
    /// Whether the device finds it fit to start.
    public let starts: Bool

    /// An update that is held, and in what is sent begins at `start`.
    public init(held: [UInt8], from start: Int = 0, starts: Bool = true) {
        self.held = held
        self.start = start
        self.starts = starts
    }

    /// Whether the device holds what the client has sent, as far as that was watched, and starts it.
    public var isRight: Bool { starts && (sent.map { $0 == held } ?? true) }
}
