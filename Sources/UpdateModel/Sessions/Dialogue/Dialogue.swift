public import Bluetooth

/// A conversation with a device over one or more consecutive links; a state machine without I/O or clock.
///
/// `begin` starts it on a new link, initially and after every lost link; the dialogue keeps what it has learned. A
/// `SessionRunner` carries it out.
public protocol Dialogue: Sendable {
    associatedtype Ending: Sendable
    associatedtype Notice: Sendable
    associatedtype Failure: Error

    /// The first step on a new link.
    mutating func begin(on link: LinkFacts) throws(Failure) -> DialogueStep<Ending, Notice>
    /// Reports the times of the last command; `advance` follows.
    mutating func note(_ times: CommandTimes)
    /// The step after the outcome of the last one.
    mutating func advance(after outcome: DialogueOutcome) throws(Failure) -> DialogueStep<Ending, Notice>
}

public struct LinkFacts: Equatable, Sendable {
    /// The largest number of bytes in a write without response.
    public let maximumWriteLength: Int

    public init(maximumWriteLength: Int) { self.maximumWriteLength = maximumWriteLength }
}

/// The next step: notices to observers, and a command.
public struct DialogueStep<Ending: Sendable, Notice: Sendable>: Sendable {
    /// Facts to report before the command is carried out.
    public var notices: [Notice]
    public var command: DialogueCommand<Ending>
    /// What a slow response waits for: the link, or the device's flash.
    public var waitsFor: SpeedLimit
    /// Whether the response shows that the device has processed the packets before it.
    public var endsBlock: Bool

    public init(
        _ command: DialogueCommand<Ending>, notices: [Notice] = [], waitsFor: SpeedLimit = .answers,
        endsBlock: Bool = false
    ) {
        (self.command, self.notices) = (command, notices)
        (self.waitsFor, self.endsBlock) = (waitsFor, endsBlock)
    }

    /// The step that streams `bytes` as packets of `length` bytes; `payload` is the part of them that counts as payload.
    package static func streaming(
        _ bytes: ArraySlice<UInt8>, to target: Characteristic, inPacketsOf length: Int,
        payload: PayloadSpan? = nil, notices: [Notice] = []
    ) -> DialogueStep {
        let run = PacketRun(bytes: bytes, target: target, packetLength: length, payload: payload)
        return DialogueStep(.stream(run), notices: notices)
    }

    /// The step, reported after `earlier` notices.
    package func after(_ earlier: [Notice]) -> DialogueStep {
        var step = self
        step.notices = earlier + notices
        return step
    }
}

extension DialogueStep: Equatable where Ending: Equatable, Notice: Equatable {}

/// A command of a dialogue: a GATT operation, or the end.
public enum DialogueCommand<Ending: Sendable>: Sendable {
    /// Enable the notifications of a characteristic.
    case subscribe(Characteristic)
    /// Write with acknowledgement, then wait for a notification. Notifications that arrived earlier are dropped first.
    case request([UInt8], on: Characteristic, answerOn: Characteristic, within: Duration)
    /// Wait for another notification.
    case expect(from: Characteristic, within: Duration)
    /// Write with acknowledgement, without a response to wait for. With `mayRefuse`, a refusal is an outcome instead
    /// of a failure.
    case write([UInt8], on: Characteristic, mayRefuse: Bool = false)
    /// Open a credit-based channel in addition to the attributes of the same link. An earlier channel is closed.
    case open(psm: UInt16, within: Duration)
    /// Check whether the device has a characteristic.
    case find(Characteristic)
    /// Read a value, if there is one.
    case read(Characteristic)
    /// Read a value, if there is one. Any error of the device counts as absent.
    case readIfAllowed(Characteristic)
    /// Read the value of the attribute at a handle, which has the UUID `of`: for descriptors, and for characteristics
    /// that a device has several of. An error of the device is an outcome.
    case readHandle(UInt16, of: BluetoothUUID, within: Duration)
    /// List attributes of the device. An error of the device is an outcome.
    case list(Listing, within: Duration)
    /// Send bytes without acknowledgement.
    case stream(PacketRun)
    /// Wait until this much time has passed since the last response arrived.
    case rest(Duration)
    /// End the conversation on this link.
    case end(Ending)
}

