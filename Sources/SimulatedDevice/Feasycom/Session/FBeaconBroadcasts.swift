import ByteCoding

/// What a Feasycom beacon sends beside the frame that says what it is, by number from 0 (fbeacon.md, Broadcasts).
///
/// From the factory they are the first frames of its plan that always say the same, in the plan's order. Other frames are
/// sent whatever the broadcasts are.
struct FBeaconBroadcasts: Hashable, Sendable {
    private struct Broadcast: Hashable, Sendable {
        /// Nothing where it was never set, or was taken away.
        var packet: [UInt8] = []
        var isOn = false
    }

    private var all: [Broadcast]
    /// Which slot of the plan each of the first ones comes from.
    private let slots: [Int]

    /// Those from the factory.
    init(_ description: FBeaconDescription) {
        let constant = description.plan.slots.enumerated().compactMap { place, slot in
            Self.packet(of: slot, by: description.advertiser).map { (place, $0) }
        }.prefix(description.broadcasts)
        slots = constant.map(\.0)
        all = constant.map { Broadcast(packet: $0.1, isOn: true) }
        all += [Broadcast](repeating: Broadcast(), count: max(0, description.broadcasts - all.count))
    }

    private static let constant: Set<FrameName> = [.iBeacon, .altBeacon, .eddystoneUID, .eddystoneURL]

    private static func packet(
        of slot: AdvertisingPlan.Slot, by advertiser: FeasycomAdvertiser
    ) -> [UInt8]? {
        guard case .frame(let name) = slot.content, constant.contains(name), slot.damage == FrameDamage(),
            let bytes = advertiser.payload(of: name, at: AdvertisingMoment())?.bytes,
            bytes.count <= AdvertisedFrame.room
        else { return nil }
        return bytes
    }

    /// Whether it has none.
    var isEmpty: Bool { all.isEmpty }

    /// As they are told: an empty field, the number, the packet, and whether it is sent. 00 stands for no packet.
    var rows: [String] { texts.map { ",\($0)" } }

    /// As they are set, and stored.
    var texts: [String] {
        all.enumerated().map { number, one in
            let packet = one.packet.isEmpty ? "00" : HexText.encode(one.packet).uppercased()
            return "\(number),\(packet),\(one.isOn ? 1 : 0)"
        }
    }

    /// Takes `text`: a number, a packet of at most 31 bytes, and 1 or 0. That it looks into no packet is ours.
    mutating func take(_ text: String) -> Bool {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let number = Int(parts[0]), all.indices.contains(number),
            let bytes = try? HexText.decode(parts[1]), bytes.count * 2 == parts[1].utf8.count,
            1...AdvertisedFrame.room ~= bytes.count,
            ["0", "1"].contains(parts[2])
        else { return false }
        let packet = bytes == [0] ? [] : bytes
        let isOn = parts[2] == "1"
        guard !packet.isEmpty || !isOn else { return false }
        all[number] = Broadcast(packet: packet, isOn: isOn)
        return true
    }

    /// The slots of `plan` with the broadcasts that are on; those that are none of its frames come last.
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
