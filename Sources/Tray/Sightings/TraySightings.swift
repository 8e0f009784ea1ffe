package import Bluetooth
import Firmware
import UpdateModel

/// Which units of a tray were heard, and by which adapter. This is a value, which has no clock and awaits nothing.
///
/// A unit counts as heard when it is identified and has sent everything that an update depends on, as far as beacons of
/// its kind send it.
package struct TraySightings: Sendable {
    package struct Heard: Hashable, Sendable {
        package let unit: UnitNumber
        package let adapter: AdapterNumber
        package let dBm: Int8?
    }

    /// How long to wait for a second beacon that the selector also matches, or for the application of a bootloader.
    package static let secondBeaconWait = Duration.seconds(2)
    /// How long to wait for the maker: it may be named only in the scan response, which is lost now and then.
    static let makerWait = Duration.seconds(3)
    /// How long to wait for all frames: four kinds, one every 2 s (beacon-frames.md, One identity of many frames).
    static let allFramesWait = Duration.seconds(10)
    /// The shortest time between two reports of the same unit by the same adapter.
    static let repetition = Duration.seconds(1)

    var targets: [TrayTarget]
    var sightings: BeaconSightings
    /// The state of each beacon that may be a unit.
    var beacons: [DeviceAddress: BeaconSighting] = [:]
    /// For each unit, the addresses of the beacons that its selector matches.
    var candidates: [[DeviceAddress]]
    /// For each unit, the address of a bootloader that was heard where the unit's bootloader is expected.
    var bootloaders: [DeviceAddress?]
    private var findings: [TrayFinding?]
    /// Units without a finding, in order. Most reports arrive when none is left.
    private var unidentified: [UnitNumber]
    /// Units by the address that their selector names.
    private var byAddress: [DeviceAddress: [UnitNumber]] = [:]
    /// Units by the address where their bootloader is expected.
    private var byNeighbour: [DeviceAddress: [UnitNumber]] = [:]
    /// Units whose selector names no address: adverts show whether they match.
    private var withoutAddress: [UnitNumber] = []
    var owners: [DeviceAddress: UnitNumber] = [:]
    var strengths: [DeviceAddress: [AdapterNumber: Int8?]] = [:]
    /// When each adapter's last report of an address was passed on.
    private var lastReports: [DeviceAddress: [AdapterNumber: Duration]] = [:]

    /// Starts with nothing heard. `isComplete`: whether the adapters pass on every report that they receive.
    package init(_ targets: [TrayTarget], isComplete: Bool = false) {
        self.targets = targets
        sightings = BeaconSightings(isComplete: isComplete)
        candidates = Array(repeating: [], count: targets.count)
        bootloaders = Array(repeating: nil, count: targets.count)
        findings = Array(repeating: nil, count: targets.count)
        unidentified = targets.indices.map { UnitNumber($0) }
        for (index, target) in targets.enumerated() {
            let unit = UnitNumber(index)
            for address in target.device.addresses {
                byAddress[address, default: []].append(unit)
                guard target.bootloaders.isEmpty else { continue }
                byNeighbour[address.neighbour(1), default: []].append(unit)
            }
            for address in target.bootloaders { byNeighbour[address, default: []].append(unit) }
            if target.device.addresses.isEmpty { withoutAddress.append(unit) }
        }
    }

    /// Processes a report that `adapter` received at `moment`; returns the units that now count as heard.
    package mutating func hear(
        _ report: Advertisement, by adapter: AdapterNumber, at moment: Duration
    ) -> [Heard] {
        let address = report.address
        let beacon = sightings.add(report, at: moment)
        let selected =
            (byAddress[address] ?? []) + withoutAddress.filter { targets[$0.value].device.matches(beacon) }
        for unit in selected where !candidates[unit.value].contains(address) {
            candidates[unit.value].append(address)
        }
        let isBootloader = beacon.mayBeAboveItsApplication
        let above = (byNeighbour[address] ?? []).filter {
            targets[$0.value].bootloaders.isEmpty ? isBootloader : beacon.isBootloader
        }
        for unit in above { bootloaders[unit.value] = address }
        guard !selected.isEmpty || !above.isEmpty || owners[address] != nil else { return [] }
        beacons[address] = beacon
        strengths[address, default: [:]][adapter] = max(
            strengths[address]?[adapter].flatMap(\.self), report.rssi)
        if let owner = owners[address] {
            return reportHearing(owner, address, adapter, report.rssi, at: moment)
        }
        return identify((selected + above).sorted(), at: moment)
    }

    /// Identifies units for which enough time has passed by `moment`; returns those that now count as heard.
    package mutating func identify(at moment: Duration) -> [Heard] { identify(unidentified, at: moment) }

    private mutating func identify(_ units: [UnitNumber], at moment: Duration) -> [Heard] {
        var heard: [Heard] = []
        for unit in units where findings[unit.value] == nil {
            guard let finding = finding(of: unit, targets[unit.value], at: moment) else { continue }
            findings[unit.value] = finding
            unidentified.removeAll { $0 == unit }
            guard let address = finding.address else { continue }
            owners[address] = unit
            for (adapter, dBm) in (strengths[address] ?? [:]).sorted(by: { $0.key < $1.key }) {
                heard += reportHearing(unit, address, adapter, dBm, at: moment)
            }
        }
        return heard
    }

    /// When ``identify(at:)`` is due without a report; nil if only a report can change anything.
    package func nextMoment(after moment: Duration) -> Duration? {
        var next: Duration?
        for unit in unidentified {
            for address in candidates[unit.value] + [bootloaders[unit.value]].compactMap(\.self) {
                guard let first = beacons[address]?.firstSeen else { continue }
                for wait in [Self.secondBeaconWait, Self.makerWait, Self.allFramesWait]
                where first + wait > moment {
                    next = Swift.min(next ?? first + wait, first + wait)
                }
            }
        }
        return next
    }

    package func finding(of unit: UnitNumber) -> TrayFinding? {
        guard let finding = findings[unit.value] else { return nil }
        switch finding {
        case .unit(let beacon): return .unit(beacons[beacon.address] ?? beacon)
        case .bootloader(let beacon, let application):
            return .bootloader(beacons[beacon.address] ?? beacon, silentApplication: application)
        case .ambiguous, .taken, .mislabelled: return finding
        }
    }

    /// Searches for a unit again, by the reports from now on. A unit that was changed (`wasChanged`) may run its bootloader,
    /// which advertises neither the unit's name nor its id, so it is then searched for by address.
    package mutating func forget(_ unit: UnitNumber, wasChanged: Bool) {
        if wasChanged, let application = findings[unit.value]?.application { pin(unit, at: application) }
        if let address = findings[unit.value]?.address, owners[address] == unit {
            owners[address] = nil
            lastReports[address] = nil
        }
        for address in candidates[unit.value] + [bootloaders[unit.value]].compactMap(\.self) {
            beacons[address] = nil
            strengths[address] = nil
        }
        if findings[unit.value] != nil { unidentified = (unidentified + [unit]).sorted() }
        (findings[unit.value], candidates[unit.value], bootloaders[unit.value]) = (nil, [], nil)
        if wasChanged { targets[unit.value].mayBeInBootloader = true }
    }

    /// Replaces a selector without an address by the address of the unit's application.
    private mutating func pin(_ unit: UnitNumber, at application: DeviceAddress) {
        guard withoutAddress.contains(unit) else { return }
        targets[unit.value].device = .address(application)
        byAddress[application, default: []].append(unit)
        if targets[unit.value].bootloaders.isEmpty {
            byNeighbour[application.neighbour(1), default: []].append(unit)
        }
        withoutAddress.removeAll { $0 == unit }
    }

    /// All addresses heard, except those of one unit: its application's address and, if `wasChanged`, its bootloader's.
    /// `chosen`: the bootloader's addresses, if the user has chosen them; otherwise empty.
    package func allAddresses(
        except application: DeviceAddress?, wasChanged: Bool, chosen: [DeviceAddress] = []
    ) -> Set<DeviceAddress> {
        let others = sightings.all.filter {
            guard $0.address != application else { return false }
            guard chosen.isEmpty else { return !(wasChanged && chosen.contains($0.address)) }
            return !(wasChanged && $0.address == application?.neighbour(1) && $0.mayBeAboveItsApplication)
        }
        return Set(others.map(\.address))
    }

    /// The report for the schedule that `adapter` has heard `unit`; none if its last one has just been passed on.
    private mutating func reportHearing(
        _ unit: UnitNumber, _ address: DeviceAddress, _ adapter: AdapterNumber, _ dBm: Int8?,
        at moment: Duration
    ) -> [Heard] {
        if let last = lastReports[address]?[adapter], moment - last < Self.repetition { return [] }
        lastReports[address, default: [:]][adapter] = moment
        return [Heard(unit: unit, adapter: adapter, dBm: dBm)]
    }

    /// The finding for `unit`; nil while more time or more adverts are needed.
    func finding(of unit: UnitNumber, _ target: TrayTarget, at moment: Duration) -> TrayFinding? {
        let seen = candidates[unit.value].compactMap { beacons[$0] }
        guard let first = seen.map(\.firstSeen).min() else { return bootloader(of: unit, target, at: moment) }
        // An address belongs to one beacon; but an address without its type may match a second one, of the other type.
        let mayMatchSecond = !target.device.isUnique && moment - first < Self.secondBeaconWait
        guard !mayMatchSecond else { return nil }
        guard seen.count == 1, let beacon = seen.first else {
            return .ambiguous(seen.map(\.address).sorted { "\($0)" < "\($1)" })
        }
        guard isReadyToDecide(beacon, at: moment) else { return nil }
        if let owner = owners[beacon.address] {
            return .taken(beacon.address, by: targets[owner.value].slot)
        }
        if let label = target.label, let id = beacon.identity.id, id.lowercased() != label.lowercased() {
            return .mislabelled(beacon, says: id)
        }
        return .unit(beacon)
    }

    /// The unit's bootloader, if it was heard and the application stays silent; otherwise nil.
    private func bootloader(of unit: UnitNumber, _ target: TrayTarget, at moment: Duration) -> TrayFinding? {
        guard let beacon = bootloaders[unit.value].flatMap({ beacons[$0] }), owners[beacon.address] == nil,
            // A slot that names the bootloader's address has precedence.
            !targets.contains(where: { $0.device.names(beacon.address) }),
            target.mayBeInBootloader || moment - beacon.firstSeen >= Self.secondBeaconWait
        else { return nil }
        // If no selector names the application's address, it follows from the bootloader's by the address rule.
        let application = target.bootloaders.isEmpty ? nil : target.device.likelyAddress
        return .bootloader(beacon, silentApplication: application ?? beacon.address.neighbour(-1))
    }

    private func isReadyToDecide(_ beacon: BeaconSighting, at moment: Duration) -> Bool {
        let age = moment - beacon.firstSeen
        guard beacon.isKnown else { return beacon.isHeardOut || age >= Self.makerWait }
        return beacon.isDecidable || age >= Self.allFramesWait
    }
}

private func max(_ one: Int8?, _ other: Int8?) -> Int8? {
    guard let one, let other else { return one ?? other }
    return Swift.max(one, other)
}
