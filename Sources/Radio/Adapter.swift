public import BluetoothTypes
public import GATT
public import Timing

/// The radio seam: hear who is there, open a channel to one of them. `SimulatedAdapter` and
/// `KernelAdapter` conform.
public protocol Adapter: Sendable {
    /// The channels it opens.
    associatedtype Channel: Bearer
    /// The time of everything that happens on it.
    var time: Timekeeper { get }
    /// Everything heard until the listener stops, repeats included.
    func advertisements() async throws(AdapterError) -> AsyncStream<Advertisement>
    /// A channel to `peer`, which may take until `limit` to answer.
    func open(
        _ channel: LinkChannel, to peer: DeviceAddress, asking wish: LinkWish, within limit: Duration
    ) async throws(AdapterError) -> Channel
}

/// Which channel of a link.
public enum LinkChannel: Hashable, Sendable {
    /// The attribute protocol's fixed channel.
    case attributes
}

/// What we would like a link to be; a peer that grants less is no error.
public struct LinkWish: Hashable, Sendable {
    /// Time between two connection events.
    public var interval: Duration
    /// How long a silent link lives. Erasing a flash page alone silences a beacon for 90 ms.
    public var supervisionTimeout: Duration

    /// A link for flashing: 15 ms and 6 s, as Nordic's bootloaders ask for (nordic-secure.md, Layout).
    public init(
        interval: Duration = .milliseconds(15), supervisionTimeout: Duration = .seconds(6)
    ) {
        self.interval = interval
        self.supervisionTimeout = supervisionTimeout
    }
}

/// Why the radio did not do what it was asked.
public enum AdapterError: Error, Equatable, Sendable {
    /// There is no such adapter, or it cannot be used; with what to do about it.
    case unavailable(String)
    /// The peer did not answer within the limit.
    case noAnswer(DeviceAddress)
    /// A capability is missing for something.
    case notPermitted(capability: String, to: String)
    /// The task was cancelled.
    case cancelled
    /// A system call failed.
    case system(call: String, errno: Int32)
}

extension AdapterError: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        switch self {
        case .unavailable(let reason): reason
        case .noAnswer(let address): "\(address) does not answer"
        case .notPermitted(let capability, let what): "\(capability) is missing to \(what)"
        case .cancelled: "cancelled"
        case .system(let call, let errno): "\(call) failed with error \(errno)"
        }
    }
}
