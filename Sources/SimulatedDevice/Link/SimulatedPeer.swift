public import BluetoothTypes
public import GATT
public import Timing

/// A device in memory, whatever is in it, as an air needs it: it is heard, and it serves links.
public protocol SimulatedPeer: Actor {
    /// The address at which it is to be found now.
    var address: DeviceAddress { get }
    /// The key of the bond that a central has with it.
    var bond: Int? { get }
    /// Links that it has taken.
    var links: Int { get }
    /// What a scanner has heard last at `now`; nil when there is nothing to hear.
    func advertisement(at now: Duration) -> Advertisement?
    /// What a scanner hears after `earlier` and not after `now`, in order.
    func reports(after earlier: Duration, through now: Duration) -> [Advertisement]
    /// When a scanner hears something next, or has to ask again.
    func nextReport(after now: Duration) -> Duration
    /// Serves one link until it ends, by whichever side. `answer` is whether the link was taken.
    func serve(_ bearer: some Bearer, answering answer: OneShot<Bool>?) async
    /// Encrypts the link with the key of a bond, or pairs where the central has none.
    func encrypt(with key: Int?) -> LinkEncryption
    /// The longest packet of a channel to `psm` beside the link that is served; nil where none is taken.
    func channelMTU(psm: UInt16) -> Int?
    /// The channel that it may take, and its longest packet; nil for none.
    var offeredChannel: (psm: UInt16, maximumPacket: Int)? { get }
    /// Tells `watcher` what clients do from now on, in order.
    func watch(_ watcher: @escaping @Sendable (ClientAct) -> Void)
    /// Serves such a channel until it, or the link, ends. `answer` is whether it was taken.
    func serveChannel(_ bearer: some Bearer, psm: UInt16, answering answer: OneShot<Bool>?) async
}
