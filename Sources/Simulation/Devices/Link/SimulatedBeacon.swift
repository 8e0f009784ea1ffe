public import Bluetooth

/// A simulated beacon over any `Bearer`: its device is a value, the beacon manages its link and its time.
///
/// It has no timer of its own: what is due (a reset, a timeout) is applied whenever its state is needed. Only `serve`
/// waits, for responses that flash delays.
public actor SimulatedBeacon<Device: BeaconDevice>: SimulatedPeer {
    /// The initial configuration.
    public nonisolated let description: Device.Description

    let time: Timekeeper
    let keeper: (any BeaconMemory)?
    var faults: FaultPlan
    var device: Device
    /// When its life began.
    let begun: Duration
    var awakens: Duration
    var resetDue: Duration?

    var link: BeaconLink?
    var watch: ClientWatch?
    /// Accepted links.
    public internal(set) var links = 0
    /// Accepted channels.
    var channels = 0

    /// A beacon with `device`, which is up after `delay`; `memory` stores its state beyond the program.
    ///
    /// It carries out those of `faults` that concern links, packets and power; the device handles the others.
    public init(
        _ device: Device, time: Timekeeper, faults: [Fault] = [], startingIn delay: Duration = .zero,
        memory: (any BeaconMemory)? = nil
    ) {
        description = device.description
        self.device = device
        self.time = time
        self.faults = FaultPlan(faults)
        keeper = memory
        begun = time.now
        awakens = begun + delay
    }

    /// The device in its current state.
    public var current: Device {
        catchUp(to: time.now)
        return device
    }

    /// The address at which it advertises.
    public var address: DeviceAddress { device.address }

    /// The channel that it may accept, and its longest packet.
    public var offeredChannel: (psm: UInt16, maximumPacket: Int)? { device.offeredChannel }

    /// The key of its bond with a central.
    public var bond: Int? { device.bond }

    /// The last advert by `now`; nil while the beacon is connected or not up.
    public func advertisement(at now: Duration) -> Advertisement? {
        isFree(at: now) ? device.advertisement(at: now) : nil
    }

    /// The adverts after `earlier` and by `now`, in order.
    public func reports(after earlier: Duration, through now: Duration) -> [Advertisement] {
        isFree(at: now) ? device.reports(after: earlier, through: now) : []
    }

    /// When the next advert is sent, or when to ask again.
    public func nextReport(after now: Duration) -> Duration {
        min(device.nextReport(after: now), now + .milliseconds(100))
    }

    /// Whether it is up and has no link.
    func isFree(at now: Duration) -> Bool {
        catchUp(to: now)
        return link == nil && resetDue == nil && now >= awakens && !faults.isAway(at: now - begun)
    }

    /// Interrupts the power briefly, or resets it.
    public func powerCycle() { restart(at: time.now) }

    /// Encrypts the link with the key of a bond, or pairs if the central has none.
    public func encrypt(with key: Int?) -> LinkEncryption {
        let now = time.now
        catchUp(to: now)
        guard let link, !link.isCut else { return .refused("the link is gone") }
        self.link?.server.forgetNews()
        var outcome = LinkEncryption.refused("the link is gone")
        react { server in
            let (result, reactions) = device.encrypt(with: key, &server, at: now)
            outcome = result
            if case .done = result { server.isEncrypted = true }
            return reactions
        }
        persist(at: now)
        _ = flush(link.number)
        return outcome
    }
}
