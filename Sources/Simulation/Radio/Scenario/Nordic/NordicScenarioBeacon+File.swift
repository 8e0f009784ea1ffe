import Bytes

extension NordicScenarioBeacon {
    /// A beacon of kind `nordic-secure`.
    init(secure entry: inout BeaconEntry) throws(YAMLProblem) {
        var description = NordicDescription(address: entry.address)
        description.firmwareRevision = Self.revision(try entry.text("firmware_revision"))
        try description.readSecure(&entry)
        self.init(description: description, faults: try entry.faults())
    }

    /// A beacon of kind `nordic-legacy`.
    init(legacy entry: inout BeaconEntry) throws(YAMLProblem) {
        var description = NordicDescription(address: entry.address, legacy: try LegacyDevice(&entry))
        let ways = [
            "legacy": ButtonlessKind?.none, "none": .some(.none), "sdk-14": .named, "sdk-13": .nameless,
        ]
        if let way = try entry.choice("buttonless", of: ways), let way {
            description.buttonless = way
            description.hasSecureEntry = way != .none
        }
        try description.readCommon(&entry)
        self.init(description: description, faults: try entry.faults())
    }

    private static func revision(_ text: String?) -> FirmwareRevision {
        switch text {
        case "number", nil: .number
        case "dotted": .dotted
        case "none": .none
        case .some(let text): .text(text)
        }
    }
}

extension NordicDescription {
    private static let personalities: [String: BootloaderPersonality] = [
        "sdk-12.3": .sdk12_3, "sdk-13.1": .sdk13_1, "sdk-14.2": .sdk14_2, "sdk-15.0": .sdk15_0,
        "sdk-15.3": .sdk15_3, "sdk-16.0": .sdk16_0, "sdk-17.1": .sdk17_1,
        "sdk-17.1-saving-progress": .sdk17_1SavingProgress,
    ]

    /// Reads the keys of beacons with a Secure bootloader.
    mutating func readSecure(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        personality = try entry.choice("personality", of: Self.personalities) ?? .sdk17_1
        buttonless = try entry.choice("buttonless", of: ButtonlessKind.allCases.named) ?? .named
        if buttonless == .bonded { requireBonds() }
        isBonded = try entry.truth("bonded") ?? false
        hardwareVersion = try entry.number("hardware") ?? hardwareVersion
        bootloaderVersion = try entry.number("bootloader_version") ?? 0
        crashesOnName = try entry.truth("crashes_on_name") ?? false
        takesName = try entry.truth("bootloader_takes_name") ?? true
        try readCommon(&entry)
    }

    /// Reads the keys of both kinds of bootloader; `receiver` takes precedence.
    fileprivate mutating func readCommon(_ entry: inout BeaconEntry) throws(YAMLProblem) {
        key = try entry["key"]?.publicKey()
        program =
            try entry.choice("mode", of: ["bootloader": .bootloader, "application": .application])
            ?? .bootloader
        timing = try entry.choice("flash", of: ["stock": .stock, "instant": .instant]) ?? .stock
        name = try entry.text("name") ?? name
        bootloaderName = try entry.text("bootloader_name") ?? bootloaderName
        let installed: UInt16 = try entry.number("softdevice") ?? 0x98
        softDevice = installed == 0 ? nil : installed
        applicationVersion = try entry.number("application_version") ?? 0
        rssi = try entry.number("rssi") ?? rssi
        batteryMillivolts = try entry.number("battery_mv", in: 1...UInt16.max)
        advertising = try entry.advertising()
        advertisingInterval = try entry.advertisingInterval("advertising_ms")
        bootloaderAdvertisingInterval =
            try entry.advertisingInterval("bootloader_advertising_ms") ?? advertisingInterval
        bootloaderAddress = try entry["bootloader_address"]?.address() ?? bootloaderAddress
        if let kilobytes = try entry.number("flash_kb", in: 256...4096) as Int? {
            layout.size = kilobytes * 1024
        }
        if let receiver = entry["receiver"] { try takeUpdates(receiver) }
    }
}

extension YAMLValue {
    /// The key that verifies signatures; nil if packages need no signature.
    fileprivate func publicKey() throws(YAMLProblem) -> P256PublicKey? {
        switch try text() {
        case "test": return TestKey.publicKey
        case "none": return nil
        case let digits:
            let bytes = (try? HexText.decode(digits)) ?? []
            guard bytes.count == 64,
                let key = P256PublicKey(x: bytes[..<32].reversed(), y: bytes[32...].reversed())
            else {
                throw problem("a key must be 'test', 'none', or the 128 digits of a public key")
            }
            return key
        }
    }
}
