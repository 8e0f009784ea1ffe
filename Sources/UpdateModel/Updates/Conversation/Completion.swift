public import Bluetooth

/// Possible addresses of a device after it has left, relative to the address it had.
public enum ExpectedAddress: Hashable, Sendable {
    case sameAddress
    /// The address with the last byte lower by one, without carry: a Nordic application's, relative to its
    /// bootloader's.
    case previousAddress
    /// The address with the last byte higher by one, without carry: a Nordic bootloader's, relative to its
    /// application's.
    case nextAddress

    /// The absolute address, relative to `address`.
    public func address(from address: DeviceAddress) -> DeviceAddress {
        switch self {
        case .sameAddress: address
        case .previousAddress: address.neighbour(-1)
        case .nextAddress: address.neighbour(1)
        }
    }
}

/// The end of a conversation, and what has to be observed before it counts as an update.
public struct Completion: Equatable, Sendable {
    /// Whether the device has confirmed that it accepts the whole image. False if the link ended before that: then a
    /// device that comes back proves nothing about its firmware.
    public let isConfirmed: Bool
    /// Whether the device may have missed the request to start the image that it has accepted.
    public let mayBeUnheard: Bool
    /// Possible addresses of the application.
    public let expectedAddresses: Set<ExpectedAddress>
    /// The time limit for the device to come back.
    public let timeout: Duration
    /// Whether the device may legitimately stay in its bootloader: the installed part is not an application, and may
    /// have overwritten the application.
    public let mayStayInBootloader: Bool
    /// What the procedure itself has seen of the new firmware after the restart, so that nothing is left to verify; nil
    /// if the caller of the update has to look for the application.
    public let proof: UpdateProof?

    public init(
        isConfirmed: Bool, mayBeUnheard: Bool = false, expectedAddresses: Set<ExpectedAddress>,
        timeout: Duration,
        mayStayInBootloader: Bool = false
    ) {
        (self.isConfirmed, self.mayBeUnheard) = (isConfirmed, mayBeUnheard)
        (self.expectedAddresses, self.timeout) = (expectedAddresses, timeout)
        self.mayStayInBootloader = mayStayInBootloader
        proof = nil
    }

    /// The end of an update whose result the procedure has verified over the current link.
    public init(proof: UpdateProof) {
        (isConfirmed, mayBeUnheard, mayStayInBootloader) = (true, false, false)
        (expectedAddresses, timeout, self.proof) = ([.sameAddress], .zero, proof)
    }
}

/// The version that runs after an update, from a report of the device that identifies the image and not only its
/// version.
public struct UpdateProof: Equatable, Sendable {
    public let version: String
    /// The version text of the image that ran before; nil if unknown.
    public let versionBefore: String?
    /// The hash by which the device names the image that runs; nil if it names it in another way.
    public let imageHash: [UInt8]?

    public init(_ version: String, imageHash: [UInt8]? = nil, after versionBefore: String?) {
        (self.version, self.imageHash, self.versionBefore) = (version, imageHash, versionBefore)
    }
}

/// A restart in the middle of an update that continues in the bootloader.
public struct Restart: Equatable, Sendable {
    /// The time limit for the device to come back.
    public let timeout: Duration
    /// Why everything is sent again; nil if the restart is a regular part of the update. If the device does not come
    /// back for that, the update fails with this.
    public let repeating: UpdateFailure?
    /// How long to wait until the device ends the link itself; nil for the usual time.
    public let farewell: Duration?
    /// The shortest pause after the link has ended.
    public let pause: Duration

    public init(
        timeout: Duration, repeating: UpdateFailure? = nil, farewell: Duration? = nil,
        pause: Duration = .zero
    ) {
        (self.timeout, self.repeating) = (timeout, repeating)
        (self.farewell, self.pause) = (farewell, pause)
    }
}

/// The meaning of a link that has ended by itself.
public enum DisconnectMeaning: Equatable, Sendable {
    /// The update must continue over a new link.
    case interrupted
    /// The same, but the device may be installing what it has, which delays its return.
    case restarting(within: Duration)
    /// The device has refused, and by ending the link makes that final.
    case refused(UpdateFailure)
    /// The device may have finished and left, or may have missed the last request.
    case perhapsDone(Completion)
}
