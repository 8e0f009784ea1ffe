public import Bluetooth
import Bytes

/// A device with MCUboot, whose application hosts an SMP server, as a value.
public struct MCUbootDevice: FlashDevice {
    public let description: MCUbootDescription
    var server: SMPServer
    var inbox: SMPInbox
    /// The bootloader's pending steps, each with the time at which it is done.
    private var steps: [(ends: Duration, step: BootStep)] = []
    public private(set) var startTime = Duration.zero
    private var isCrashing = false
    /// When the current request is done.
    private var busyUntil = Duration.zero
    /// When an erase that ended the link is done; the device is silent until then.
    private var silentUntil = Duration.zero
    /// When the next piece of an endless answer is sent; nil if there is none.
    private var floodDue: Duration?
    private var pieces = 0
    /// Whether a fault ended the link: packets that still arrive over it are lost.
    private var isCut = false

    public init(
        _ description: MCUbootDescription, faults: [Fault] = [], retained: [UInt8]? = nil, at now: Duration
    ) {
        self.description = description
        server = SMPServer(description, faults)
        inbox = SMPInbox(description.server)
        server.slots.flash.lostWrites = faults.lostFlashWrites
        if let retained { server.slots.flash.place(retained, at: 0) }
        startTime = reset(at: now)
        // The bootloader of a new device has done all its steps long ago.
        if retained == nil { performSteps(by: nil) }
    }

    public var flashSize: Int { description.flashSize }
    public var address: DeviceAddress { description.address }
    public var flash: FlashModel {
        get { server.slots.flash }
        set { server.slots.flash = newValue }
    }

    public var bond: Int? { server.slots.bond }
    var runningImage: MCUbootImage? { server.running.first.flatMap(\.self)?.image }
    private var application: MCUbootApplication? { runningImage.map(description.application(of:)) }

    /// The description's plan; without one, the name, and the SMP service if the device has and advertises it.
    public var advertising: BeaconAdvertising? {
        let shows = description.advertisesService && application?.hasServer == true
        let service = AdvertisingData.Element.services([AttributeTable.smpService], complete: true)
        return BeaconAdvertising(
            description.advertising,
            or: [.flags(0x06)] + (shows ? [service] : []) + [.name(description.name, complete: true)],
            every: description.advertisingInterval, from: address, rssi: description.rssi)
    }

    /// Whether an application runs that neither crashes nor hangs, from its linked slot, and no erase keeps it silent.
    public func isAudible(at now: Duration) -> Bool {
        guard let application, !isCrashing, !application.hangs else { return false }
        let slot = server.running.first.flatMap(\.self)?.slot.slot
        guard description.bootloader.mode.moves || application.linkedSlot ?? slot == slot else {
            return false
        }
        return now >= silentUntil
    }

    /// Starts the bootloader after a power loss or a reset.
    ///
    /// Its steps take effect one after the other while the device is silent, so that a power loss in the
    /// middle finds the flash as it is then.
    public mutating func reset(at now: Duration) -> Duration {
        performSteps(by: now)
        server.slots.flash.advance(to: now)
        server.slots.flash.dropQueue()
        inbox.clear()
        (busyUntil, silentUntil, floodDue) = (.zero, .zero, nil)
        let start = MCUbootStart(description, server.slots, &server.faults, at: now)
        steps = start.steps
        isCrashing = start.isCrashing
        server.reset(start.running)
        server.record.starts += 1
        return start.moment - now
    }

    /// Carries out the bootloader's steps that are done by `now`; all of them if that is nil.
    private mutating func performSteps(by now: Duration?) {
        let count = now.map { now in steps.prefix { $0.ends <= now }.count } ?? steps.count
        for (_, step) in steps.prefix(count) { step(&server.slots) }
        steps.removeFirst(count)
    }

    /// A copy of the device after all pending flash operations, with the bootloader's steps that are done by `now`.
    public func settled(at now: Duration, before reset: Duration?) -> MCUbootDevice {
        var copy = self
        copy.performSteps(by: now)
        copy.flash.advance(to: copy.flash.idle(at: now))
        return copy
    }

    public mutating func connect(at now: Duration) -> AttributeServer {
        performSteps(by: now)
        isCut = false
        let table = AttributeTable.mcuboot(
            description, application ?? MCUbootApplication(), version: runningImage?.version.description ?? ""
        )
        return AttributeServer(table, maximumMTU: description.maximumMTU)
    }

    /// Drops the waiting requests; the current one is finished.
    public mutating func disconnect(at now: Duration) -> Duration? {
        inbox.clear()
        floodDue = nil
        return nil
    }

    public mutating func encrypt(with key: Int?, _ server: inout AttributeServer, at now: Duration) -> (
        LinkEncryption, [BeaconReaction]
    ) {
        guard description.needsEncryption else { return (.refused("simulated beacons do not pair"), []) }
        if let key { return (key == bond ? .done(key: key) : .refused("the key is missing"), []) }
        let new = (bond ?? 0) + 1
        self.server.slots.bond = new
        return (.done(key: new), [])
    }
}

