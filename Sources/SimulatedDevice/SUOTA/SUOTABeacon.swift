public import BluetoothTypes
public import GATT
public import Timing

/// A beacon with SUOTA in memory: its application hosts the service, over any `Bearer`.
///
/// It never sleeps on its own account; what is due is caught up with whenever somebody looks.
public actor SUOTABeacon: SimulatedPeer, PacketPeer {
    /// What it is, and what was in it at first.
    public nonisolated let description: SUOTADescription

    let time: Timekeeper
    let keeper: (any BeaconMemory)?
    var faults: FaultPlan
    var receiver: any SUOTAReceiver
    var boot: SUOTABoot
    var awakens: Duration
    var resetDue: Duration?
    var counted = SUOTAStatistics()

    var link: Link?
    var lastLink = 0

    /// One connection.
    struct Link {
        let number: Int
        var server: AttributeServer
        var schedule = DeliverySchedule()
        var isSilent = false
        var isCut = false
        let outgoing: AsyncStream<DeliverySchedule.Delivery>.Continuation
        /// Ends the channel that belongs to it.
        var endChannel: (@Sendable () -> Void)?
    }

    /// A beacon as described, or one that goes on from an earlier run of the program with the bytes of its
    /// memory: to it the time between is a loss of power.
    public init(
        _ description: SUOTADescription, time: Timekeeper, faults: [Fault] = [], retained: [UInt8]? = nil,
        memory: (any BeaconMemory)? = nil
    ) {
        self.description = description
        self.time = time
        self.faults = FaultPlan(faults)
        keeper = memory
        var board = description.board
        if self.faults.ignoresReboot { board.resets = false }
        if let status = self.faults.wrongPins {
            board.pins = ~(board.pins ?? 0)
            board.wrongPinsStatus = status
        }
        var receiver = description.personality.receiver(board)
        receiver.flash.lostWrites = self.faults.lostFlashWrites
        if let retained { receiver.flash.place(retained, at: 0) }
        boot = receiver.reset(at: time.now)
        self.receiver = receiver
        // It has been up for long.
        awakens = time.now + (retained == nil ? .zero : boot.time)
        keeper?.remember(image: receiver.flash.content(0..<description.personality.flashSize)[...], at: 0)
    }

    /// What runs; nil when nothing does, which no update may leave behind.
    public var runningImage: SUOTABoot.Image? {
        catchUp(to: time.now)
        return boot.isAlive && time.now >= awakens ? boot.image : nil
    }

    /// What the next reset would start, if it came now.
    public var nextImage: SUOTABoot.Image? {
        catchUp(to: time.now)
        var copy = receiver
        let next = copy.reset(at: time.now)
        return next.isAlive ? next.image : nil
    }

    /// The receiver as it is now.
    public var state: any SUOTAReceiver {
        catchUp(to: time.now)
        return receiver
    }

    /// What the beacon has seen.
    public var statistics: SUOTAStatistics {
        var statistics = counted
        statistics.packetsReceived = faults.packets
        statistics.commandsReceived = faults.commands
        statistics.receiver = receiver.record
        return statistics
    }

    /// The address at which it is always found.
    public var address: DeviceAddress { description.address }

    /// Nobody needs a bond.
    public var bond: Int? { nil }

    /// Refuses.
    public func encrypt(with key: Int?) -> SimulatedBeacon.Encryption {
        .refused("simulated beacons do not pair")
    }

    /// What a scanner hears at `now`; nil while it is connected or not up.
    public func advertisement(at now: Duration) -> Advertisement? {
        catchUp(to: now)
        guard isReachable(at: now) else { return nil }
        var data = AdvertisingData()
        data.elements = [.flags(0x06)]
        if description.advertisesService {
            data.elements.append(.services([AttributeTable.suotaService], complete: false))
        }
        data.elements += batteryFrames
        data.elements.append(.name(description.name, complete: true))
        return Advertisement(address: address, rssi: description.rssi, isConnectable: true, data: data)
    }

    private var batteryFrames: [AdvertisingData.Element] {
        // The byte of the version is what its text begins with.
        let major = boot.image.flatMap { UInt8($0.version.prefix { $0 != "." }) } ?? 0
        return [
            description.batteryPercent.map { BatteryFrames.aSensor($0, address, version: major) },
            description.batteryMillivolts.map(BatteryFrames.telemetry),
        ].compactMap(\.self)
    }

    /// Whether it is up and without a link.
    func isReachable(at now: Duration) -> Bool {
        boot.isAlive && link == nil && resetDue == nil && now >= awakens
    }

    /// Takes the power away for a moment, or resets it: what a user does with a beacon that does not reset.
    public func powerCycle() { restart(at: time.now) }

    /// Serves one link until it ends, by whichever side; a beacon that is not up, or has a link already, ends it at
    /// once.
    public func serve(_ bearer: some Bearer, answering answer: Rendezvous<Bool>? = nil) async {
        await pump(bearer, answering: answer)
    }
}
