public import BluetoothTypes

/// Where a device may be found after it has left us, as seen from the address it had.
public enum ExpectedAddress: Hashable, Sendable {
    /// At the same address.
    case sameAddress
    /// At the address whose last byte is smaller by one, without carry: where a Nordic application is when
    /// its bootloader was at the address we talked to.
    case previousAddress
    /// At the address whose last byte is larger by one, without carry: where a Nordic bootloader is when its
    /// application was at the address we talked to.
    case nextAddress

    /// The address that this means, seen from `address`.
    public func address(from address: DeviceAddress) -> DeviceAddress {
        switch self {
        case .sameAddress: address
        case .previousAddress: address.neighbour(-1)
        case .nextAddress: address.neighbour(1)
        }
    }
}

/// The end of a conversation, and what has to be seen before it counts as an update.
public struct Completion: Equatable, Sendable {
    /// Whether the device has said that it accepts the whole image. False when the link ended before it
    /// could: then a device that comes back proves nothing about its firmware.
    public let isConfirmed: Bool
    /// Whether the device may not have heard that it has to start the image that it has accepted.
    public let mayBeUnheard: Bool
    /// Where the application may appear.
    public let expectedAddresses: Set<ExpectedAddress>
    /// How long the device may take to come back.
    public let timeout: Duration
    /// Whether the device may rightly stay in its bootloader: what was installed is not an application, and may have
    /// cost the device the one it had.
    public let mayStayInBootloader: Bool

    /// A conversation that ends as described.
    public init(
        isConfirmed: Bool, mayBeUnheard: Bool = false, expectedAddresses: Set<ExpectedAddress>,
        timeout: Duration,
        mayStayInBootloader: Bool = false
    ) {
        self.isConfirmed = isConfirmed
        self.mayBeUnheard = mayBeUnheard
        self.expectedAddresses = expectedAddresses
        self.timeout = timeout
        self.mayStayInBootloader = mayStayInBootloader
    }
}

/// A device that restarts in the middle of an update and goes on in its bootloader.
public struct Restart: Equatable, Sendable {
    /// How long it may take to come back.
    public let timeout: Duration
    /// Why everything is sent again; nil when the restart is part of the update's course. Where the device does not
    /// come back so that it can be sent again, the update ends with that.
    public let repeating: UpdateFailure?
    /// How long the device is given to end the link itself; nil as long as usual.
    public let farewell: Duration?
    /// How long it is left alone at least when the link has ended.
    public let pause: Duration

    /// A restart as described.
    public init(
        timeout: Duration, repeating: UpdateFailure? = nil, farewell: Duration? = nil,
        pause: Duration = .zero
    ) {
        self.timeout = timeout
        self.repeating = repeating
        self.farewell = farewell
        self.pause = pause
    }
}

/// What it means that the link ended by itself.
public enum DisconnectMeaning: Equatable, Sendable {
    /// The update has to go on over a new link.
    case interrupted
    /// The same; the device may be installing what it has, and take so long to come back.
    case restarting(within: Duration)
    /// The device has refused, and by leaving it says that it will not think better of it.
    case refused(UpdateFailure)
    /// The device may have finished and left; it may also not have heard the last request.
    case perhapsDone(Completion)
}
