public import Bluetooth

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

extension DialogueStep where Notice == Never {
    /// The step with the same command in an enclosing dialogue; where this dialogue ends, the step is that of `next`.
    public func asPart<Whole: Sendable, WholeNotice: Sendable, Failure: Error>(
        then next: (Ending) throws(Failure) -> DialogueStep<Whole, WholeNotice>
    ) throws(Failure) -> DialogueStep<Whole, WholeNotice> {
        let part: DialogueCommand<Whole>
        switch command {
        case .subscribe(let source): part = .subscribe(source)
        case .request(let bytes, let target, let source, let limit):
            part = .request(bytes, on: target, answerOn: source, within: limit)
        case .expect(let source, let limit): part = .expect(from: source, within: limit)
        case .write(let bytes, let target, let mayRefuse):
            part = .write(bytes, on: target, mayRefuse: mayRefuse)
        case .open(let psm, let limit): part = .open(psm: psm, within: limit)
        case .find(let wanted): part = .find(wanted)
        case .read(let source): part = .read(source)
        case .readIfAllowed(let source): part = .readIfAllowed(source)
        case .readHandle(let handle, let uuid, let limit): part = .readHandle(handle, of: uuid, within: limit)
        case .list(let listing, let limit): part = .list(listing, within: limit)
        case .stream(let run): part = .stream(run)
        case .rest(let length): part = .rest(length)
        case .end(let ending): return try next(ending)
        }
        return DialogueStep<Whole, WholeNotice>(part)
    }
}
