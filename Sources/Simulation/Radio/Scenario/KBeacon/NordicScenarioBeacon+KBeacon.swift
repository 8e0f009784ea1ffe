import Bytes

extension NordicScenarioBeacon {
    /// A beacon of kind `kbeacon`: the keys of its bootloader, those of `kkm`, and a session.
    init(kbeacon entry: inout BeaconEntry) throws(YAMLProblem) {
        var advertiser = try KKMAdvertiser(reading: &entry)
        advertiser.name = try entry.text("name") ?? advertiser.name
        try advertiser.standard.read(&entry)
        var plan = AdvertisingPlan(advertiser)
        try plan.read(&entry)
        var description = NordicDescription(address: entry.address)
        try description.readSecure(&entry)
        if let receiver = entry["receiver"] {
            throw receiver.problem("the application of a KBeacon does not accept updates itself")
        }
        description.name = advertiser.name
        description.advertising = description.advertising ?? plan
        let session = try KBeaconDescription(entry["session"], advertiser)
        let mode = description.program
        description.becomeKBeacon(session)
        if entry["mode"] != nil { description.program = mode }
        self.init(description: description, faults: try entry.faults())
    }
}
