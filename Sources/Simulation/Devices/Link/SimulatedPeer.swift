public import Bluetooth

/// What an air needs of a simulated device: it advertises, and it serves links.
public protocol SimulatedPeer: Actor {
    /// The address at which it advertises now.
    var address: DeviceAddress { get }
    var packets: AdvertisingPackets { get }
    /// The key of its bond with a central; nil without a bond.
    var bond: Int? { get }
    /// The number of accepted links.
    var links: Int { get }
    func advertise(with packets: AdvertisingPackets)
    /// The last advert by `now`; nil if there is nothing to hear.
    func advertisement(at now: Duration) -> Advertisement?
    /// The adverts after `earlier` and by `now`, in order.
    func reports(after earlier: Duration, through now: Duration) -> [Advertisement]
    /// When the next advert is sent, or when to ask again.
    func nextReport(after now: Duration) -> Duration
    /// Serves one link until either side ends it. `answer` receives whether the link was accepted.
    func serve(_ bearer: some Bearer, answering answer: OneShot<Bool>?) async
    /// Encrypts the link with the key of a bond, or pairs if the central has none.
    func encrypt(with key: Int?) -> LinkEncryption
    /// The longest packet of a channel to `psm` over the current link; nil if none is accepted.
    func channelMTU(psm: UInt16) -> Int?
    /// The channel that it may accept, and its longest packet; nil for none.
    var offeredChannel: (psm: UInt16, maximumPacket: Int)? { get }
    /// Reports to `watcher` what clients do from now on, in order.
    func watch(_ watcher: @escaping @Sendable (ClientAct) -> Void)
    /// Serves a channel to `psm` until it or the link ends. `answer` receives whether the channel was accepted.
    func serveChannel(_ bearer: some Bearer, psm: UInt16, answering answer: OneShot<Bool>?) async
}
