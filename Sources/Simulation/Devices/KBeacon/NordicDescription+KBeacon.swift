import Bluetooth

extension NordicDescription {
    /// Makes the beacon a KBeacon: its application runs, and advertises like KKM's unless it already has other
    /// advertising.
    public mutating func becomeKBeacon(_ kbeacon: KBeaconDescription) {
        self.kbeacon = kbeacon
        program = .application
        (legacy, receiver) = (nil, nil)
        guard advertising == nil else { return }
        var advertiser = KKMAdvertiser(address: address)
        advertiser.name = name
        advertiser.generation = kbeacon.generation.rawValue
        advertiser.battery = kbeacon.battery
        advertiser.version = TwoPartVersion(said: kbeacon.version) ?? advertiser.version
        advertising = AdvertisingPlan(advertiser)
    }

    /// The session of its application.
    func session(_ faults: [Fault], retained: KBeaconMemory?) -> KBeaconSession? {
        kbeacon.map {
            KBeaconSession(
                $0, at: address, advertising?.advertiser.standard ?? StandardIdentity(address: address),
                name: name, faults: faults, retained: retained)
        }
    }
}

extension KBeaconSession {
    /// `plan` with the values that have changed since the description: its name, version and iBeacon.
    func said(in plan: AdvertisingPlan, name: String) -> AdvertisingPlan {
        guard var advertiser = plan.advertiser as? KKMAdvertiser else { return plan }
        if memory.settings.name != name { advertiser.name = memory.settings.name }
        if memory.isUpdated { advertiser.version = TwoPartVersion(said: versionText) ?? advertiser.version }
        let (iBeacon, old) = (memory.settings.iBeacon, factory.iBeacon)
        if iBeacon["uuid"] != old["uuid"], let uuid = iBeacon["uuid"]?.text.flatMap({ BluetoothUUID($0) }) {
            advertiser.standard.uuid = uuid
        }
        if let major = iBeacon["majorID"]?.number { advertiser.standard.major = UInt16(clamping: major) }
        if let minor = iBeacon["minorID"]?.number { advertiser.standard.minor = UInt16(clamping: minor) }
        var plan = plan
        plan.advertiser = advertiser
        return plan
    }
}

extension TwoPartVersion {
    /// The version in a session's text: `V6.20`; `V6.02`, without leading zeros; `V2`, as 2 and 0.
    init?(said text: String) {
        let numbers = text.hasPrefix("V") ? String(text.dropFirst()) : text
        self.init(numbers.contains(".") ? numbers : numbers + ".0")
    }
}
