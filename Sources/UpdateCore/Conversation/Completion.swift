public import BluetoothTypes

/// Where a device may be found after it has left us, as seen from the address it had.
public enum Reappearance: Hashable, Sendable {
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
    /// Where the application may appear.
    public let appearances: Set<Reappearance>
    /// How long the device may take to come back.
    public let patience: Duration

    /// A conversation that ends as described.
    public init(isConfirmed: Bool, appearances: Set<Reappearance>, patience: Duration) {
        self.isConfirmed = isConfirmed
        self.appearances = appearances
        self.patience = patience
    }
}

/// What it means that the link ended by itself.
public enum LinkEnding: Equatable, Sendable {
    /// The update has to go on over a new link.
    case interrupted
    /// The device may have finished and left; it may also not have heard the last request.
    case perhapsDone(Completion)
}
