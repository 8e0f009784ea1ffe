public import BluetoothTypes

/// What a procedure asks of the world.
public enum UpdateCommand: Equatable, Sendable {
    /// Turn the notifications of a characteristic on.
    case subscribe(Characteristic)
    /// Write with acknowledgement, then wait for a notification. What had arrived before is stale and is
    /// dropped first.
    case request([UInt8], on: Characteristic, answerOn: Characteristic, within: Duration)
    /// Wait for one more notification.
    case expect(from: Characteristic, within: Duration)
    /// Write with acknowledgement, without an answer that follows. Where `mayRefuse`, a refusal is an outcome and
    /// no failure.
    case write([UInt8], on: Characteristic, mayRefuse: Bool = false)
    /// Open a credit-based channel beside the attributes of the same link. What an earlier one was open for is done:
    /// it is closed.
    case open(psm: UInt16, within: Duration)
    /// Read a value, if there is one.
    case read(Characteristic)
    /// Send bytes without acknowledgement.
    case stream(Passage)
    /// Wait until this much time has passed since the last answer arrived.
    case rest(Duration)
    /// The device has everything; look whether it comes back.
    case complete(Completion)
    /// The device restarts, and the conversation goes on over a new link.
    case restart(Restart)
    /// The application is about to give way; look for the bootloader.
    case depart(Departure)
}

/// What became of a command: a fact from the world.
public enum UpdateOutcome: Equatable, Sendable {
    /// A notification, or a value that was read.
    case value([UInt8])
    /// There is no such value to be read.
    case absent
    /// It was done.
    case done
    /// No notification came in time.
    case timedOut
    /// The channel is open; the peer takes packets of so many bytes.
    case opened(maximumPacket: Int)
    /// The device does not do that: with its attribute error, where it has named one.
    case refused(status: UInt8?)
}

/// A run of bytes to be streamed as packets of equal length, only the last of which may be shorter.
public struct Passage: Equatable, Sendable {
    /// Where packets go.
    public enum Target: Equatable, Sendable {
        /// To a characteristic, each as a write without response.
        case characteristic(Characteristic)
        /// To the credit-based channel that was opened last.
        case channel
    }

    /// The bytes.
    public let bytes: ArraySlice<UInt8>
    /// Where they go.
    public let target: Target
    /// How many bytes a packet carries.
    public let packetLength: Int
    /// Where the first byte stands in everything the update sends; nil for bytes that do not count as
    /// firmware, such as an init packet.
    public let position: Int?

    /// `bytes` for a characteristic, in packets of `packetLength`.
    public init(bytes: ArraySlice<UInt8>, target: Characteristic, packetLength: Int, position: Int?) {
        self.init(
            bytes: bytes, target: .characteristic(target), packetLength: packetLength, position: position)
    }

    /// `bytes` for `target`, in packets of `packetLength`.
    public init(bytes: ArraySlice<UInt8>, target: Target, packetLength: Int, position: Int?) {
        self.bytes = bytes
        self.target = target
        self.packetLength = packetLength
        self.position = position
    }
}
