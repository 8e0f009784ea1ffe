public import Bluetooth
import Bytes

/// A device whose application hosts the SUOTA service, as a value.
public struct SUOTADevice: FlashDevice {
    public let description: SUOTADescription
    package internal(set) var receiver: any SUOTAReceiver
    package private(set) var boot: SUOTABoot

    var faults: SUOTAFaultPlan
    var statuses: [UInt8] = []
    var gate: SUOTAGate
    var refusals = 0

    public init(
        _ description: SUOTADescription, faults: [Fault] = [], retained: [UInt8]? = nil, at now: Duration
    ) {
        self.description = description
        self.faults = SUOTAFaultPlan(faults)
        gate = SUOTAGate(description.pin)
        var board = description.board
        if self.faults.has(.ignoreReboot) { board.resets = false }
        if let status = self.faults.wrongPins {
            board.pins = ~(board.pins ?? 0)
            board.wrongPinsStatus = status
        }
        receiver = description.personality.receiver(board)
        receiver.flash.lostWrites = faults.lostFlashWrites
        if let retained { receiver.flash.place(retained, at: 0) }
        boot = receiver.reset(at: now)
    }

    public var flashSize: Int { description.flashSize }
    public var startTime: Duration { boot.time }
    public var address: DeviceAddress { description.address }

    public var flash: FlashModel {
        get { receiver.flash }
        set { receiver.flash = newValue }
    }

    public var advertising: BeaconAdvertising? {
        let service = AdvertisingData.Element.services([AttributeTable.suotaService], complete: false)
        return BeaconAdvertising(
            description.advertising,
            or: [.flags(0x06)] + (description.advertisesService ? [service] : []) + batteryFrames
                + [.name(description.name, complete: true)],
            every: description.advertisingInterval, from: address, rssi: description.rssi)
    }

    public func isAudible(at now: Duration) -> Bool { boot.isAlive }

    private var batteryFrames: [AdvertisingData.Element] {
        // The version byte is the number before the first dot of the text.
        let major = boot.image.flatMap { UInt8($0.version.prefix { $0 != "." }) } ?? 0
        return [
            description.batteryPercent.map { BatteryFrames.aSensor($0, address, version: major) },
            description.batteryMillivolts.map(BatteryFrames.telemetry),
        ].compactMap(\.self)
    }

    public mutating func disconnect(at now: Duration) -> Duration? { receiver.disconnect(at: now) }

    public mutating func reset(at now: Duration) -> Duration {
        boot = receiver.reset(at: now)
        return boot.time
    }

    public mutating func linkFault() -> LinkFault? { faults.linkFault(receiver) }

    public mutating func connect(at now: Duration) -> AttributeServer {
        let table = AttributeTable.suota(
            description, version: description.reportsVersion ? boot.image?.version : nil)
        var server = AttributeServer(table, maximumMTU: description.personality.maximumMTU)
        receiver.connect(at: now)
        gate.connect()
        server.set([receiver.status], for: AttributeTable.suotaStatus)
        showValues(by: &server)
        return server
    }

    /// The receiver's reaction to a packet.
    ///
    /// Packets are processed one at a time: one that arrives while flash is busy is answered afterwards.
    public mutating func receive(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        var due = receiver.idle(at: now)
        let outcome = server.receive(packet)
        let usual = outcome.answer.map { [BeaconReaction.send($0, at: due)] } ?? []
        if let (value, uuid) = outcome.event?.write, uuid == AttributeTable.fbeaconCommands {
            return usual + gate.answers(to: value).flatMap { server.send($0, at: due) }
        }
        guard let (value, uuid) = outcome.event?.write, let target = SUOTATarget(uuid) else {
            showValues(by: &server)
            return usual
        }
        guard gate.isOpen else {
            refusals += 1
            return outcome.answer == nil
                ? [] : [.send(AttributeServer.refusal(of: packet, code: SUOTAGate.refusal), at: due)]
        }
        let reply = receiver.write(value, to: target, at: now)
        var answer = outcome.answer
        if answer != nil {
            due += faults.responseDelay()
            if let code = reply.refusal {
                answer = AttributeServer.refusal(of: packet, code: code)
                refusals += 1
            } else {
                server.set(value, for: uuid)
            }
        }
        let isEarly = faults.isNextEarly && !reply.reactions.isEmpty
        showValues(by: &server)
        let reactions = carryOut(reply.reactions, by: &server)
        guard let answer else { return reactions }
        guard isEarly else { return [.send(answer, at: due)] + reactions }
        // The response follows the notification, so it is not sent before the notification is due.
        let notified = reply.reactions.compactMap { if case .notify(_, let due) = $0 { due } else { nil } }
            .max()
        return reactions + [.send(answer, at: max(notified ?? due, due))]
    }

