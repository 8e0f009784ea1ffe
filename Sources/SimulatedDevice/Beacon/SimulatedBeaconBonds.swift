import Timing

extension SimulatedBeacon {
    /// What comes of a central's wish to encrypt the link.
    public enum Encryption: Hashable, Sendable {
        /// The link is encrypted; with the key that both ends keep, nil where they keep none.
        case done(key: Int?)
        /// It is not, for a reason.
        case refused(String)
    }

    /// The key of the bond that a central has with the application.
    public var bond: Int? { bootloader.settings.bonds?.application }

    /// Encrypts the link with the key of a bond, or pairs where the central has none (nordic-buttonless.md,
    /// Bonds).
    public func encrypt(with key: Int?) -> Encryption {
        let now = time.now
        catchUp(to: now)
        guard let link, !link.isCut else { return .refused("the link is gone") }
        let outcome = program == .application ? encryptApplication(key) : encryptBootloader(key)
        guard case .done = outcome else { return outcome }
        self.link?.server.isEncrypted = true
        // Who is new here has no services to forget.
        if key != nil, let packet = self.link?.server.serviceChange(from: AttributeTable.dfuService) {
            self.link?.schedule.add(.send(packet), at: now)
        }
        persist(at: now)
        _ = flush(link.number)
        return outcome
    }

    private func encryptApplication(_ key: Int?) -> Encryption {
        guard description.buttonless == .bonded else { return .refused("simulated beacons do not pair") }
        var bonds = bootloader.settings.bonds ?? BondKeys()
        if let key { return key == bonds.application ? .done(key: key) : .refused("the key is missing") }
        guard description.keepsBonds else { return .done(key: nil) }
        bonds.application = (bonds.application ?? 0) + 1
        bootloader.store(bonds: bonds)
        return .done(key: bonds.application)
    }

    private func encryptBootloader(_ key: Int?) -> Encryption {
        guard let key, !faults.losesBond else { return .refused("pairing is not supported") }
        let known = bootloader.settings.bonds?.bootloader
        let isKnown = description.personality.requiresBonds && key == known
        return isKnown ? .done(key: key) : .refused("the key is missing")
    }

    /// The application hands its bond to the bootloader.
    func handOverBond() {
        guard description.buttonless == .bonded, var bonds = bootloader.settings.bonds else { return }
        bonds.bootloader = bonds.application
        bootloader.store(bonds: bonds)
    }

    /// Whether the central at the other end is one with a bond.
    var isBondedLink: Bool { link?.server.isEncrypted == true && bond != nil && description.keepsBonds }
}
