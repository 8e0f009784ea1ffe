public import Bluetooth

/// A Feasycom beacon that accepts FBeacon updates, in its application and then its bootloader, as a value.
public struct FBeaconDevice: FlashDevice {
    enum Phase: Hashable, Sendable {
        case commands
        /// The device enters an update when the link ends.
        case leaving
        /// The device waits for a client to send an image over a new link.
        case waiting(until: Duration)
        case transfer
    }

    public let description: FBeaconDescription
    /// The running application; nil if the bootloader is alone.
    package private(set) var running: FBeaconFirmware?

    var receiver: FBeaconReceiver
    var settings: FBeaconSettings
    var session: FBeaconSession
    var phase = Phase.commands
    var restoresSettings = false
    var counts = FBeaconStatistics()
    private var startsUpdate = false
    let start: Duration

    public init(
        _ description: FBeaconDescription, faults: [Fault] = [], retained: [UInt8]? = nil, at now: Duration
    ) {
        self.description = description
        receiver = FBeaconReceiver(description, faults)
        settings = FBeaconSettings(description)
        session = FBeaconSession(description.access)
        start = now
        if let retained { receiver.flash.cells.place(retained, at: 0) }
        _ = reset(at: now)
    }

    /// The statistics that the device itself records; an LED or buzzer that is still on counts until `now`.
    package func statistics(at now: Duration) -> FBeaconStatistics {
        var statistics = counts
        statistics.stopSignals(at: now)
        statistics.transfer = receiver.record
        return statistics
    }

    public var flashSize: Int { description.flashSize }
    public var startTime: Duration { description.startTime }
    public var address: DeviceAddress { description.address }

    public var flash: FlashModel {
        get { receiver.flash.cells }
        set { receiver.flash.cells = newValue }
    }

    /// The version of the installed application, or of the application that was overwritten.
    var version: UInt16 { receiver.flash.note(of: .application)?.version ?? 0 }

    public var inactivityDeadline: Duration? { if case .waiting(let end) = phase { end } else { nil } }

    public mutating func disconnect(at now: Duration) -> Duration? {
        counts.stopSignals(at: now)
        switch phase {
        case .commands, .waiting: return nil
        case .leaving: startsUpdate = true
        case .transfer: break
        }
        return receiver.idle(at: now)
    }

    /// Restarts after a power loss or a reset. Without an application, the bootloader accepts the same commands.
    public mutating func reset(at now: Duration) -> Duration {
        receiver.reset(at: now)
        counts.stopSignals(at: now)
        counts.resets += 1
        let time = description.startTime + receiver.flash.install()
        running = receiver.flash.image(at: .application)
        settings = FBeaconSettings(description)
        settings.read(receiver.flash.settings)
        session = FBeaconSession(description.access)
        phase = startsUpdate ? .waiting(until: now + time + description.transfer.linkTimeout) : .commands
        startsUpdate = false
        return time
    }

    public mutating func linkFault() -> LinkFault? {
        let (packet, isHalfway) = receiver.position
        return isHalfway ? receiver.faults.linkFault(in: packet) : nil
    }
}

/// Advertising. An application follows its settings; a bootloader, alone or waiting for an update, always advertises
/// and accepts links, which is our choice.
///
/// With `ADVIN` 0, an application advertises for the duration in `KEYCFG` after each press in the plan (`clicks`), and
/// accepts no links in between. A plan has no motion, so `GSCFG` is stored and reported without effect; so is `KEYCFG`
/// while the application advertises periodically.
extension FBeaconDevice {
    var advertiser: FeasycomAdvertiser {
        var advertiser = description.advertiser
        advertiser.version = version
        advertiser.needsPIN = description.access.pin != nil
        advertiser.name = settings.name
        return advertiser
    }

    private var followsSettings: Bool { if case .waiting = phase { false } else { running != nil } }

    private var plan: AdvertisingPlan {
        var plan = description.plan
        plan.advertiser = advertiser
        plan.slots = settings.slots(in: description.plan)
        plan.start += start
        let pressed = followsSettings ? settings.afterPress?.period : nil
        plan.period = settings.period ?? pressed ?? plan.period
        if followsSettings, !settings.isConnectable { plan.window.rule = .never }
        return plan
    }

    /// When it advertises, nil for always: from each press to the end of the press's duration, or to the next press.
    private var advertisingPeriods: [Range<Duration>]? {
        guard settings.period == nil, followsSettings else { return nil }
        guard let press = settings.afterPress else { return [] }
        let presses = description.plan.window.clicks.sorted().map { plan.start + $0 }
        return presses.enumerated().map { index, moment in
            let end = moment + press.length
            return moment..<(index + 1 < presses.count ? min(end, presses[index + 1]) : end)
        }
    }

