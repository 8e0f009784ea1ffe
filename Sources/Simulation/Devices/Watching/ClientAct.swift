public import Bluetooth

/// Something that a client does to a beacon, or a result of it, as reported to observers.
public enum ClientAct: Hashable, Sendable {
    /// A link begins.
    case connected
    /// The MTU was exchanged.
    case exchangedMTU(asked: Int, agreed: Int)
    /// The client enabled notifications, indications, both or neither of a characteristic: the bits of its
    /// configuration.
    case subscribed(BluetoothUUID, bits: UInt16)
    /// A write that requests something.
    case requested(ClientRequest)
    /// A write, or a channel packet, that is part of something larger.
    case sent(bytes: Int)
    /// Image packets that the beacon silently dropped for lack of a buffer.
    case dropped(packets: Int)
    /// The beacon sends a value of a characteristic.
    case answered([UInt8], from: BluetoothUUID)
    /// A request of the Attribute Protocol was refused with this code (Core, Vol 3, Part F, 3.4.1.1).
    case refused(code: UInt8)
    /// A channel was opened.
    case openedChannel(psm: UInt16)
    /// A rule was broken.
    case broke(BrokenRule)
    /// An update was received, and the beacon has accepted it permanently.
    case completed(CompletedUpdate)
    /// The beacon has reset.
    case restarted
    /// The link has ended.
    case disconnected
}

/// A client's request in a write.
public struct ClientRequest: Hashable, Sendable {
    /// The request in a word or two, in kebab case.
    public let name: String
    /// The numbers of the request, by name.
    public let fields: [String: Int]

    /// A request with this name.
    public init(_ name: String, _ fields: [String: Int] = [:]) {
        self.name = name
        self.fields = fields
    }
}

/// The meaning of a write to a device.
public enum WriteMeaning: Hashable, Sendable {
    /// It requests something.
    case request(ClientRequest)
    /// It is part of something larger.
    case data
}

/// An update that a device has accepted, and will start with.
public struct CompletedUpdate: Hashable, Sendable {
    /// The bytes in the device, without a header of the device's own.
    public let held: [UInt8]
    /// The bytes that the client sent for the same range; nil if not all of them were observed.
    public internal(set) var sent: [UInt8]?
    /// The offset of `held` in what a client sends.
    let start: Int
    /// Whether the device considers it valid to start.
    public let starts: Bool

    /// An update whose held bytes begin at `start` in what is sent.
    public init(held: [UInt8], from start: Int = 0, starts: Bool = true) {
        self.held = held
        self.start = start
        self.starts = starts
    }

    /// Whether the device holds what the client has sent, as far as that was observed, and will start it.
    public var isRight: Bool { starts && (sent.map { $0 == held } ?? true) }
}
