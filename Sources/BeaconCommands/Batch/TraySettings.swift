import BeaconIdentity
import BeaconSessions
import BluetoothTypes
import KBeacon
import Radio
import Sessions
import Tray
import TrayEngine

/// The settings that the units of a tray shall have, by their generation.
struct TraySettings: Sendable {
    private var byGeneration: [KBeaconGeneration: KBeaconSettings] = [:]

    /// Reads the files; each is for the beacons of one kind.
    init(_ paths: [String]) throws(CommandFailure) {
        for path in paths {
            let settings = try SettingsFile(path: path).kBeacon
            guard byGeneration.updateValue(settings, forKey: settings.generation) == nil else {
                throw CommandFailure(
                    "settings-invalid", during: "reading the settings",
                    message: "\(path) is for the same kind of beacons as another file")
            }
        }
    }

    var isEmpty: Bool { byGeneration.isEmpty }

    subscript(generation: KBeaconGeneration?) -> KBeaconSettings? { generation.flatMap { byGeneration[$0] } }
}

extension BatchPlanner {
    func configure(
        _ target: TrayTarget, found beacon: BeaconSighting, at address: DeviceAddress,
        with adapter: some Adapter,
        warning warn: @escaping @Sendable (AttemptRecord.Warning) -> Void,
        willWrite: @escaping @Sendable () async throws -> Void
    ) async throws -> [String]? {
        guard !settings.isEmpty else { return nil }
        guard beacon.identity.family == .kkm || beacon.isBootloader else {
            warn(.isOfAnotherMaker)
            return nil
        }
        do {
            return try await adapter.withSession(
                try secrets.kBeacon(at: address, beacon), with: address, within: SessionOptions.connectLimit
            ) { session in
                let identity = await session.opened?.identity
                guard let wanted = settings[identity?.generation] else {
                    warn(
                        AttemptRecord.Warning(
                            "settings-not-meant", "no file of settings is for beacons of its generation"))
                    return nil
                }
                try await willWrite()
                return try await session.perform { (peer) throws(SessionFailure) in
                    KBeaconSettingsChange(to: wanted, of: peer)
                }.map(\.row)
            }
        } catch {
            // A bootloader does not tell whose it is.
            if beacon.isBootloader, (error as? SessionFailure)?.code == .notOffered {
                warn(.isOfAnotherMaker)
                return nil
            }
            if let failure = error as? SessionFailure { secrets.note(failure, of: address) }
            throw error
        }
    }
}

extension AttemptRecord.Warning {
    fileprivate static let isOfAnotherMaker = Self(
        "settings-not-meant", "no file of settings is for beacons of its maker")
}
