import Bluetooth
import Identity

extension TraySightings {
    /// The finding for `unit`; nil while it is not clear or more adverts are needed.
    func finding(of unit: UnitNumber, _ target: TrayTarget, at moment: Duration) -> TrayFinding? {
        let seen = candidates[unit.value].compactMap { beacons[$0] }
        guard let first = seen.map(\.firstSeen).min() else { return loader(of: unit, target, at: moment) }
        // An address belongs to one beacon, except that another may have the same digits with the other address type.
        let isPatient = !target.device.isUnique && moment - first < Self.company
        guard !isPatient else { return nil }
        guard seen.count == 1, let beacon = seen.first else {
            return .ambiguous(seen.map(\.address).sorted { "\($0)" < "\($1)" })
        }
        guard isRipe(beacon, at: moment) else { return nil }
        if let owner = owners[beacon.address] {
            return .taken(beacon.address, by: targets[owner.value].slot)
        }
        if let label = target.label, let id = beacon.identity.id, id.lowercased() != label.lowercased() {
            return .mislabelled(beacon, says: id)
        }
        return .unit(beacon)
    }

    /// The unit's bootloader, if its application stays silent.
    private func loader(of unit: UnitNumber, _ target: TrayTarget, at moment: Duration) -> TrayFinding? {
        guard let beacon = bootloaders[unit.value].flatMap({ beacons[$0] }), owners[beacon.address] == nil,
            // A slot that names that address has precedence.
            !targets.contains(where: { $0.device.means(beacon.address) }),
            target.mayBeInBootloader || moment - beacon.firstSeen >= Self.company
        else { return nil }
        return .bootloader(beacon, absent: beacon.address.neighbour(-1))
    }

    private func isRipe(_ beacon: BeaconSighting, at moment: Duration) -> Bool {
        let age = moment - beacon.firstSeen
        guard beacon.isKnown else { return beacon.isHeardOut || age >= Self.firstTurns }
        return beacon.isDecidable || age >= Self.wholeTurn
    }
}
