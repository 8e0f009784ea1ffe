import Bluetooth

extension AdvertisedIdentity {
    /// What beacons of its family advertise and this one has not sent yet; empty if nothing more is expected.
    public var missing: [Part] { expected.filter { !has($0) } }

    /// Whether nothing more is expected of its frames.
    public var isComplete: Bool { missing.isEmpty }

    /// What its family advertises sooner or later. Standard formats carry no version, and guarantee nothing else.
    private var expected: [Part] {
        switch family {
        case .kontakt: frames.contains(.kontaktShuffled) ? [.version, .battery] : [.version, .battery, .id]
        case .estimote: [.battery, .id]
        case .nearable, .aSensor, .feasycom: [.version, .id]
        case _ where hasSystemFrame: [.version, .battery, .id]
        case .kkm: [.battery]
        case .kkmOld, .orangeTag, .iBeacon, .eddystone, .altBeacon, .unknown: []
        }
    }

    private func has(_ part: Part) -> Bool {
        switch part {
        case .name: name != nil
        case .version: version != nil
        case .battery: charge != BatteryCharge()
        case .id: id != nil
        }
    }

    /// Whether it is a KBeacon with a system frame among its rotating frames. The name is the factory default
    /// of such beacons, and unlikely for others.
    private var hasSystemFrame: Bool {
        isSecondGeneration || name?.hasPrefix("KBPro") == true
            || address.kind == .public && address.bytes.starts(with: KKMSystem.prefix)
    }
}
