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
    /// Write with acknowledgement, without an answer that follows.
    case write([UInt8], on: Characteristic)
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
}

/// A run of bytes to be streamed as packets of equal length, only the last of which may be shorter.
public struct Passage: Equatable, Sendable {
    /// The bytes.
    public let bytes: ArraySlice<UInt8>
    /// Where they go.
    public let target: Characteristic
    /// How many bytes a packet carries.
    public let packetLength: Int
    /// Where the first byte stands in everything the update sends; nil for bytes that do not count as
    /// firmware, such as an init packet.
    public let position: Int?

    /// `bytes` for `target`, in packets of `packetLength`.
    public init(bytes: ArraySlice<UInt8>, target: Characteristic, packetLength: Int, position: Int?) {
        self.bytes = bytes
        self.target = target
        self.packetLength = packetLength
        self.position = position
    }
}
