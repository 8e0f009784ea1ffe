package import Bluetooth
package import UpdateModel

/// KKM: sessions with KBeacons. Their firmware is updated over Nordic's service, so it has no files of its own.
package struct KKMVendor: IdentityVendor {
    package let name = "kkm"
    package let kinds: [FirmwareKind] = []
    package let fileExtensions: [String] = []
    package let beaconNoun = "KBeacon"
    package let families = ["kkm"]
    /// The bootloader is Nordic's.
    package let hasAnonymousBootloader = true
    package let secretRules: SecretRules? = SecretRules(
        form: "a KBeacon's password has 8 to 16 bytes", captured: .proof,
        factory: KBeaconSession.factoryPassword
    ) { KBeaconSession.passwordLengths.contains($0.bytes.count) }

    package init() {}

    package func recognise(_ file: [UInt8]) -> PackageFile? { nil }

    package func isOffered(by device: DeviceInventory, heardAs beacon: HeardBeacon) -> Bool {
        device.offers(KBeaconService.uuid)
    }

    package func identifies(
        _ beacon: HeardBeacon, offering services: [BluetoothUUID]?, in plan: UpdatePlan, hasSecret: Bool
    ) -> Bool {
        services?.contains(KBeaconService.uuid) ?? recognises(beacon)
    }

    /// Without a password, the factory's.
    package func session(
        with beacon: HeardBeacon, at address: DeviceAddress, by secret: Secret?
    ) throws(SessionFailure) -> KBeaconSession {
        if let secret, !KBeaconSession.passwordLengths.contains(secret.bytes.count) {
            throw SessionFailure(
                .session.passwordWrong, during: "opening the session",
                "the password for \(address) is not valid: a KBeacon's has 8 to 16 bytes")
        }
        return KBeaconSession(
            secret ?? KBeaconSession.factoryPassword, asking: probableGeneration(of: beacon))
    }

    /// By its advertisements (kbeacon.md, Generations). A bootloader does not advertise it.
    private func probableGeneration(of beacon: HeardBeacon) -> KBeaconGeneration {
        let isFirst = recognises(beacon) && !beacon.isSecondGeneration
        return isFirst && beacon.name?.hasPrefix("KBPro") != true ? .first : .second
    }

    package func reportedFacts(hasSecret: Bool) -> Set<String> { ["model", "name", "hardware", "version"] }

    package func reading(of peer: KBeaconQuery.Peer) -> KnownResult<SessionReading> {
        let identity = peer.identity
        let (capabilities, power) = (identity.capabilities, identity.power)
        return KnownResult(
            SessionReading(
                "kbeacon",
                facts: [
                    "generation": .integer(identity.generation.rawValue), "model": .text(identity.model),
                    "version": .optional(identity.version), "hardware": .optional(identity.hardware),
                    "name": .optional(identity.name), "battery": .optional(identity.battery),
                    "serial": .optional(identity.serialNumber),
                    "capabilities": capabilities.map { .list($0.names.map(Fact.text)) } ?? .absent,
                    "adverts": capabilities.map { .list($0.adverts.map(Fact.text)) } ?? .absent,
                    "tx_power_min": .optional(power?.lowerBound),
                    "tx_power_max": .optional(power?.upperBound),
                    "takes_updates": .flag(identity.updateRefusal == nil),
                ],
                rows: [
                    ("session", "KBeacon, generation \(identity.generation.rawValue)"),
                    ("model", identity.model), ("version", identity.version), ("hardware", identity.hardware),
                    ("called", identity.name), ("battery", identity.battery.map { "\($0) %" }),
                    ("serial", identity.serialNumber), ("can", capabilities?.names.joined(separator: ", ")),
                    ("sends", capabilities?.adverts.joined(separator: ", ")),
                    ("power", power.map { "\($0.lowerBound) to \($0.upperBound) dBm" }),
                    ("updates", identity.updateRefusal.map { "none: \($0)" } ?? "over the air"),
                ], application: facts(of: peer)))
    }

    package func facts(of peer: KBeaconQuery.Peer) -> ApplicationFacts {
        let identity = peer.identity
        return ApplicationFacts(
            version: identity.version, hardware: identity.hardware, model: identity.model,
            battery: identity.battery, updateRefusal: identity.updateRefusal)
    }
}

extension KBeaconSettings: VendorSettings {
    package var generationNumber: Int? { generation.rawValue }

    package static func generationNumber(of peer: KBeaconQuery.Peer) -> Int? {
        peer.identity.generation.rawValue
    }

    package static func facts(of peer: KBeaconQuery.Peer) -> [String] {
        let identity = peer.identity
        return [
            identity.model, identity.version.map { "firmware \($0)" },
            identity.hardware.map { "hardware \($0)" },
        ].compactMap(\.self)
    }
}

extension KKMVendor: SettingsVendor, ResetVendor, PasswordVendor {
    package typealias Settings = KBeaconSettings

    /// It resets once the link is closed.
    package var resetProof: ResetProof { .factorySecret }

    package func resetting(_ peer: KBeaconQuery.Peer) -> KBeaconExchanges {
        KBeaconExchanges(resetting: peer)
    }

    package var passwordForm: String { "8 to 16 characters" }

    package func flaw(ofNew password: Secret) -> String? { KBeaconSession.flaw(ofNew: password) }

    package func changePassword(to password: Secret, of peer: KBeaconQuery.Peer) -> KBeaconExchanges {
        KBeaconExchanges(changingPasswordTo: password, of: peer)
    }
}

extension KKMVendor: BlinkVendor {
    package var blinkHint: Advice {
        "\(beacons), in a session with their password in \(.secrets) or the factory password"
    }

    package var takesFlashes: Bool { true }

    package func blinking(
        _ request: BlinkRequest, of peer: KBeaconQuery.Peer, heardAs beacon: HeardBeacon
    ) throws(SessionFailure) -> KBeaconRing {
        try KBeaconRing(
            by: request.beeps ? .beep : .light, for: request.length, request.flashes, of: peer)
    }
}
