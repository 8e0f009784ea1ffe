import BluetoothTypes
import SimulatedDevice
public import YAMLText

extension Scenario {
    /// The scenario in the text of the file at `path` (docs/scenarios.md), whose folder `state` is relative to.
    public init(parsing text: [UInt8], path: String) throws(YAMLProblem) {
        let root = try YAMLValue(parsing: text)
        let values = try root.values(of: ["beacons", "link", "state"])
        guard let list = values["beacons"] else { throw root.problem("'beacons' is missing") }
        if let value = values["link"] { link = try LinkModel.reading(value) }
        cast = []
        var owners: [DeviceAddress: DeviceAddress] = [:]
        for value in try list.list() {
            let entry = try BeaconEntry(value)
            switch entry.kind {
            case .secure, .legacy:
                let member = try Cast(entry)
                try entry.claim([entry.address, member.description.bootloaderAddress], &owners)
                cast.append(member)
            case .suota:
                try entry.claim([entry.address], &owners)
                suota.append(try SUOTACast(entry))
            }
        }
        guard !owners.isEmpty else { throw list.problem("there is no beacon here") }
        if let value = values["state"] {
            let state = try value.text()
            guard !state.isEmpty, !state.contains("\0") else {
                throw value.problem("a folder is expected here")
            }
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            statePath =
                state.hasPrefix("/") || folder.isEmpty ? state : folder.joined(separator: "/") + "/" + state
        }
    }
}

extension BeaconEntry {
    /// Two beacons at one address would be one to everybody who listens.
    fileprivate func claim(
        _ addresses: Set<DeviceAddress>, _ owners: inout [DeviceAddress: DeviceAddress]
    ) throws(YAMLProblem) {
        for claimed in addresses {
            if let owner = owners.updateValue(address, forKey: claimed) {
                throw place.problem(
                    "\(owner) and \(address) would both be heard at \(claimed); a bootloader is at its application's "
                        + "address + 1")
            }
        }
    }
}
