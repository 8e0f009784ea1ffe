package import Bluetooth
package import Firmware
import Synchronization
package import UpdateEngine
package import UpdateModel

/// The passwords and PINs for one run. A wrong one is not tried again in the run.
package final class SecretStore: Sendable {
    private let file: SecretsFile
    private struct State: Sendable {
        var wrong: Set<DeviceAddress> = []
        /// The kinds of secrets in the recording that were already reported.
        var captured: Set<CapturedSecret> = []
    }

    package static let connectLimit = Duration.seconds(15)

    private let warnOfCapture: (@Sendable (CapturedSecret) -> Void)?

    private let state: Mutex<State>

    /// `warn` is called once for each kind of secret that a recording of the run will contain.
    package init(_ file: SecretsFile, warningOfCapture warn: (@Sendable (CapturedSecret) -> Void)? = nil) {
        (self.file, warnOfCapture) = (file, warn)
        state = Mutex(State())
    }

    /// The secret for the application of `vendor` at `address`, which was heard as `beacon`; nil if none is given.
    package func secret(
        of beacon: BeaconSighting, _ vendor: some SessionVendor, at address: DeviceAddress? = nil
    ) -> Secret? { beacon.secret(in: file, vendor: vendor.name, at: address ?? beacon.address) }

    /// The session of `vendor` with the application at `address`, which was heard as `beacon`, by its secret. Throws if
    /// that is missing or not a valid one, or was wrong before.
    package func session<Vendor: SessionVendor>(
        _ vendor: Vendor, with beacon: BeaconSighting, at address: DeviceAddress
    ) throws(SessionFailure) -> Vendor.Session {
        let secret = secret(of: beacon, vendor, at: address)
        let session = try vendor.session(with: HeardBeacon(beacon), at: address, by: secret)
        guard let rules = vendor.secretRules, secret != nil || rules.factory != nil else { return session }
        guard !state.withLock({ $0.wrong.contains(address) }) else {
            throw SessionFailure(
                .session.passwordWrong, during: "opening the session",
                "the password for \(address) was wrong before; it is tried only once in a run")
        }
        if state.withLock({ $0.captured.insert(rules.captured).inserted }) { warnOfCapture?(rules.captured) }
        return session
    }

    /// Runs `body` in a session of `vendor` with the application at `address`, which was heard as `beacon`: by
    /// `password`, or else by its secret. A wrong password is remembered.
    package func withSession<Vendor: SessionVendor, Value: Sendable>(
        _ vendor: Vendor, with beacon: BeaconSighting, at address: DeviceAddress, by password: Secret? = nil,
        over adapter: some Adapter, telling tell: @escaping @Sendable (SessionEvent) -> Void = { _ in },
        _ body: (BeaconSession<Vendor.Session>) async throws -> Value
    ) async throws -> Value {
        do {
            let session =
                try password.map { (password) throws(SessionFailure) in
                    try vendor.session(with: HeardBeacon(beacon), at: address, by: password)
                } ?? session(vendor, with: beacon, at: address)
            return try await adapter.withSession(
                session, with: address, within: Self.connectLimit, telling: tell, body)
        } catch let failure as SessionFailure {
            note(failure, of: address)
            throw password == nil ? explained(failure, of: beacon, vendor, at: address) : failure
        }
    }

    /// The `failure`, which names the factory password if that was wrong because no other one is given.
    private func explained(
        _ failure: SessionFailure, of beacon: BeaconSighting, _ vendor: some SessionVendor,
        at address: DeviceAddress
    ) -> SessionFailure {
        guard failure.code == .session.passwordWrong, vendor.secretRules?.factory != nil,
            secret(of: beacon, vendor, at: address) == nil
        else { return failure }
        return failure.adding(
            "none is given for it, so its factory password was tried",
            remedy: "put its password into a file of secrets, and give that with \(.secrets)")
    }

    /// Remembers that the password for the beacon at `address` is wrong, if that is the `failure`.
    package func note(_ failure: SessionFailure, of address: DeviceAddress) {
        guard [.session.passwordWrong, .session.authenticationRefused].contains(failure.code) else { return }
        state.withLock { _ = $0.wrong.insert(address) }
    }

    /// The facts for a catalogue that a session with `beacon` provides; empty if it has no sessions, or needs a PIN
    /// that is not given. By the catalogue, the beacon takes updates of `kind`; nil if that is not known.
    package func factsReported(by beacon: BeaconSighting, taking kind: FirmwareKind?) -> Set<String> {
        KnownVendors.vendor(of: beacon, taking: kind).map { facts($0, of: beacon) } ?? []
    }

    private func facts(_ vendor: some SessionVendor, of beacon: BeaconSighting) -> Set<String> {
        vendor.reportedFacts(hasSecret: secret(of: beacon, vendor) != nil)
    }

    /// Opens a session with `beacon` to read the ``factsReported(by:taking:)``, and closes it.
    package func facts(
        of beacon: BeaconSighting, taking kind: FirmwareKind?, with adapter: some Adapter
    ) async throws -> DeviceReading.Session? {
        guard let vendor = KnownVendors.vendor(of: beacon, taking: kind),
            !facts(vendor, of: beacon).isEmpty
        else { return nil }
        return try await read(beacon, vendor, with: adapter)
    }

    private func read(
        _ beacon: BeaconSighting, _ vendor: some SessionVendor, with adapter: some Adapter
    ) async throws -> DeviceReading.Session {
        let found = try await withSession(vendor, with: beacon, at: beacon.address, over: adapter) {
            session in
            try await session.perform { vendor.reading(of: $0) }
        }
        var facts = DeviceReading.Session()
        let application = found.application
        (facts.model, facts.hardware) = (application.model, application.hardware)
        (facts.version, facts.battery) = (application.version, application.battery.map(Int.init))
        return facts
    }

    /// What a connected `beacon` reports about itself: in its `inventory`, or in a session over the link of `client`;
    /// nil if it offers no known kind of session.
    package func reading(
        of beacon: BeaconSighting, _ inventory: DeviceInventory, over client: any GATTClient, time: Timekeeper
    ) async throws -> Result<SessionReading, SessionFailure>? {
        do {
            for vendor in KnownVendors.withSessions {
                if let reading = try await read(beacon, vendor, inventory, over: client, time: time) {
                    return .success(reading)
                }
            }
            return nil
        } catch let failure as SessionFailure {
            note(failure, of: beacon.address)
            return .failure(failure)
        } catch let error as GATTError where error.keepsLink {
            return .failure(SessionFailure(.session.notOffered, during: "opening the session", "\(error)"))
        }
    }

    private func read(
        _ beacon: BeaconSighting, _ vendor: some SessionVendor, _ inventory: DeviceInventory,
        over client: any GATTClient, time: Timekeeper
    ) async throws -> SessionReading? {
        guard vendor.isOffered(by: inventory, heardAs: HeardBeacon(beacon)) else { return nil }
        if let reading = vendor.reading(from: inventory) { return reading }
        guard !facts(vendor, of: beacon).isEmpty else { return nil }
        let session = BeaconSession(
            try session(vendor, with: beacon, at: beacon.address), with: beacon.address)
        do { try await session.open(over: client, time: time) } catch let failure as SessionFailure {
            throw explained(failure, of: beacon, vendor, at: beacon.address)
        }
        return try await session.perform { vendor.reading(of: $0) }
    }

    /// The identity query, for an update by `plan`, to the application of the unit that was heard as
    /// `beacon`, which may be its bootloader; with `readingSettings` it also reads the settings.
    package func identifying(
        _ beacon: BeaconSighting, for plan: UpdatePlan, readingSettings: Bool
    ) -> IdentityQueryFactory {
        let vendors = KnownVendors.withSessions.compactMap { $0 as? any IdentityVendor }
        return { [self] (address, services) throws(SessionFailure) in
            for vendor in vendors {
                let query = try query(
                    vendor, to: address, beacon, offering: services, for: plan, readingSettings)
                if let query { return query }
            }
            return nil
        }
    }

    private func query(
        _ vendor: some IdentityVendor, to address: DeviceAddress, _ beacon: BeaconSighting,
        offering services: [BluetoothUUID]?, for plan: UpdatePlan, _ readsSettings: Bool
    ) throws(SessionFailure) -> (any IdentityQuery)? {
        let isAsked = vendor.identifies(
            HeardBeacon(beacon), offering: services, in: plan, hasSecret: secret(of: beacon, vendor) != nil)
        guard isAsked else { return nil }
        let base = try vendor.identityQuery(
            by: try session(vendor, with: beacon, at: address), to: address, readingSettings: readsSettings)
        return ExplainedQuery(base: base) { [self] failure in
            note(failure, of: address)
            return explained(failure, of: beacon, vendor, at: address)
        }
    }
}

