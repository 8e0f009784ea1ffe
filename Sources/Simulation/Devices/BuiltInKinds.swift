extension ScenarioKind {
    /// The kinds of this module, in the order of the built-in tray.
    static let builtIn: [ScenarioKind] =
        [.secure, .legacy, .kbeacon, .suota, .fbeacon, .mcuboot, .orangeTag] + advertisers

    /// Beacons that only advertise: one kind for each product family of each vendor.
    static let advertisers: [ScenarioKind] = [
        advertiser("kkm", KKMAdvertiser.init(reading:)),
        advertiser("kkm-old") { OldKKMAdvertiser(address: $0.address) },
        advertiser("feasycom", FeasycomAdvertiser.init(reading:)),
        advertiser("kontakt", KontaktAdvertiser.init(reading:)),
        advertiser("estimote", EstimoteAdvertiser.init(reading:)),
        advertiser("nearable", NearableAdvertiser.init(reading:)),
        advertiser("asensor", ASensorAdvertiser.init(reading:)), .iBeacon, .eddystone, .altBeacon,
    ]

    /// The beacon of the built-in tray that advertises on LE Coded alone.
    static let codedBeacon: (any ScenarioBeacon)? = NordicScenarioBeacon.builtIn(11, "Blinker 11") {
        $0.key = TestKey.publicKey
        $0.program = .application
    }

    /// The kind of an entry that names no kind.
    static let `default` = secure
}
