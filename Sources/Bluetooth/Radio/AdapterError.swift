/// Why an adapter cannot scan, or a link cannot be made.
public enum AdapterError: Error, Equatable, Sendable, CustomStringConvertible {
    case noBluetooth
    /// There is no such adapter, or it cannot be used; with the reason, and what to do about it.
    case unavailable(String)
    case noAnswer(DeviceAddress)
    /// Another copy of this program updates or reads the peer.
    case inUse(DeviceAddress, by: String)
    /// Another program of this machine has the link to the peer.
    case held(DeviceAddress)
    /// Another copy of this program kept us from connecting with this adapter.
    case connectingElsewhere(adapter: String, by: String)
    /// The controller, or the kernel, has as many links as it supports. The error tells nothing about the peer.
    case tooManyLinks(adapter: String)
    case notEncrypted(DeviceAddress?, reason: String)
    case notPermitted(capability: String, to: String)
    /// A device has connected, but another program of this machine, or none, got the attribute channel.
    case attributesTaken(adapter: String, DeviceAddress?)
    case cancelled
    case system(call: String, errno: Int32)

    public var description: String {
        switch self {
        case .noBluetooth: "this machine's kernel has no Bluetooth, or it is not available in this container"
        case .unavailable(let reason): reason
        case .noAnswer(let address): "\(address) does not answer"
        case .inUse(let address, let owner): "\(address) is in use by \(owner)"
        case .held(let address):
            "\(address) is held by another program on this machine, usually bluetoothd, or the adapter is busy "
                + "with another program's scan"
        case .connectingElsewhere(let adapter, let owner): "\(owner) has been connecting with \(adapter)"
        case .tooManyLinks(let adapter): "\(adapter) has no free link left"
        case .notEncrypted(let address, let reason):
            "the link\(address.map { " to \($0)" } ?? "") is not encrypted: \(reason)"
        case .attributesTaken(let adapter, let peer):
            (peer.map { "\($0) has connected to \(adapter), and " } ?? "on \(adapter) ")
                + "another program of this machine serves attributes, usually bluetoothd"
        case .notPermitted(let capability, let what): "\(capability) is required to \(what)"
        case .cancelled: "cancelled"
        case .system(let call, let errno): "\(call) failed with error \(errno)"
        }
    }
}
