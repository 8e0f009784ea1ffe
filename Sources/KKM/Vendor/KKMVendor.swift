package import Bluetooth
package import UpdateModel

/// KKM: sessions with KBeacons. Their firmware is updated over Nordic's service, so this vendor has no files.
package struct KKMVendor: IdentityVendor {
    package let name = "kkm"
    package let kinds: [FirmwareKind] = []
    package let fileExtensions: [String] = []
    package let beaconNoun = "KBeacon"
    package let families = ["kkm"]
    /// The bootloader is Nordic's, which does not reveal the maker.
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

    /// Uses the factory password if no secret is given.
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

    /// The generation that its advertisements suggest (kbeacon.md, Generations); the second for one not recognised.
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
                    ("model", identity.model), ("firmware", identity.version),
                    ("hardware", identity.hardware),
                    ("name", identity.name), ("battery", identity.battery.map { "\($0) %" }),
                    ("serial", identity.serialNumber), ("can", capabilities?.names.joined(separator: ", ")),
                    ("sends", capabilities?.adverts.joined(separator: ", ")),
                    ("power", power.map { "\($0.lowerBound) to \($0.upperBound) dBm" }),
                    ("updates", identity.updateRefusal.map { "none: \($0)" }),
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

    /// The factory password, which opens the next session, proves the reset.
    package var resetProof: ResetProof { .factorySecret }

    /// Resets the settings, including the password, when the link ends (kbeacon.md, Reset).
    package func resetting(_ peer: KBeaconQuery.Peer) -> KBeaconExchanges {
        let message =
            switch peer.identity.generation {
            case .first: KBeaconMessage("reset")
            case .second: KBeaconMessage("admin", [("stype", .text("reset"))])
            }
        return KBeaconExchanges(message, to: peer, during: "resetting")
    }

    package var passwordForm: String { "8 to 16 characters" }

    /// Some beacons drop characters that JSON escapes, and spaces are easily lost when a password is written down.
    package func flaw(ofNew password: Secret) -> String? {
        guard KBeaconSession.passwordLengths.contains(password.bytes.count) else {
            return "a KBeacon's password needs 8 to 16 bytes, but the new one has \(password.bytes.count)"
        }
        let isPlain = password.bytes.allSatisfy { 0x21...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C }
        return isPlain
            ? nil : "the new password contains a space, a quote, a backslash, or a non-ASCII character"
    }

    /// The new password takes effect when the link ends (kbeacon.md, Password).
    package func changePassword(to password: Secret, of peer: KBeaconQuery.Peer) -> KBeaconExchanges {
        let text = KBeaconMessage.Value.text(String(decoding: password.bytes, as: UTF8.self))
        let generation = peer.identity.generation
        let group: [(String, KBeaconMessage.Value)] =
            generation == .first ? [("stype", .number(generation.commonParameters))] : []
        let message = KBeaconMessage("cfg", group + [(KBeaconGeneration.password, text)])
        return KBeaconExchanges(message, to: peer, during: "changing the password")
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
        try KBeaconRing(by: request.beeps ? .beep : .light, for: request.length, request.flashes, of: peer)
    }
}

extension KKMVendor {
    package var support: [MakerSupport] { [kBeacon, older] }

    private var kBeacon: MakerSupport {
        let session = MakerSupport.Answer.proven([.source, .clients, .simulated, .peripheral])
        return MakerSupport(
            "kkm", title: "KKM KBeacon",
            [
                .scan: .proven([.document, .source, .simulated, .peripheral]), .query: session,
                .settingsRead: .proven([.source, .simulated, .peripheral]),
                .settingsWritten: .proven([.source, .simulated]), .password: .proven([.source, .simulated]),
                .blink: session, .records: .proven([.source, .simulated, .peripheral]), .updated: session,
            ],
            gaps: [
                .init(
                    "the models of the numbers in the frames",
                    needed: "KKM's table, or the frames of beacons whose model is known"),
                .init(
                    "the bootloader's address for a beacon with a public address",
                    needed: "a recording of an update of one"),
                .init(
                    "whether settings survive an update, and whether wrong passwords are counted",
                    needed: "a beacon to try it with"),
            ])
    }

    private var older: MakerSupport {
        MakerSupport(
            "kkm-old", title: "KKM KBeacon, before 2019",
            [.scan: .proven([.clients, .simulated]), .query: .notPublic, .updated: .notPublic],
            gaps: [
                .init(
                    "settings and updates over the service EE0C2080",
                    needed: "a beacon, and a recording of KKM's application with it")
            ])
    }
}
