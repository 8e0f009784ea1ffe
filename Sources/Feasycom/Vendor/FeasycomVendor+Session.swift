package import Bluetooth
package import UpdateModel

extension FBeaconSettings: VendorSettings {}

extension FeasycomVendor: IdentityVendor {
    package typealias Settings = FBeaconSettings

    package var beaconNoun: String { "Feasycom beacon" }
    package var families: [String] { ["feasycom"] }
    /// The secrets are PINs, which are sent as plain text.
    package var secretRules: SecretRules? {
        SecretRules(form: "a PIN has digits only", captured: .pin) { FBeaconCommand.pin($0) != nil }
    }

    /// Other makers use the number of the service, but not the mark of open containers.
    package func isOffered(by device: DeviceInventory, heardAs beacon: HeardBeacon) -> Bool {
        recognises(beacon) && device.offers(FBeaconService.uuid) || device.offers(FBeaconService.openMark)
    }

    /// No facts without a PIN: such a session adds nothing to what any client can read.
    package func reportedFacts(hasSecret: Bool) -> Set<String> { hasSecret ? ["version"] : [] }

    /// Only for an update that the application receives, and only if a PIN is given or required.
    package func identifies(
        _ beacon: HeardBeacon, offering services: [BluetoothUUID]?, in plan: UpdatePlan, hasSecret: Bool
    ) -> Bool {
        (recognises(beacon) || plan.service == FBeaconService.uuid)
            && plan.procedure.targetSignature.isApplication && (hasSecret || Self.needsPIN(beacon))
    }

    private static func needsPIN(_ beacon: HeardBeacon) -> Bool { beacon.flags.contains("pin-needed") }

    package func session(
        with beacon: HeardBeacon, at address: DeviceAddress, by secret: Secret?
    ) throws(SessionFailure) -> FBeaconSession {
        guard let secret else {
            guard !Self.needsPIN(beacon) else {
                throw SessionFailure(
                    .session.passwordMissing, during: FBeaconQuery.step,
                    "\(address) needs a PIN, but none is given for it")
            }
            return FBeaconSession()
        }
        guard let pin = PlainPIN(secret) else {
            throw SessionFailure(
                .session.passwordWrong, during: FBeaconQuery.step,
                "the PIN for \(address) is not valid: a Feasycom beacon's has digits only")
        }
        return FBeaconSession(by: pin)
    }

    /// Reads the version of a beacon that accepted its PIN.
    package func reading(of peer: Void) -> MappedDialogue<FBeaconExchange, SessionReading> {
        MappedDialogue(.version) { (version) throws(SessionFailure) in
            SessionReading(
                "fbeacon", facts: ["version": .optional(version)],
                rows: [("session", "FBeacon, PIN accepted"), ("firmware", version)],
                application: ApplicationFacts(version: version))
        }
    }

    /// No facts: a beacon's identity is readable without a session.
    package func facts(of peer: Void) -> ApplicationFacts { ApplicationFacts() }
}

extension FeasycomVendor: ResetVendor {
    /// The factory settings are not public, so a reset is shown only by settings that changed.
    package var resetProof: ResetProof {
        .settings(
            command: "AT+RESTORE",
            untried:
                "AT+RESTORE was never tried on a Feasycom beacon: it is documented for their module FSC-BT691",
            name: FBeaconSettings.Key.name.description)
    }

    package func resetting(_ peer: Void) -> FBeaconExchange { FBeaconExchange(.restore, during: "restoring") }
}

extension FeasycomVendor: BlinkVendor {
    package var blinkHint: Advice { "\(beacons) that advertise a light or a buzzer" }

    package func obstacle(to request: BlinkRequest, for beacon: HeardBeacon) -> String? {
        if beacon.flags.isDisjoint(with: ["led", "buzzer"]) {
            return "advertises neither a light nor a buzzer"
        }
        return request.beeps && !beacon.flags.contains("buzzer") ? "advertises no buzzer" : nil
    }

    /// Uses the buzzer if a beep is requested or the beacon has no light; otherwise the light.
    package func blinking(
        _ request: BlinkRequest, of peer: Void, heardAs beacon: HeardBeacon
    ) throws(SessionFailure) -> FBeaconBlink {
        FBeaconBlink(by: beacon.flags.contains("led") && !request.beeps ? .light : .beep, for: request.length)
    }
}
