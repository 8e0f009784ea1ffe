extension NordicDevice {
    /// The key of the application's bond with a central.
    public var bond: Int? { bootloader.settings.bonds?.application }

    /// Encrypts with the key of a bond, or pairs if the central has none (nordic-buttonless.md, Bonds).
    public mutating func encrypt(with key: Int?, _ server: inout AttributeServer, at now: Duration) -> (
        LinkEncryption, [BeaconReaction]
    ) {
        let outcome = program == .application ? encryptApplication(key) : encryptBootloader(key)
        // A new central has no cached services to discard.
        guard case .done = outcome, key != nil,
            let packet = server.serviceChange(from: AttributeTable.dfuService)
        else { return (outcome, []) }
        return (outcome, [.send(packet, at: now)])
    }

    private mutating func encryptApplication(_ key: Int?) -> LinkEncryption {
        guard description.buttonless == .bonded else { return .refused("simulated beacons do not pair") }
        var bonds = bootloader.settings.bonds ?? BondKeys()
        if let key { return key == bonds.application ? .done(key: key) : .refused("the key is missing") }
        guard description.keepsBonds else { return .done(key: nil) }
        bonds.application = (bonds.application ?? 0) + 1
        bootloader.store(bonds: bonds)
        return .done(key: bonds.application)
    }

    private func encryptBootloader(_ key: Int?) -> LinkEncryption {
        guard let key, !faults.losesBond else { return .refused("pairing is not supported") }
        let known = bootloader.settings.bonds?.bootloader
        let isKnown = description.personality.requiresBonds && key == known
        return isKnown ? .done(key: key) : .refused("the key is missing")
    }

    /// Shares the application's bond with the bootloader.
    mutating func handOverBond() {
        guard description.buttonless == .bonded, var bonds = bootloader.settings.bonds else { return }
        bonds.bootloader = bonds.application
        bootloader.store(bonds: bonds)
    }
}