    private mutating func carryOut(
        _ reactions: [FirmwareReaction], by server: inout AttributeServer
    ) -> [BeaconReaction] {
        var list: [BeaconReaction] = []
        for reaction in reactions {
            switch reaction {
            case .notify(let value, let due):
                let value = faults.applyFaults(to: value)
                statuses += value
                server.set(value, for: AttributeTable.suotaStatus)
                // Only a 58x indicates if the client enables indications.
                let mayIndicate = description.personality.family == .da1458x
                list.append(
                    .notify(value, from: AttributeTable.suotaStatus, mayIndicate: mayIndicate, at: due))
            case .disconnect(let due): list.append(.disconnect(at: due))
            case .reset(let due): list.append(.reset(at: due))
            }
        }
        return list
    }

    private func showValues(by server: inout AttributeServer) {
        let info = faults.memoryInfo ?? receiver.memoryInfo
        server.set(info.bytes(), for: AttributeTable.suotaMemoryInfo)
        server.set(UInt16(clamping: server.agreedMTU).bytes(), for: AttributeTable.suotaMTU)
    }

    /// When the signature check ends; nil if none is under way.
    public var announcementDue: Duration? { receiver.verdictDue }

    public mutating func announce(by server: inout AttributeServer, at now: Duration) -> [BeaconReaction] {
        carryOut(receiver.verdict(at: now).reactions, by: &server)
    }

    public func channel(to psm: UInt16) -> ChannelOffer? {
        guard !faults.has(.refuseChannel), receiver.listens(on: psm) else { return nil }
        return ChannelOffer(
            maximumPacket: description.personality.channelMTU,
            credits: description.personality.channelCredits)
    }

    public mutating func receiveOverChannel(
        _ packet: [UInt8], by server: inout AttributeServer, at now: Duration
    ) -> [BeaconReaction] {
        let reactions = carryOut(receiver.channel(packet, at: now).reactions, by: &server)
        showValues(by: &server)
        return reactions
    }

    public var offeredChannel: (psm: UInt16, maximumPacket: Int)? {
        description.personality.psm.map { ($0, description.personality.channelMTU) }
    }

    public var brokenRules: [BrokenRule] { receiver.record.brokenRules.map(\.broken) }

    public func meaning(of value: [UInt8], to characteristic: BluetoothUUID) -> WriteMeaning {
        switch SUOTATarget(characteristic) {
        case .patchData: .data
        case .patchLength: .request(ClientRequest("patch-length", ["bytes": value.field(0, 2)]))
        case .pinMap: .request(ClientRequest("pins", ["map": value.field(0, 4)]))
        case .memoryDevice: .request(.memoryDevice(value))
        case nil: .request(ClientRequest("write", ["bytes": value.count]))
        }
    }

    /// The accepted bytes of the file, including the header.
    public var acceptedBytes: Int { receiver.acceptedBytes }

    /// The image that a reset would start now; nil until END was answered with success.
    public func completedUpdate(at now: Duration) -> CompletedUpdate? {
        guard receiver.hasEnded, receiver.status == ReceiverStatus.ok.rawValue, receiver.verdictDue == nil
        else { return nil }
        var next = receiver
        let boot = next.reset(at: next.idle(at: now))
        guard let image = boot.image else { return nil }
        return CompletedUpdate(
            held: image.payload, from: receiver.codeStart, starts: boot.isAlive && image != self.boot.image)
    }
}

extension ClientRequest {
    /// A write to MEM_DEV (dialog-suota.md, Commands).
    fileprivate static func memoryDevice(_ value: [UInt8]) -> ClientRequest {
        switch value.last {
        case 0x12, 0x13: ClientRequest("start", ["memory": value.field(3, 1), "bank": value.field(0, 3)])
        case 0xFD: ClientRequest("reboot")
        case 0xFE: ClientRequest("end")
        case 0xFF: ClientRequest("abort")
        case let type: ClientRequest("unknown", ["memory": Int(type ?? 0)])
        }
    }
}

public typealias SUOTABeacon = SimulatedBeacon<SUOTADevice>

extension SimulatedBeacon<SUOTADevice> {
    /// The running image; nil if nothing runs, which no update may ever cause.
    package var runningImage: SUOTABoot.Image? {
        let device = current
        return device.boot.isAlive && time.now >= programStart ? device.boot.image : nil
    }

    /// The image that a reset at this moment would start.
    package var nextImage: SUOTABoot.Image? {
        var copy = current
        _ = copy.reset(at: time.now)
        return copy.boot.isAlive ? copy.boot.image : nil
    }

    package var state: any SUOTAReceiver { current.receiver }

    package var statistics: SUOTAStatistics {
        SUOTAStatistics(
            packetsReceived: faults.packets, commandsReceived: faults.commands, links: links,
            channels: channels, statuses: device.statuses, refusals: device.refusals,
            receiver: device.receiver.record)
    }
}

package struct SUOTAStatistics: Hashable, Sendable {
    /// Packets of any kind, including those of the channel.
    package internal(set) var packetsReceived = 0
    /// The Write Commands and channel packets among `packetsReceived`, including those lost on the air.
    package internal(set) var commandsReceived = 0
    package internal(set) var links = 0
    package internal(set) var channels = 0
    package internal(set) var statuses: [UInt8] = []
    /// Write Requests answered with an error.
    package internal(set) var refusals = 0
    package internal(set) var receiver = SUOTARecord()
}
