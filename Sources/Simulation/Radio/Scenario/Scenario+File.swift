import Bluetooth
public import Bytes

extension Scenario {
    /// Parses a scenario file (docs/scenarios.md); `state` is relative to the folder of `path`.
    public init(parsing text: [UInt8], path: String) throws(YAMLProblem) {
        let root = try YAMLValue(parsing: text)
        let values = try root.values(of: ["beacons", "link", "state", "connecting", "adapters"])
        guard let list = values["beacons"] else { throw root.problem("'beacons' is missing") }
        if let value = values["link"] { link = try LinkModel.reading(value) }
        let connecting =
            try values["connecting"]?.choice(of: SimulatedController.Connecting.allCases.named) ?? .instant
        controllers =
            try values["adapters"].map { (value: YAMLValue) throws(YAMLProblem) in
                try SimulatedController.reading(value)
            } ?? controllers
        for index in controllers.indices { controllers[index].connecting = connecting }
        var owners: [DeviceAddress: DeviceAddress] = [:]
        for value in try list.list() {
            var entry = try BeaconEntry(value)
            let read = entry.kind.read
            let beacon = try read(&entry)
            try entry.checkKeys()
            try value.claim(beacon.addresses, for: entry.address, &owners)
            beacons.append(beacon)
        }
        guard !owners.isEmpty else { throw list.problem("the list of beacons is empty") }
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

extension YAMLValue {
    /// Refuses two beacons at one address, which no scanner could tell apart.
    fileprivate func claim(
        _ addresses: Set<DeviceAddress>, for address: DeviceAddress,
        _ owners: inout [DeviceAddress: DeviceAddress]
    ) throws(YAMLProblem) {
        for claimed in addresses {
            if let owner = owners.updateValue(address, forKey: claimed) {
                throw problem(
                    "\(owner) and \(address) would both be heard at \(claimed); a bootloader is at its application's "
                        + "address + 1")
            }
        }
    }
}
