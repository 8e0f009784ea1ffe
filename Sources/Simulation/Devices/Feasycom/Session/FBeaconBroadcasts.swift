import Bytes

/// What a Feasycom beacon sends in addition to its identifying frame, by number from 0 (fbeacon.md, Broadcasts).
///
/// The factory broadcasts are the first constant frames of its plan, in the plan's order. All other frames are sent
/// whatever the broadcasts are.
struct FBeaconBroadcasts: Hashable, Sendable {
    private struct Broadcast: Hashable, Sendable {
        /// Empty if it was never set, or was removed.
        var packet: [UInt8] = []
        var isOn = false
    }

    private var all: [Broadcast]
    /// The indices of the plan's slots from which the first broadcasts come.
    private let slots: [Int]

    init(_ description: FBeaconDescription) {
        let constant = description.plan.slots.enumerated().compactMap { place, slot in
            Self.packet(of: slot, by: description.advertiser).map { (place, $0) }
        }.prefix(description.broadcasts)
        slots = constant.map(\.0)
        all = constant.map { Broadcast(packet: $0.1, isOn: true) }
        all += [Broadcast](repeating: Broadcast(), count: max(0, description.broadcasts - all.count))
    }

    private static let constant: Set<FrameName> = [.iBeacon, .altBeacon, .eddystoneUID, .eddystoneURL]

    private static func packet(of slot: AdvertisingPlan.Slot, by advertiser: FeasycomAdvertiser) -> [UInt8]? {
        guard case .frame(let name) = slot.content, constant.contains(name), slot.damage == FrameDamage(),
            let bytes = advertiser.payload(of: name, at: AdvertisingMoment())?.bytes,
            bytes.count <= AdvertisedFrame.capacity
        else { return nil }
        return bytes
    }

    var isEmpty: Bool { all.isEmpty }

    /// The number of each broadcast, its packet in hexadecimal (00 for none), and 1 if it is sent, otherwise 0.
    var texts: [String] {
        all.enumerated().map { number, one in
            let packet = one.packet.isEmpty ? "00" : HexText.encode(one.packet).uppercased()
            return "\(number),\(packet),\(one.isOn ? 1 : 0)"
        }
    }

    /// Accepts `text` of that form, with a packet of at most 31 bytes. Packets are not validated, which is our choice.
    mutating func take(_ text: String) -> Bool {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let number = Int(parts[0]), all.indices.contains(number),
            let bytes = try? HexText.decode(parts[1]), bytes.count * 2 == parts[1].utf8.count,
            1...AdvertisedFrame.capacity ~= bytes.count, ["0", "1"].contains(parts[2])
        else { return false }
        let packet = bytes == [0] ? [] : bytes
        let isOn = parts[2] == "1"
        guard !packet.isEmpty || !isOn else { return false }
        all[number] = Broadcast(packet: packet, isOn: isOn)
        return true
    }

    /// The slots of `plan` with the active broadcasts; those that are not frames of the plan come last.
    func slots(in plan: AdvertisingPlan) -> [AdvertisingPlan.Slot] {
        let own = plan.slots.enumerated().compactMap { place, slot in
            guard let number = slots.firstIndex(of: place) else { return slot }
            return all[number].isOn ? filled(slot, number) : nil
        }
        let added = all.indices.dropFirst(slots.count).filter { all[$0].isOn }
        return own + added.map { filled(AdvertisingPlan.Slot(.raw([])), $0) }
    }

    private func filled(_ slot: AdvertisingPlan.Slot, _ number: Int) -> AdvertisingPlan.Slot {
        var slot = slot
        slot.content = .raw(all[number].packet)
        return slot
    }
}