extension BeaconSighting {
    /// The secret in `file` for this beacon of `vendor`, whose application is at `address`.
    package func secret(in file: SecretsFile, vendor: String, at address: DeviceAddress) -> Secret? {
        let model = identity.model ?? identity.modelNumber.map { "\($0)" }
        return file.secret(of: address, id: identity.id, model: model, vendor: vendor)
    }
}

extension KnownVendors {
    /// The vendor whose sessions `beacon` has, by its advertisements. If these show none, the vendor of updates of
    /// `kind` without families of its own, because its beacons need not advertise it. Nil if none is known.
    package static func vendor(
        of beacon: BeaconSighting, taking kind: FirmwareKind? = nil
    ) -> (any SessionVendor)? {
        let heard = HeardBeacon(beacon)
        return withSessions.first { $0.recognises(heard) }
            ?? kind.flatMap { kind in withSessions.first { $0.families.isEmpty && $0.kinds.contains(kind) } }
    }
}

extension GATTError {
    /// Whether the link can still be used after this error.
    fileprivate var keepsLink: Bool {
        switch self {
        case .refused, .missing, .unsuitable: true
        default: false
        }
    }
}

/// An identity query that passes its failure through `explain`.
struct ExplainedQuery<Base: IdentityQuery>: IdentityQuery {
    typealias Ending = ApplicationFacts
    typealias Notice = Never
    typealias Failure = SessionFailure

    var base: Base
    let explain: @Sendable (SessionFailure) -> SessionFailure

    var leastInterval: Duration { base.leastInterval }

    mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        do throws(SessionFailure) { return try base.begin(on: link) } catch { throw explain(error) }
    }

    mutating func note(_ times: CommandTimes) { base.note(times) }

    mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        do throws(SessionFailure) { return try base.advance(after: outcome) } catch { throw explain(error) }
    }
}