    public func isAudible(at now: Duration) -> Bool {
        advertisingPeriods?.contains { $0.contains(now) } ?? true
    }

    public var advertising: BeaconAdvertising? {
        BeaconAdvertising(plan, from: address, rssi: description.rssi)
    }

    public func reports(after earlier: Duration, through now: Duration) -> [Advertisement] {
        let plan = plan
        let spans = advertisingPeriods?.filter { $0.upperBound > earlier && $0.lowerBound < now }
        return (spans?.map { (max(earlier, $0.lowerBound), min(now, $0.upperBound)) } ?? [(earlier, now)])
            .flatMap { plan.reports(after: $0, through: $1, from: address, rssi: description.rssi) }
    }

    public func nextReport(after now: Duration) -> Duration {
        let silent = now + .milliseconds(100)
        return isAudible(at: now) ? plan.nextReport(after: now) ?? silent : silent
    }

    public mutating func connect(at now: Duration) -> AttributeServer {
        session = FBeaconSession(description.access)
        return AttributeServer(.fbeacon(description, advertiser), maximumMTU: description.maximumMTU)
    }

    /// Processes a packet. The first central that subscribes to FFF1 starts the transfer that the device waits for.
    public mutating func receive(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        let outcome = server.receive(packet)
        var reactions = outcome.answer.map { [BeaconReaction.send($0, at: now)] } ?? []
        if let (value, uuid) = outcome.event?.write, uuid == AttributeTable.fbeaconCommands {
            reactions += take(value, by: server, at: now)
        }
        if case .waiting = phase, server.sendsAnswers {
            phase = .transfer
            receiver.begin(restoringSettings: restoresSettings, at: now)
        }
        return reactions
    }

    private mutating func take(
        _ value: [UInt8], by server: AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        guard value.count <= server.agreedMTU - 3 else { return note(.writeTooLong) }
        switch phase {
        case .commands:
            if !server.sendsAnswers { _ = note(.unsubscribed) }
            return processCommand(value, by: server, at: now)
        case .leaving: return note(.bytesBeforeReconnect)
        case .waiting: return note(.unsubscribed)
        case .transfer: return receiver.take(value, at: now)
        }
    }

    mutating func note(_ rule: FBeaconRule) -> [BeaconReaction] { receiver.note(rule) }

    public var announcementDue: Duration? { receiver.deadline }

    public mutating func announce(by server: inout AttributeServer, at now: Duration) -> [BeaconReaction] {
        receiver.tick(at: now)
    }

    public var brokenRules: [BrokenRule] { receiver.record.brokenRules.map(\.broken) }

    public func meaning(of value: [UInt8], to characteristic: BluetoothUUID) -> WriteMeaning {
        phase == .transfer && characteristic == AttributeTable.fbeaconCommands
            ? .data : .request(ClientRequest("command", ["bytes": value.count]))
    }

    /// The image that was accepted after EOT: its checksum in flash is that of the received bytes.
    public func completedUpdate(at now: Duration) -> CompletedUpdate? {
        receiver.completed.map { image in
            var update = CompletedUpdate(held: image, starts: !receiver.faults.has(.keepOldApplication))
            update.sent = image
            return update
        }
    }
}

extension AttributeServer {
    /// Notifies `text` of FFF1, in pieces that fit the MTU.
    func send(_ text: String, at due: Duration) -> [BeaconReaction] {
        let (bytes, size) = (Array(text.utf8), max(1, agreedMTU - 3))
        return stride(from: 0, to: bytes.count, by: size).map {
            .fbeacon(Array(bytes[$0...].prefix(size)), at: due)
        }
    }

    fileprivate var sendsAnswers: Bool { isSubscribed(to: AttributeTable.fbeaconAnswers, bits: 1) }
}

extension BeaconReaction {
    /// Notifies a value of FFF1.
    static func fbeacon(_ value: [UInt8], at due: Duration) -> BeaconReaction {
        .notify(value, from: AttributeTable.fbeaconAnswers, mayIndicate: false, at: due)
    }
}

public typealias FBeaconBeacon = SimulatedBeacon<FBeaconDevice>

extension SimulatedBeacon<FBeaconDevice> {
    public var runningFirmware: FBeaconFirmware? {
        let device = current
        return time.now >= programStart ? device.running : nil
    }

    package var statistics: FBeaconStatistics {
        var statistics = device.statistics(at: time.now)
        statistics.packetsReceived = faults.packets
        statistics.commandsReceived = faults.commands
        statistics.links = links
        return statistics
    }
}
