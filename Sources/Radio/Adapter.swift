public import BluetoothTypes
public import GATT
public import Timing

/// The radio seam: hears devices, and opens channels to them. `SimulatedAdapter` and
/// `KernelAdapter` conform.
public protocol Adapter: Sendable {
    /// The channels it opens.
    associatedtype Channel: Bearer
    /// The time of everything that happens on it.
    var time: Timekeeper { get }
    /// Whether every advertisement that is heard becomes a report. Where not, the time between two reports says
    /// nothing about the sender.
    var passesEveryReport: Bool { get }
    /// Everything heard until the listener stops, repeats included.
    func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement>
    /// As ``advertisements()``, for a caller that has the `scanHistory` too: devices that were reported already need
    /// not be reported again at once.
    func furtherAdvertisements() async throws(AdapterError) -> AsyncStream<Advertisement>
    /// What was heard lately.
    func scanHistory() -> ScanHistory
    /// A channel to `peer`, which may take until `limit` to answer.
    func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking wish: LinkRequest, within limit: Duration
    ) async throws(AdapterError) -> Channel
    /// Gives every link of ours this interval, where the adapter can; it takes a moment.
    func retune(interval: Duration) async
    /// What the link under `channel` is like, as far as this adapter can tell.
    func parameters(of channel: Channel) async -> LinkParameters
    /// Encrypts the link under `channel` within `limit`; where there is no bond, pairs without a passkey.
    func encrypt(_ channel: Channel, within limit: Duration) async throws(AdapterError)
    /// Keeps other programs of this machine away from `peer`; throws the one that has it.
    func claim(_ peer: DeviceAddress) throws(AdapterError) -> BeaconClaim
    /// Whether another program of this machine has a link to `peer`, as far as this adapter can tell.
    func isHeldElsewhere(_ peer: DeviceAddress) async -> Bool
    /// How long in total listeners could not hear everything because another program's scan was in the way.
    var deafTime: Duration { get }
    /// How long in total links were made, for some or all of which time listeners hear nobody: the controller scans for no
    /// others.
    var connectingTime: Duration { get }
}

extension Adapter {
    /// Everything heard until the listener stops, repeats included.
    public func furtherAdvertisements() async throws(AdapterError) -> AsyncStream<Advertisement> {
        try await advertisements()
    }
    /// By default nothing is remembered.
    public func scanHistory() -> ScanHistory { ScanHistory() }
    /// Links stay as they are.
    public func retune(interval: Duration) async {}
    /// Nobody else has this air.
    public func claim(_ peer: DeviceAddress) throws(AdapterError) -> BeaconClaim { BeaconClaim() }
    /// Nobody else has this air.
    public func isHeldElsewhere(_ peer: DeviceAddress) async -> Bool { false }
    /// Nobody else has this air.
    public var deafTime: Duration { .zero }
    /// A link takes no time.
    public var connectingTime: Duration { .zero }
    /// For how long silence says nothing of who is near.
    public var unheardTime: Duration { deafTime + connectingTime }
}

/// Why the radio did not do what it was asked.
public enum AdapterError: Error, Equatable, Sendable {
    /// The kernel has no Bluetooth.
    case noBluetooth
    /// There is no such adapter, or it cannot be used; with what to do about it.
    case unavailable(String)
    /// The peer did not answer within the limit.
    case noAnswer(DeviceAddress)
    /// Another copy of this program updates or reads the peer.
    case inUse(DeviceAddress, by: String)
    /// Another program of this machine has the link to the peer.
    case held(DeviceAddress)
    /// Another copy of this program did not let us connect with this adapter.
    case connectingElsewhere(adapter: String, by: String)
    /// The controller, or the kernel, holds as many links as it can. It says nothing of the peer.
    case tooManyLinks(adapter: String)
    /// The link to the peer could not be encrypted, with the reason.
    case notEncrypted(DeviceAddress?, reason: String)
    /// A capability is missing for something.
    case notPermitted(capability: String, to: String)
    /// Somebody has connected, and another program of this machine, or none, got the attribute channel.
    case attributesTaken(adapter: String, DeviceAddress?)
    /// The task was cancelled.
    case cancelled
    /// A system call failed.
    case system(call: String, errno: Int32)
}

extension AdapterError: CustomStringConvertible {
    /// One line for people.
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
        case .tooManyLinks(let adapter): "\(adapter) holds as many links as it can"
        case .notEncrypted(let address, let reason):
            "the link\(address.map { " to \($0)" } ?? "") is not encrypted: \(reason)"
        case .attributesTaken(let adapter, let peer):
            (peer.map { "\($0) has connected to \(adapter), and " } ?? "on \(adapter) ")
                + "another program of this machine serves attributes, usually bluetoothd"
        case .notPermitted(let capability, let what): "\(capability) is missing to \(what)"
        case .cancelled: "cancelled"
        case .system(let call, let errno): "\(call) failed with error \(errno)"
        }
    }
}
