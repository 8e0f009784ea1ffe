public import BluetoothTypes
public import GATT

/// What a dialogue asks of the world: something over GATT, or to be over.
public enum DialogueCommand<Ending: Sendable>: Sendable {
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
    /// See whether the device has a characteristic.
    case find(Characteristic)
    /// Read a value, if there is one.
    case read(Characteristic)
    /// Read a value, if there is one. Whatever the device says against that, it has none.
    case readIfAllowed(Characteristic)
    /// Read the value at a handle, which belongs to `of`: for descriptors, and for characteristics of which a device has
    /// several. What cannot be read is an outcome.
    case readHandle(UInt16, of: BluetoothUUID, within: Duration)
    /// List some of what the device has. What cannot be listed is an outcome.
    case list(Listing, within: Duration)
    /// Send bytes without acknowledgement.
    case stream(PacketRun)
    /// Wait until this much time has passed since the last answer arrived.
    case rest(Duration)
    /// Nothing more is to be said over this link.
    case end(Ending)
}

extension DialogueCommand: Equatable where Ending: Equatable {}

/// What a device can be asked to list.
public enum Listing: Equatable, Sendable {
    /// Every primary service.
    case services
    /// The characteristics between the handles of a service.
    case characteristics(of: ServiceDeclaration)
    /// The descriptors of a characteristic.
    case descriptors(of: CharacteristicDeclaration)
}

/// What became of a command: a fact from the world.
public enum DialogueOutcome: Equatable, Sendable {
    /// A notification, or a value that was read.
    case value([UInt8])
    /// There is no such characteristic, or no value in it that may be read.
    case absent
    /// It was done, or found.
    case done
    /// Services, as they were listed.
    case services([ServiceDeclaration])
    /// Characteristics, as they were listed.
    case characteristics([CharacteristicDeclaration])
    /// Descriptors, as they were listed.
    case descriptors([DescriptorDeclaration])
    /// That could not be read or listed; the link stands.
    case failed(GATTError)
    /// Nothing came in time.
    case timedOut
    /// The channel is open; the peer takes packets of so many bytes.
    case opened(maximumPacket: Int)
    /// The device does not do that: with its attribute error, where it has named one.
    case refused(status: UInt8?)
}
