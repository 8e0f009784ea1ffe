public import Bluetooth

/// A link that another device has made to a controller of ours, with its attribute channel.
public struct PeripheralLink: Sendable {
    /// The device that has made it.
    public let peer: DeviceAddress
    /// The channel of the Attribute Protocol.
    public let channel: PacketSocket

    /// A link from `peer`.
    public init(peer: DeviceAddress, channel: PacketSocket) {
        self.peer = peer
        self.channel = channel
    }
}

/// Accepts channels that other devices connect.
protocol ChannelListener: Sendable {
    /// The next channel and its peer. Throws `ECANCELED` when the task is cancelled.
    func accept() async throws(SocketError) -> (PacketSocket, DeviceAddress)
}

extension L2CAPListener: ChannelListener {}

/// Credit-based channels that other devices connect.
public struct PeripheralChannels: Sendable {
    private let listener: any ChannelListener

    init(_ listener: any ChannelListener) { self.listener = listener }

    /// The next one; nil when there will be none.
    public func next() async -> PacketSocket? { try? await listener.accept().0 }
}