extension MCUbootDevice {
    /// Processes a packet. A request waits until those before it are done.
    public mutating func receive(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        guard !isCut else { return [] }
        var reactions = work(by: server, at: now)
        let wasSubscribed = server.isSubscribed(to: AttributeTable.smpCharacteristic, bits: 1)
        let outcome = server.receive(packet)
        if let answer = outcome.answer { reactions.append(.send(answer, at: now)) }
        if wasSubscribed, !server.isSubscribed(to: AttributeTable.smpCharacteristic, bits: 1) {
            inbox.dropPartial()
        }
        guard case .commanded(let value, AttributeTable.smpCharacteristic) = outcome.event else {
            return reactions
        }
        let (broken, isDropped) = inbox.receive(value, busy: now < busyUntil ? 2 : 0)
        if let broken { self.server.note(broken) }
        if isDropped { self.server.record.dropped += 1 }
        if self.server.faults.cutsNextRequest, inbox.isHalfway || !inbox.waiting.isEmpty && !inbox.isPartial {
            self.server.faults.countCutRequest()
            inbox.clear()
            isCut = true
            return reactions + [.disconnect(at: now)]
        }
        return reactions + work(by: server, at: now)
    }

    private mutating func work(by link: AttributeServer, at now: Duration) -> [BeaconReaction] {
        var reactions: [BeaconReaction] = []
        while busyUntil <= now, !isCut, !inbox.waiting.isEmpty {
            let hasRoom = inbox.hasRoomForAnswer
            guard let frame = inbox.take() else { break }
            reactions += process(frame, hasRoom, by: link, at: max(now, flash.idle(at: now)))
        }
        return reactions
    }

    private mutating func process(
        _ frame: [UInt8], _ hasRoom: Bool, by link: AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        flash.advance(to: now)
        let fault = server.faults.request()
        if fault == .lost { return [] }
        guard let header = SMPHeader(frame) else { return [] }
        let error: SMPError? =
            switch fault {
            case .busy: .busy
            case .meaningless: .meaningless
            case _ where !hasRoom: .noMemory
            default: nil
            }
        let answers =
            error.map { [server.answer(to: header, .refused($0))] } ?? server.answers(to: frame, at: now)
        let effects = server.effects
        server.effects = []
        busyUntil = max(flash.idle(at: now), now + description.server.answerTime)
        isCut = fault == .powerLoss || fault == .cut
        if fault == .powerLoss { return [.disconnect(at: now), .reset(at: now)] }
        if fault == .cut { return [.disconnect(at: now)] }
        var reactions: [BeaconReaction] = []
        if effects.contains(.endLink) {
            silentUntil = busyUntil
            reactions.append(.disconnect(at: now))
        }
        for answer in answers { reactions += send(answer, by: link, at: busyUntil) }
        if effects.contains(.reset) {
            let due = busyUntil + Self.resetDelay
            reactions += [.disconnect(at: due), .reset(at: due)]
        }
        return reactions
    }

    /// The time from the answer to a reset request until the reset.
    private static var resetDelay: Duration { .milliseconds(250) }
    /// The time between two pieces of an endless answer.
    private static var floodPeriod: Duration { .milliseconds(5) }

    /// Sends an answer in pieces that fit the MTU.
    private mutating func send(
        _ answer: [UInt8], by link: AttributeServer, at moment: Duration
    ) -> [BeaconReaction] {
        var (answer, due, copies) = (answer, moment, 1)
        switch server.faults.answer() {
        case .lost: return []
        case .doubled: copies = 2
        case .delayed(let time): due += time
        case .malformed: answer = Self.cutShort(answer)
        case .endless:
            answer.replaceSubrange(2..<4, with: [0xFF, 0xFF])
            floodDue = due + Self.floodPeriod
        case nil: break
        }
        var reactions: [BeaconReaction] = []
        for _ in 0..<copies {
            var rest = answer[...]
            while !rest.isEmpty {
                pieces += 1
                let isShort = description.server.sendsShortPieces && pieces % 2 == 0
                let size = max(1, (link.agreedMTU - 3) / (isShort ? 2 : 1))
                reactions.append(.smp(Array(rest.prefix(size)), at: due))
                rest = rest.dropFirst(size)
            }
        }
        return reactions
    }

    /// The frame with half of its map; the length field matches that half.
    private static func cutShort(_ answer: [UInt8]) -> [UInt8] {
        let length = (answer.count - SMPHeader.size) / 2
        var cut = Array(answer.prefix(SMPHeader.size + length))
        cut.replaceSubrange(2..<4, with: UInt16(clamping: length).bytes(.big))
        return cut
    }

    /// When the next waiting request is processed, or the next piece of an endless answer is sent.
    public var announcementDue: Duration? {
        [inbox.waiting.isEmpty ? nil : busyUntil, floodDue].compactMap(\.self).min()
    }

    public mutating func announce(by server: inout AttributeServer, at now: Duration) -> [BeaconReaction] {
        var reactions = work(by: server, at: now)
        if let due = floodDue, due <= now {
            floodDue = due + Self.floodPeriod
            reactions.append(.smp([UInt8](repeating: 0, count: server.agreedMTU - 3), at: due))
        }
        return reactions
    }
}

extension BeaconReaction {
    fileprivate static func smp(_ value: [UInt8], at due: Duration) -> BeaconReaction {
        .notify(value, from: AttributeTable.smpCharacteristic, mayIndicate: false, at: due)
    }
}