extension DialogueCommand: Equatable where Ending: Equatable {}

/// Attributes to list.
public enum Listing: Equatable, Sendable {
    case services
    /// The characteristics within a service's handle range.
    case characteristics(of: ServiceDeclaration)
    case descriptors(of: CharacteristicDeclaration)
}

/// The outcome of a command.
public enum DialogueOutcome: Equatable, Sendable {
    /// A notification, or a value that was read.
    case value([UInt8])
    /// There is no such characteristic, or it has no readable value.
    case absent
    /// The command was carried out, or the characteristic was found.
    case done
    case services([ServiceDeclaration])
    case characteristics([CharacteristicDeclaration])
    case descriptors([DescriptorDeclaration])
    /// Reading or listing failed; the link is still up.
    case failed(GATTError)
    case timedOut
    /// The channel is open; `maximumPacket` is the largest packet that the peer accepts, in bytes.
    case opened(maximumPacket: Int)
    /// The device refused; `status` is its attribute error, nil if it sent none.
    case refused(status: UInt8?)
}

/// The times of a command, as durations since any fixed moment.
public struct CommandTimes: Equatable, Sendable {
    public let started: Duration
    /// When the device had acknowledged the request and so all packets before it; nil for commands without a request.
    public let acknowledged: Duration?
    /// When its outcome was known.
    public let ended: Duration

    public init(started: Duration, acknowledged: Duration? = nil, ended: Duration) {
        (self.started, self.acknowledged, self.ended) = (started, acknowledged, ended)
    }
}

/// Bytes to stream as packets of equal length; only the last may be shorter.
public struct PacketRun: Equatable, Sendable {
    public enum Target: Equatable, Sendable {
        /// To a characteristic, each packet as a write without response.
        case characteristic(Characteristic)
        /// To the credit-based channel that was opened last.
        case channel
    }

    public let bytes: ArraySlice<UInt8>
    public let target: Target
    public let packetLength: Int
    /// The part of the bytes that counts as payload; nil for none, as with an init packet.
    public let payload: PayloadSpan?

    public init(bytes: ArraySlice<UInt8>, target: Characteristic, packetLength: Int, payload: PayloadSpan?) {
        self.init(bytes: bytes, target: .characteristic(target), packetLength: packetLength, payload: payload)
    }

    public init(bytes: ArraySlice<UInt8>, target: Target, packetLength: Int, payload: PayloadSpan?) {
        (self.bytes, self.target) = (bytes, target)
        (self.packetLength, self.payload) = (packetLength, payload)
    }
}

/// The bytes of a run that count as payload, and their position in the whole payload. The number and checksum in
/// frames of a block protocol do not count.
public struct PayloadSpan: Equatable, Sendable {
    /// Position of the first of these bytes in the whole payload.
    public let position: Int
    /// Position, in the whole payload, of the first byte of their image: an update may send several images.
    public let image: Int
    /// Whether the device answers these bytes with the position where it continues, which is later if it has more of the
    /// image.
    public let asksForPosition: Bool
    /// Length of the whole payload in bytes.
    public let total: Int
    /// Number of bytes of the run before the payload.
    public let header: Int
    /// Number of bytes of the run after the payload.
    public let trailer: Int

    public init(
        at position: Int, of total: Int, image: Int = 0, asksForPosition: Bool = false, header: Int = 0,
        trailer: Int = 0
    ) {
        (self.position, self.total) = (position, total)
        (self.image, self.asksForPosition) = (image, asksForPosition)
        (self.header, self.trailer) = (header, trailer)
    }

    /// The number of payload bytes among the first `count` bytes of a run of `length`.
    public func payload(in count: Int, of length: Int) -> Int {
        max(0, min(count, length - trailer) - header)
    }
}
