public import Bluetooth

extension MCUbootDevice {
    public var brokenRules: [BrokenRule] { server.record.brokenRules.map(\.broken) }

    /// The meaning of a write: chunks of an image, and pieces of requests, are data.
    public func meaning(of value: [UInt8], to characteristic: BluetoothUUID) -> WriteMeaning {
        guard characteristic == AttributeTable.smpCharacteristic else {
            return .request(ClientRequest("write", ["bytes": value.count]))
        }
        guard SMPHeader.isRequest(value), let header = SMPHeader(value) else { return .data }
        let name: String
        switch (header.group, header.command, header.isRead) {
        case (0, 0, _): name = "echo"
        case (0, 5, _): name = "reset"
        case (0, 6, _): name = "parameters"
        case (0, 8, _): name = "bootloader"
        case (1, 0, true): name = "image-state"
        case (1, 0, false): name = "set-image-state"
        case (1, 1, _): return .data
        case (1, 5, _): name = "erase"
        case (1, 6, _): name = "slots"
        case (63, 0, _): name = "erase-storage"
        default: name = "other"
        }
        return .request(ClientRequest(name, ["group": Int(header.group), "command": Int(header.command)]))
    }

    public var acceptedBytes: Int { (server.session ?? server.finished)?.offset ?? 0 }

    /// The received upload; nil unless the bootloader will start it.
    public func completedUpdate(at now: Duration) -> CompletedUpdate? {
        guard let finished = server.finished, let image = server.slots.image(finished.slot) else {
            return nil
        }
        var next = settled(at: now, before: nil)
        guard next.startsNext(finished.slot) else { return nil }
        let held = next.server.slots.content(finished.slot, 0..<finished.size)
        _ = next.reset(at: next.flash.idle(at: now))
        let runs =
            next.server.running.indices.contains(finished.slot.image)
            && next.server.running[finished.slot.image]?.image.hash == image.hash
        var update = CompletedUpdate(held: held, starts: runs)
        update.sent = finished.sent
        return update
    }

    /// Whether the bootloader was asked to start `slot`, or does so without being asked.
    private func startsNext(_ slot: ImageSlot) -> Bool {
        switch description.bootloader.mode {
        case .directXIP, .ramLoad: true
        default: server.slots.trailer(slot).magic == .good
        }
    }
}

/// An image in a slot, as an observer sees it.
public struct MCUbootSlotState: Hashable, Sendable {
    /// The number of the image: 0 for the application, 1 for the network core.
    public let image: Int
    /// The slot, 0 or 1.
    public let slot: Int
    /// The version in its header, as the list of images has it.
    public let version: String
    /// The hash with which clients name it.
    public let hash: [UInt8]
    public let isActive: Bool
    /// Whether it runs, and will still run after the next reset.
    public let isConfirmed: Bool
    /// Whether it will run after the next reset.
    public let isPending: Bool
}

/// A simulated beacon with MCUboot and an SMP server.
public typealias MCUbootBeacon = SimulatedBeacon<MCUbootDevice>

extension SimulatedBeacon<MCUbootDevice> {
    private var settled: MCUbootDevice { current.settled(at: time.now, before: resetDue) }

    /// The images in the slots; empty while the bootloader works.
    public var slots: [MCUbootSlotState] {
        guard time.now >= programStart else { return [] }
        let server = settled.server
        return (server.state()["images"]?.list ?? []).compactMap(\.map).map { entry in
            MCUbootSlotState(
                image: entry["image"]?.number ?? 0, slot: entry["slot"]?.number ?? 0,
                version: entry["version"]?.text ?? "", hash: entry["hash"]?.bytes ?? [],
                isActive: entry["active"]?.truth ?? false, isConfirmed: entry["confirmed"]?.truth ?? false,
                isPending: entry["pending"]?.truth ?? false)
        }
    }

    /// The version of the running application; nil if none runs.
    public var runningVersion: String? {
        let device = settled
        return time.now >= programStart && device.isAudible(at: time.now)
            ? device.runningImage?.version.description : nil
    }

    public func content(image: Int, slot: Int) -> [UInt8] {
        let slots = settled.server.slots
        guard (0..<slots.layout.images).contains(image), (0...1).contains(slot) else { return [] }
        return slots.content(ImageSlot(image: image, slot: slot), 0..<slots.layout.slotSize)
    }

    package var record: SMPRecord { device.server.record }
    /// Packets of any kind that it has received over its life.
    package var packetsReceived: Int { faults.packets }
}
