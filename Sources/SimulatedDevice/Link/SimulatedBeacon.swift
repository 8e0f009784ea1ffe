public import BluetoothTypes
public import Timing

/// A beacon in memory over any `Bearer`: its device is a value, the beacon has the link to it and its time.
///
/// It never sleeps on its own account: what is due (a reset, the end of patience) is caught up with
/// whenever somebody looks. Only `serve` waits, for answers that flash delays.
public actor SimulatedBeacon<Device: BeaconDevice>: SimulatedPeer {
    /// What it is, and what was in it at first.
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
    /// Links that were taken.
    public internal(set) var links = 0
    /// Channels that were taken.
    var channels = 0

    /// A beacon with `device` in it, which is up after `delay`; what `memory` keeps outlives the program.
    ///
    /// `faults` are carried out as far as they are about links, packets and power; others are the device's affair.
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

    /// The device as it is now.
    public var current: Device {
        catchUp(to: time.now)
        return device
    }

    /// The address at which it is to be found.
    public var address: DeviceAddress { device.address }

    /// The channel that it may take, and its longest packet.
    public var offeredChannel: (psm: UInt16, maximumPacket: Int)? { device.offeredChannel }

    /// The key of the bond that a central has with it.
    public var bond: Int? { device.bond }

    /// What a scanner has heard last at `now`; nil while the beacon is connected or not up.
    public func advertisement(at now: Duration) -> Advertisement? {
        isFree(at: now) ? device.advertisement(at: now) : nil
    }

    /// What a scanner hears after `earlier` and not after `now`, in order.
    public func reports(after earlier: Duration, through now: Duration) -> [Advertisement] {
        isFree(at: now) ? device.reports(after: earlier, through: now) : []
    }

    /// When a scanner hears something next, or has to ask again.
    public func nextReport(after now: Duration) -> Duration {
        min(device.nextReport(after: now), now + .milliseconds(100))
    }

    /// Whether it is up and talks to nobody.
    func isFree(at now: Duration) -> Bool {
        catchUp(to: now)
        return link == nil && resetDue == nil && now >= awakens && !faults.isAway(at: now - begun)
    }

    /// Takes the power away for a moment, or resets it.
    public func powerCycle() { restart(at: time.now) }

    /// Encrypts the link with the key of a bond, or pairs where the central has none.
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
