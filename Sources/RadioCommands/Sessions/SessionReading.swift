import Bluetooth
import Bytes
import CommandKit
import Feasycom
import Identity
import KKM
import Orange
import UpdateEngine
import UpdateModel

/// What was read from a beacon in a session.
enum SessionReading: Equatable, Sendable {
    case kBeacon(KBeaconIdentity)
    /// A Feasycom beacon that accepted its PIN, with the version that it then reports.
    case fBeacon(version: String?)
    /// An Orange Beacon Tag, which needs no session, with the settings that any client can read.
    case orangeTag(OrangeTagSettings)
    /// There was no session.
    case failed(SessionFailure)

    /// Opens a session over an open link; nil if the beacon, which has `inventory`, offers no known kind of
    /// session.
    static func read(
        _ beacon: BeaconSighting, _ inventory: DeviceInventory, over client: any GATTClient,
        time: Timekeeper, _ secrets: SecretStore
    ) async throws -> SessionReading? {
        do {
            if inventory.offers(OrangeTagService.uuid) { return .orangeTag(OrangeTagSettings(of: inventory)) }
            // Without a PIN, a session would add nothing to what any client can read.
            let isFeasycom =
                beacon.identity.family == .feasycom && inventory.offers(FBeaconService.uuid)
                || inventory.offers(FBeaconService.openMark)
            if isFeasycom, secrets.hasPIN(beacon) {
                return .fBeacon(version: try await version(of: beacon, over: client, time: time, secrets))
            }
            guard inventory.offers(KBeaconSession.service) else { return nil }
            let session = BeaconSession(try secrets.kBeacon(beacon), with: beacon.address)
            return .kBeacon(try await session.open(over: client, time: time).identity)
        } catch let failure as SessionFailure {
            secrets.note(failure, of: beacon.address)
            return .failed(failure)
        } catch let error as GATTError where error.leavesLink {
            return .failed(SessionFailure(.session.notOffered, during: "opening the session", "\(error)"))
        }
    }

    private static func version(
        of beacon: BeaconSighting, over client: any GATTClient, time: Timekeeper, _ secrets: SecretStore
    ) async throws -> String? {
        let session = BeaconSession(try secrets.fBeacon(beacon), with: beacon.address)
        try await session.open(over: client, time: time)
        return try await session.perform { (_: Void) throws(SessionFailure) in FBeaconExchange.version }
    }

    /// Rows for people.
    var rows: [(label: String, text: String)] {
        switch self {
        case .failed(let failure): [("session", "\(failure.code.rawValue): \(failure.message)")]
        case .kBeacon(let identity): Self.rows(identity)
        case .fBeacon(let version):
            [("session", "FBeacon, PIN accepted")] + (version.map { [("version", $0)] } ?? [])
        case .orangeTag(let settings):
            [("session", "Orange Beacon Tag, none needed")]
                + settings.paths.map { ("\($0)", "\(settings.values[$0]?.description ?? "")") }
        }
    }

    private static func rows(_ identity: KBeaconIdentity) -> [(label: String, text: String)] {
        let texts: [(String, String?)] = [
            ("session", "KBeacon, generation \(identity.generation.rawValue)"), ("model", identity.model),
            ("version", identity.version), ("hardware", identity.hardware), ("called", identity.name),
            ("battery", identity.battery.map { "\($0) %" }), ("serial", identity.serialNumber),
            ("can", identity.capabilities?.names.joined(separator: ", ")),
            ("sends", identity.capabilities?.adverts.joined(separator: ", ")),
            ("power", identity.power.map { "\($0.lowerBound) to \($0.upperBound) dBm" }),
            ("updates", identity.updateRefusal.map { "none: \($0)" } ?? "over the air"),
        ]
        return texts.compactMap { label, text in text.map { (label, $0) } }
    }

    /// As a member of an event.
    var value: JSONValue {
        switch self {
        case .failed(let failure):
            .object([
                "kind": .null, "code": .text(failure.code.rawValue), "message": .text(failure.message),
            ])
        case .fBeacon(let version): .object(["kind": .text("fbeacon"), "version": .optional(version)])
        case .orangeTag(let settings): .object(["kind": .text("orange-tag"), "settings": settings.object])
        case .kBeacon(let identity):
            .object([
                "kind": .text("kbeacon"), "generation": .integer(identity.generation.rawValue),
                "model": .text(identity.model), "version": .optional(identity.version),
                "hardware": .optional(identity.hardware), "name": .optional(identity.name),
                "battery": identity.battery.map { .integer(Int($0)) } ?? .null,
                "serial": .optional(identity.serialNumber),
                "capabilities": identity.capabilities.map { .list($0.names.map(JSONValue.text)) } ?? .null,
                "adverts": identity.capabilities.map { .list($0.adverts.map(JSONValue.text)) } ?? .null,
                "tx_power_min": identity.power.map { .integer($0.lowerBound) } ?? .null,
                "tx_power_max": identity.power.map { .integer($0.upperBound) } ?? .null,
                "takes_updates": .bool(identity.updateRefusal == nil),
            ])
        }
    }
}

extension OrangeTagSettings {
    /// The settings in what was read from a tag.
    fileprivate init(of inventory: DeviceInventory) {
        self.init { characteristic in
            guard case .value(let bytes)? = inventory.reading(of: characteristic) else { return nil }
            return bytes
        }
    }
}

extension GATTError {
    /// Whether the link can still be used after this error.
    fileprivate var leavesLink: Bool {
        switch self {
        case .refused, .missing, .unsuitable: true
        default: false
        }
    }
}

/// An identity query that reports why it failed to `noteFailure`.
struct ObservedQuery<Base: IdentityQuery>: IdentityQuery {
    typealias Ending = ApplicationFacts
    typealias Notice = Never
    typealias Failure = SessionFailure

    var base: Base
    let noteFailure: @Sendable (SessionFailure) -> Void

    var leastInterval: Duration { base.leastInterval }

    mutating func begin(on link: LinkFacts) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        do throws(SessionFailure) { return try base.begin(on: link) } catch {
            noteFailure(error)
            throw error
        }
    }

    mutating func note(_ times: CommandTimes) { base.note(times) }

    mutating func advance(
        after outcome: DialogueOutcome
    ) throws(SessionFailure) -> DialogueStep<Ending, Never> {
        do throws(SessionFailure) { return try base.advance(after: outcome) } catch {
            noteFailure(error)
            throw error
        }
    }
}
